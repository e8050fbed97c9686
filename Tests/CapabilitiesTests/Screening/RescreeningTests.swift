// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: customers are searched for again when a list changes")
struct RescreeningTests {
  private static let without = "ref,name,dob\n2,Ottilie Vanterpoole,1948\n"

  private func rescreening(_ app: CaseTestApp) -> Rescreening {
    Rescreening(app.core, source: app.source, lists: app.lists, customers: [app.flow])
  }

  private func latestRun(_ app: CaseTestApp) async throws -> ScreeningRun? {
    try await app.database.read { try ScreeningRunStore($0).latest() }
  }

  private func latest(_ app: CaseTestApp, _ id: String = "c1") async throws -> Screening.Record? {
    try await app.database.read { [screening = app.screening] in try screening.latest(for: id, in: $0) }
  }

  private func shown(_ app: CaseTestApp, _ id: String = "c1") async throws -> Screening.Record? {
    try await app.database.read { [screening = app.screening] in try screening.latestStep(for: id, in: $0) }
  }

  @Test("clean yesterday, listed today: a case is open the same day, and the customer is shown what yesterday found")
  func sameDay() async throws {
    let app = try await CaseTestApp()
    app.clock.set("2026-11-26T06:00:00Z")
    try await app.update(Self.without, version: "v1")
    let clean = try await app.screen()
    try await rescreening(app).run()
    #expect(clean.status == .clean)
    #expect(try await app.cases().isEmpty)
    app.clock.set("2026-11-27T06:00:00Z")
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening(app).run()
    let item = try #require(try await app.cases().first)
    #expect(item.state == .open && item.openedAt == app.clock.world.now())
    let found = try #require(try await latest(app))
    #expect(found.origin == .listChange && found.status == .potentialMatch && found.id == item.screeningID)
    #expect(found.lists == [.init(code: "OWN", version: "v2")])
    #expect(try found.matcher == Screening.Matcher(.standard))
    #expect(try await shown(app) == clean.reviewedByOther)
    #expect(app.told.lines == ["found c1"])
    #expect(try await app.owed() == ["screening.alert"])
    let run = try #require(try await latestRun(app))
    // The entry of 1948 gained a column and lost nothing: only what says something else counts.
    #expect(run.finishedAt != nil && run.customers == 1 && run.found == 1 && run.changedEntries == 1)
    // Nothing changed: nothing is done.
    try await rescreening(app).run()
    #expect(try await latestRun(app)?.id == run.id)
    #expect(try await app.cases().count == 1)
    // The answer can be had again after three updates of the list.
    for number in 3...5 { try await app.update("ref,name\n9,Nemo Nullmann \(number)\n", version: "v\(number)") }
    let replay = try await ScreeningReplay(
      of: found, lists: app.lists, countries: InventedList.countries, policy: .standard)
    #expect(replay.isEqual && replay.isMatcherSame)
  }

