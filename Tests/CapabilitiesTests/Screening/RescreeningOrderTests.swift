// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: which runs begin after a change of the lists")
struct RescreeningOrderTests {
  private static let without = "ref,name,dob\n2,Ottilie Vanterpoole,1948\n"

  private func rescreening(_ app: CaseTestApp, _ source: ScreeningSource? = nil) -> Rescreening {
    Rescreening(app.core, source: source ?? app.source, lists: app.lists, customers: [app.flow])
  }

  private func latestRun(_ app: CaseTestApp) async throws -> ScreeningRun? {
    try await app.database.read { try ScreeningRunStore($0).latest() }
  }

  private func folderSource(_ folder: TestFolder) -> ScreeningSource {
    ScreeningSource(folder: folder.path, countries: InventedList.countries)
  }

  private func screen(_ subject: Screening.Subject, in source: ScreeningSource, _ app: CaseTestApp) async throws {
    let outcome = try await source.screen(subject)
    try await app.database.write { [screening = app.screening] in
      _ = try screening.record(outcome, of: subject, for: "c1", in: $0)
    }
  }

  @Test("a file of the folder that is edited twice under one label is searched in anew each time")
  func sameLabel() async throws {
    let app = try await CaseTestApp()
    let folder = try TestFolder()
    try folder.put("own.version", "november\n")
    try folder.put("own.csv", Self.without, written: Date(timeIntervalSince1970: 1_000))
    let source = folderSource(folder)
    try await screen(CaseTestApp.subject, in: source, app)
    try await rescreening(app, source).run()
    try folder.put("own.csv", Self.without + "3,Nemo Nullmann,\n", written: Date(timeIntervalSince1970: 2_000))
    try await rescreening(app, source).run()
    #expect(try await app.cases().isEmpty)
    try folder.put("own.csv", CaseTestApp.list, written: Date(timeIntervalSince1970: 3_000))
    try await rescreening(app, source).run()
    #expect(try await app.cases().map(\.state) == [.open])
    let run = try #require(try await latestRun(app))
    #expect(run.number == 3)
    let label = "november+\(Data(CaseTestApp.list.utf8).sha256Hex.prefix(8))"
    #expect(run.target == [.init(code: "OWN", version: label)])
  }

  @Test("a node that searches in the version before begins no run; a list that is put back is searched in again")
  func behind() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    try await app.screen()
    let old = try await app.source.index()
    let slow = ScreeningSource(policy: .standard) { old }
    try await rescreening(app, slow).run()
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening(app).run()
    let run = try #require(try await latestRun(app))
    #expect(run.number == 2 && run.target.map(\.version) == ["v2"])
    app.clock.set("2026-11-26T06:05:00Z")
    try await rescreening(app, slow).run()
    #expect(try await latestRun(app) == run)
    // The operator takes the version before back: the store says that it counts.
    try await app.update(Self.without, version: "v1")
    try await rescreening(app).run()
    #expect(try await latestRun(app)?.target.map(\.version) == ["v1"])
    #expect(try await latestRun(app)?.number == 3)
  }

  @Test("two nodes with different folders do not take turns; once the newer one is gone for good, the older one counts")
  func twoFolders() async throws {
    let app = try await CaseTestApp()
    let (first, second) = (try TestFolder(), try TestFolder())
    try first.put("own.csv", Self.without)
    try second.put("own.csv", CaseTestApp.list)
    let (one, other) = (rescreening(app, folderSource(first)), rescreening(app, folderSource(second)))
    try await one.run()
    try await other.run()
    let run = try #require(try await latestRun(app))
    #expect(run.number == 2)
    for minute in 1...9 {
      app.clock.set("2026-11-26T06:0\(minute):00Z")
      try await one.run()
      try await other.run()
    }
    #expect(try await latestRun(app)?.number == 2)
    // It was confirmed at 06:08 last; ten minutes after that the folder counts as put back.
    app.clock.set("2026-11-26T06:17:00Z")
    try await one.run()
    #expect(try await latestRun(app)?.number == 2)
    app.clock.set("2026-11-26T06:20:00Z")
    try await one.run()
    #expect(try await latestRun(app)?.number == 3)
  }

  @Test("a node that runs an older release or policy does not take turns with the newer one either")
  func twoRules() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    var policy = MatchingPolicy.standard
    policy.threshold = 0.9
    let index = try await app.source.index()
    let (one, other) = (rescreening(app), rescreening(app, ScreeningSource(policy: policy) { index }))
    for minute in 1...9 {
      app.clock.set("2026-11-26T06:0\(minute):00Z")
      try await one.run()
      try await other.run()
    }
    #expect(try await latestRun(app)?.number == 2)
  }

  @Test("a run that is overtaken by a newer one keeps nothing more, and ends without an error")
  func overtaken() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    try await app.screen()
    try await app.screen(for: "c2")
    try await rescreening(app).run()
    try await app.update(CaseTestApp.list, version: "v2")
    let index = try await app.source.index()
    let database = app.database
    // When the run looks at its first customer, a newer one begins elsewhere.
    let flow = ScreenedPeople(
      find: { _, _ in .init(tenant: CaseTestApp.bank, needsTwo: false, isScreened: true) },
      found: { _, tx in
        let store = ScreeningRunStore(tx)
        guard var newer = try store.latest(), newer.number == 2 else { return }
        newer = ScreeningRun(
          id: .init(app.core.world), number: 3, base: newer.target,
          target: [.init(code: "OWN", version: "v3")], rules: newer.rules, changedEntries: 0, customers: 0, found: 0,
          place: .start, startedAt: newer.startedAt, finishedAt: nil, heldUntil: newer.heldUntil,
          confirmedAt: newer.confirmedAt, version: 1)
        try store.insert(newer)
      })
    let old = Rescreening(
      app.core, source: ScreeningSource(policy: .standard) { index }, lists: app.lists, customers: [flow])
    try await old.run()
    #expect(try await app.desk.backlog().count == 1)
    let runs = try await database.read { tx in
      try tx.query("SELECT number, finished_at FROM screening_run ORDER BY number").map {
        try ($0.get("number", as: Int.self), $0.get("finished_at", as: Instant?.self))
      }
    }
    #expect(runs.map(\.0) == [1, 2, 3] && runs[1].1 == nil)
  }
}