  @Test("only new and changed entries count, and a list that is loaded again changes nothing")
  func delta() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    try await app.screen(InventedList.subject("Wilhelmina Sauerbrey"), for: "c2")
    try await rescreening(app).run()
    #expect(try await app.cases().count == 1)
    try await app.update(CaseTestApp.list + "3,Wilhelmina Sauerbrey,,\n", version: "v2")
    try await rescreening(app).run()
    let run = try #require(try await latestRun(app))
    #expect(run.changedEntries == 1 && run.customers == 2 && run.found == 1)
    #expect(try await app.cases(of: "c2").map(\.state) == [.open])
    #expect(app.told.lines == ["found c2"])
    // An entry that went away is no hit of anybody.
    try await app.update(Self.without, version: "v3")
    try await rescreening(app).run()
    #expect(app.told.lines == ["found c2"])
  }

  @Test("an unchanged entry that is a hit now, since its words are rarer, opens a case too")
  func unchangedEntry() async throws {
    let app = try await CaseTestApp()
    let letters = Array("bdfgklmnprstvz")
    let base = "ref,name\n1,Ansgar Quillon Driftwell\n2,Ottilie Vanterpoole\n"
    let common = (0..<60).map { "\($0 + 10),Ansgar \(letters[$0 % 14])a\(letters[$0 / 14])ubo\n" }.joined()
    try await app.update(base + common, version: "v1")
    let subject = InventedList.subject("Ansgar Qillon Driftwall")
    #expect(try await app.screen(subject).status == .clean)
    try await rescreening(app).run()
    try await app.update(base, version: "v2")
    guard case .screened(let report) = try await app.source.screen(subject) else { throw Problem.unexpected }
    #expect(report.hits.map(\.entityID) == ["1"])
    try await rescreening(app).run()
    let run = try #require(try await latestRun(app))
    #expect(run.changedEntries == 0 && run.customers == 1 && run.found == 1)
    #expect(try await app.cases().map(\.hit.entityID) == ["1"])
    // Known since then, it is not found anew by the next change.
    try await app.update(base + "3,Nemo Nullmann\n", version: "v3")
    try await rescreening(app).run()
    #expect(try await latestRun(app)?.found == 0)
  }

  @Test(
    "the search of changed entries finds whom a search of the whole list finds in them",
    arguments: [1, 2, 3] as [UInt64])
  func equalsWholeSearch(seed: UInt64) async throws {
    let app = try await CaseTestApp()
    var random = SelfTestRandomness(seed: seed)
    let words = ["Ansgar", "Quillon", "Driftwell", "Ottilie", "Vanterpoole", "Tamsyn", "Okavelloe", "Bartholomew"]
    func name() -> String { (0..<3).map { _ in words[random.below(words.count)] }.joined(separator: " ") }
    let old = (0..<30).map { "\($0),\(name())\n" }
    let new = (30..<40).map { "\($0),\(name())\n" }
    try await app.update("ref,name\n" + old.joined(), version: "v1")
    var subjects: [String: Screening.Subject] = [:]
    for number in 0..<40 { subjects["c\(number)"] = InventedList.subject(name()) }
    for (id, subject) in subjects.sorted(by: { $0.key < $1.key }) { try await app.screen(subject, for: id) }
    try await rescreening(app).run()
    try await app.update("ref,name\n" + (old + new).joined(), version: "v2")
    try await rescreening(app).run()
    for (id, subject) in subjects {
      guard case .screened(let report) = try await app.source.screen(subject) else { throw Problem.unexpected }
      let expected = Set(report.hits.map(\.entityID)).filter { (Int($0) ?? 0) >= 30 }
      let found = Set(try await app.cases(of: id).map(\.hit.entityID)).filter { (Int($0) ?? 0) >= 30 }
      #expect(found == expected, "\(id) of seed \(seed)")
      // Nor is an unchanged entry missed that only the other weights make a hit.
      let all = Set(try await app.cases(of: id).map(\.hit.entityID))
      #expect(all.isSuperset(of: report.hits.map(\.entityID)), "\(id) of seed \(seed)")
    }
  }

  @Test("killed in its course, a run goes on where it was, on another node, and opens no case twice")
  func killed() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    let count = Rescreening.pageMax + 20
    for number in 0..<count { try await app.screen(for: "c\(number)") }
    try await rescreening(app).run()
    try await app.update(CaseTestApp.list, version: "v2")
    struct Killed: Error {}
    let left = Mutex(Rescreening.pageMax + 5)
    let dying = ScreenedPeople(
      find: { id, _ in .init(tenant: CaseTestApp.bank, needsTwo: false, isScreened: true) },
      found: { _, _ in
        try left.withLock { left in
          left -= 1
          if left < 0 { throw Killed() }
        }
      })
    let first = Rescreening(app.core, source: app.source, lists: app.lists, customers: [dying])
    await #expect(throws: Killed.self) { try await first.run() }
    let half = try #require(try await latestRun(app))
    #expect(half.finishedAt == nil && half.customers == Rescreening.pageMax)
    // While the first node may still be at it, the other one keeps away.
    try await rescreening(app).run()
    #expect(try await latestRun(app) == half)
    app.clock.set("2026-11-26T06:02:00Z")
    try await rescreening(app).run()
    let run = try #require(try await latestRun(app))
    #expect(run.id == half.id && run.finishedAt != nil)
    #expect(try await app.desk.backlog().count == count)
    // The five that the dead node had done of its page, in another transaction each, were searched for already.
    #expect(run.customers == count - 5 && run.found == count - 5)
    #expect(app.told.lines.count == 15)
  }

  @Test("erased and former customers are passed over, and those whom no flow knows are not")
  func whoIsSearchedFor() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    for id in ["c1", "former-1", "stranger-1"] { try await app.screen(for: id) }
    try await app.screen(for: "c2")
    try await rescreening(app).run()
    try await app.database.write { [screening = app.screening] in try screening.forget("c2", in: $0) }
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening(app).run()
    for (id, cases) in [("c1", 1), ("c2", 0), ("former-1", 0), ("stranger-1", 1)] {
      #expect(try await app.cases(of: id).count == cases, "\(id)")
    }
  }

  @Test("a search that was on its way when the list changed is looked at again")
  func late() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    let old = try await app.source.screen(CaseTestApp.subject)
    try await app.update(CaseTestApp.list, version: "v2")
    try await rescreening(app).run()
    try await app.database.write { [screening = app.screening] in
      _ = try screening.record(old, of: CaseTestApp.subject, for: "c1", in: $0)
    }
    #expect(try await app.cases().isEmpty)
    try await rescreening(app).run()
    #expect(try await app.cases().map(\.state) == [.open])
  }

  @Test("without a list nothing is begun, and a list that cannot be read fails the job")
  func noList() async throws {
    let app = try await CaseTestApp()
    try await rescreening(app).run()
    #expect(try await latestRun(app) == nil)
    let strict = ScreeningSource(
      folder: nil, stored: app.lists, countries: InventedList.countries, required: ["UN"])
    try await app.update(Self.without, version: "v1")
    try await rescreening(app).run()
    let failing = Rescreening(app.core, source: strict, lists: app.lists, customers: [app.flow])
    await #expect(throws: ScreeningFolder.Fault.self) { try await failing.run() }
  }

  @Test("a review that is due is made, in the lists of that day, and the next one is set")
  func reviews() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.without, version: "v1")
    let clean = try await app.screen()
    try await app.screen(for: "former-1")
    app.clock.set("2027-11-25T06:00:00Z")
    try await rescreening(app).review()
    #expect(try await latest(app)?.id == clean.id)
    app.clock.set("2027-11-26T06:00:00Z")
    try await rescreening(app).review()
    let reviewed = try #require(try await latest(app))
    #expect(reviewed.origin == .review && reviewed.status == .clean && reviewed.nextReviewOn?.isoText == "2028-11-26")
    #expect(try await latest(app, "former-1")?.origin == .step)
    let due = try await app.database.read { [screening = app.screening] in
      try screening.due(on: Wall.day("2028-11-25"), limit: 10, in: $0)
    }
    #expect(due.isEmpty)
    try await app.update(CaseTestApp.list, version: "v2")
    app.clock.set("2028-11-26T06:00:00Z")
    try await rescreening(app).review()
    #expect(try await app.cases().map(\.state) == [.open])
    #expect(try await latest(app)?.nextReviewOn == nil)
  }
}

extension Screening.Record {
  /// The same, once another screening has taken its review over.
  fileprivate var reviewedByOther: Screening.Record {
    var record = self
    record.nextReviewOn = nil
    return record
  }
}
