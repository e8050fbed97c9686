// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

/// A store with lists of its own, customers, and a desk.
struct CaseTestApp {
  static let bank = TenantID("rubix", "default")
  static let subject = InventedList.subject("Ansgar Quillon Driftwell", born: "1964-08-12")
  static let list = "ref,name,dob,remarks\n1,Ansgar Quillon Driftwell,1964-08-12,first\n2,Ottilie Vanterpoole,1948,\n"

  let store: TestDatabase
  let core: CoreDependencies
  let lists: ScreeningLists
  let source: ScreeningSource
  let clock = AppointmentsClock("2026-11-26T06:00:00Z")
  /// Those of `customers` are known to the flow.
  let desk: ScreeningCaseService
  let flow: ScreenedPeople
  let told = Told()
  /// Which objects of lists were read.
  let read = Told()
  /// What the work queue was told.
  let work = RecordedCases()

  var screening: Screening { Screening(core) }
  var database: any SQLDatabase { store.database }

  /// What the flow was told.
  final class Told: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    func note(_ line: String) { kept.withLock { $0.append(line) } }
  }

  init(needsTwo: Bool = false, policy: MatchingPolicy = .standard) async throws {
    store = try await TestDatabase.make(.current, TestDatabase.migrations(of: ScreeningModule.self))
    let vault = try await TestVault.open(store.database, clock.world)
    let (memory, read) = (MemoryBlobs(clock.world).blobs, read)
    let blobs = Blobs(
      put: memory.put,
      get: { key in
        read.note(key)
        return try await memory.get(key)
      },
      delete: memory.delete, putStream: memory.putStream, getStream: memory.getStream, list: memory.list,
      sweepUnfinished: memory.sweepUnfinished, check: memory.check)
    core = CoreDependencies(database: store.database, world: clock.world, vault: vault, blobs: blobs, cases: work)
    lists = ScreeningLists(core)
    source = ScreeningSource(folder: nil, stored: lists, countries: InventedList.countries, policy: policy)
    let told = told
    flow = ScreenedPeople(
      find: { id, _ in
        id.hasPrefix("stranger")
          ? nil
          : .init(
            tenant: Self.bank, needsTwo: needsTwo, isScreened: !id.hasPrefix("former"),
            queue: .init(tenant: Self.bank.name, email: "\(id)@example.com"))
      },
      found: { record, _ in told.note("found \(record.subjectID)") },
      decided: { id, status, actor in
        told.note("decided \(id) \(status.rawValue) \(actor)")
      })
    desk = ScreeningCaseService(core, customers: [flow])
  }

  func update(_ text: String, version: String, code: String = "OWN") async throws {
    let file = ListReader.File(name: "own.csv", bytes: Data(text.utf8))
    let readings = try ListReader.read(
      [file], code: code, version: version, fallback: "2026-11-26", countries: InventedList.countries)
    _ = try await lists.update(readings, takesShrunk: true, by: "operator:test")
  }

  @discardableResult
  func screen(
    _ subject: Screening.Subject = CaseTestApp.subject, for id: String = "c1", origin: Screening.Origin = .step
  ) async throws -> Screening.Record {
    let outcome = try await source.screen(subject)
    return try await database.write { [screening] in
      try screening.record(outcome, of: subject, for: id, origin: origin, in: $0)
    }
  }

  func cases(of id: String = "c1") async throws -> [Screening.Case] {
    try await database.read { [screening] in try screening.cases(of: id, in: $0) }
  }

  func record(_ id: Screening.Record.ID) async throws -> Screening.Record? {
    try await database.read { [screening] in try screening.find(id, in: $0) }
  }

  func owed() async throws -> [String] {
    try await database.read { try $0.query("SELECT topic FROM outbox ORDER BY id").map { try $0.get("topic") } }
  }

  func audited(_ item: Screening.Case) async throws -> [String] {
    try await database.read { try AuditStore($0).lines(of: item.auditChain, after: 0, limit: 100).map(\.action) }
  }
}

@Suite("Screening: the life of a hit")
struct ScreeningCaseTests {
  private let other = Screening.Judgement(.falsePositive, reason: .otherBirthDate, text: "Another year of birth.")
  private let same = Screening.Judgement(.trueMatch, text: "The passport is the listed one.")

  private func code(_ body: () async throws -> Void) async throws -> String? {
    do { try await body() } catch let problem as Problem { return problem.code }
    return nil
  }

  @Test("a hit opens one case, which waits since then and lies sealed; a false positive clears the customer")
  func falsePositive() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    let record = try await app.screen()
    let item = try #require(try await app.cases().first)
    #expect(item.state == .open && item.waitsSince == app.clock.world.now() && item.screeningID == record.id)
    #expect(try await app.desk.backlog().count == 1)
    let bytes = try await app.database.read { tx in
      let row = try #require(try tx.first("SELECT particulars, entry_key, entry_digest FROM screening_case"))
      return try (row.get("particulars", as: Data.self), row.get("entry_key", as: String.self))
    }
    #expect(bytes.0.range(of: Data("Driftwell".utf8)) == nil && !bytes.1.contains("OWN"))

    let decided = try await app.desk.judge(item.id, other, by: "agent:1").item
    #expect(decided.state == .falsePositive && decided.decidedBy == "agent:1" && decided.waitsSince == nil)
    #expect(decided.notes.map(\.text) == ["Another year of birth."] && decided.notes[0].reason == .otherBirthDate)
    let kept = try #require(try await app.record(record.id))
    #expect(kept.status == .clean && kept.nextReviewOn?.isoText == "2027-11-26")
    #expect(kept.hits.map(\.disposition) == [.falsePositive] && kept.hits[0].disposedBy == "agent:1")
    #expect(app.told.lines == ["decided c1 clear agent:1"])
    #expect(try await app.audited(item) == ["screening.case_opened", "screening.case_judged"])
    #expect(try await code { _ = try await app.desk.judge(item.id, same, by: "agent:1") } == "step-already-completed")
  }

  @Test("a true match stays one, whatever the list says later")
  func trueMatch() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    let record = try await app.screen()
    let item = try #require(try await app.cases().first)
    #expect(try await app.desk.judge(item.id, same, by: "agent:1").item.state == .trueMatch)
    #expect(try await app.record(record.id)?.status == .trueMatch)
    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v2")
    #expect(try await app.screen().status == .trueMatch)
    #expect(try await app.cases().map(\.state) == [.trueMatch])
  }

  @Test("a false positive does not return until the entry or what is known of the customer changes")
  func goodGuys() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    let item = try #require(try await app.cases().first)
    _ = try await app.desk.judge(item.id, other, by: "agent:1")
    // Another version of the list with the same entry.
    try await app.update(CaseTestApp.list.replacing("1948", with: "1949"), version: "v2")
    let again = try await app.screen(origin: .listChange)
    #expect(again.status == .clean && again.hits.map(\.disposition) == [.falsePositive])
    #expect(try await app.cases().map(\.state) == [.falsePositive])
    #expect(try await app.owed().isEmpty)

    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v3")
    #expect(try await app.screen(origin: .listChange).status == .potentialMatch)
    #expect(try await app.cases().map(\.state) == [.open])
    #expect(try await app.owed() == ["screening.alert"])
    _ = try await app.desk.judge(item.id, other, by: "agent:2")
    let born = InventedList.subject("Ansgar Quillon Driftwell", born: "1964-08-13")
    #expect(try await app.screen(born).status == .potentialMatch)
    #expect(try await app.cases().map(\.state) == [.open])
    // Another customer of the same name is another question.
    #expect(try await app.screen(for: "c2").status == .potentialMatch)
  }

  @Test("two persons decide: the second one differs, and approves one action on one hit in one version")
  func fourEyes() async throws {
    let app = try await CaseTestApp(needsTwo: true)
    try await app.update(CaseTestApp.list, version: "v1")
    let record = try await app.screen()
    let id = try #require(try await app.cases().first).id
    func approve(_ disposition: Screening.Disposition, _ version: Int, by actor: String) async throws -> String? {
      try await code { _ = try await app.desk.approve(id, disposition, version: version, by: actor) }
    }
    #expect(try await approve(.falsePositive, 1, by: "agent:2") == "no-proposal")
    let proposed = try await app.desk.judge(id, other, by: "agent:1").item
    #expect(proposed.state == .awaitingApproval && proposed.proposal == .falsePositive && proposed.version == 2)
    #expect(proposed.waitsSince != nil)
    #expect(try await app.record(record.id)?.status == .potentialMatch)
    #expect(app.told.lines.isEmpty)
    #expect(try await code { _ = try await app.desk.judge(id, same, by: "agent:2") } == "awaiting-approval")
    #expect(try await approve(.falsePositive, 2, by: "agent:1") == "same-person")
    #expect(try await approve(.trueMatch, 2, by: "agent:2") == "case-changed")
    #expect(try await approve(.falsePositive, 1, by: "agent:2") == "case-changed")
    #expect(try await app.cases().map(\.version) == [2])

    // What changes under the approver's eyes is not approved.
    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v2")
    try await app.screen(origin: .listChange)
    #expect(try await approve(.falsePositive, 2, by: "agent:2") == "no-proposal")
    let second = try await app.desk.judge(id, other, by: "agent:1").item
    let returned = try await app.desk.giveBack(id, version: second.version, text: "Look again.", by: "agent:2").item
    #expect(returned.state == .open && returned.proposal == nil && returned.proposedBy == nil)
    let third = try await app.desk.judge(id, other, by: "agent:2").item
    #expect(try await approve(.falsePositive, third.version, by: "agent:1") == nil)
    let decided = try #require(try await app.cases().first)
    #expect(decided.state == .falsePositive && decided.proposedBy == "agent:2" && decided.decidedBy == "agent:1")
    #expect(app.told.lines == ["decided c1 clear agent:1"])
  }

  @Test("of two analysts at once one decides, and the other is told")
  func race() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    let id = try #require(try await app.cases().first).id
    let refused = try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<6 {
        group.addTask { [other, same] in
          do {
            _ = try await app.desk.judge(id, number.isMultiple(of: 2) ? other : same, by: "agent:\(number)")
            return nil
          } catch let problem as Problem { return problem.code }
        }
      }
      return try await group.reduce(into: [String?]()) { $0.append($1) }
    }
    #expect(refused.count { $0 == nil } == 1)
    #expect(refused.compactMap(\.self).allSatisfy { $0 == "step-already-completed" })
    #expect(try await app.cases()[0].notes.count == 1)
  }

  @Test("no decision without a text and a reason of the catalogue, and none for another institution's customer")
  func refused() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    let id = try #require(try await app.cases().first).id
    for judgement in [
      Screening.Judgement(.falsePositive, reason: .nameOnly, text: "  "), .init(.falsePositive, text: "Another one."),
      .init(.open, text: "?"), .init(.trueMatch, reason: .nameOnly, text: "The same."),
      .init(.trueMatch, text: String(repeating: "x", count: 2001)),
      // Each line's end is one of Swift's characters and two of a schema's.
      .init(.trueMatch, text: "x" + String(repeating: "\r\n", count: 1000)),
    ] {
      #expect(try await code { _ = try await app.desk.judge(id, judgement, by: "agent:1") } == "validation-failed")
    }
    let far = TenantID("rubix", "other")
    #expect(try await code { _ = try await app.desk.judge(id, other, of: far, by: "agent:9") } == "not-found")
    #expect(
      try await code {
        _ = try await app.desk.judge(id, other, by: "agent:1", under: OwnCase())
      } == "forbidden")
    #expect(try await app.cases().map(\.state) == [.open])
    #expect(try await app.desk.waiting(of: far, by: "agent:9").isEmpty)
  }

  @Test("a verdict is on the version of the case that was looked at")
  func version() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    let seen = try #require(try await app.cases().first)
    try await app.update(CaseTestApp.list.replacing("first", with: "second"), version: "v2")
    try await app.screen(origin: .listChange)
    #expect(
      try await code { _ = try await app.desk.judge(seen.id, other, version: seen.version, by: "agent:1") }
        == "case-changed")
    let changed = try #require(try await app.cases().first)
    #expect(changed.state == .open && changed.version == seen.version + 1 && changed.notes.isEmpty)
    let judged = try await app.desk.judge(seen.id, other, version: changed.version, by: "agent:1")
    #expect(judged.item.state == .falsePositive)
  }

  @Test("entries with one reference are two questions, in two lists and in one, each with its own answer")
  func sharedReference() async throws {
    let app = try await CaseTestApp()
    let twice = CaseTestApp.list + "1,Ansgar Quillon Driftwel,1964-08-12,brother\n"
    try await app.update(twice, version: "v1")
    try await app.update(CaseTestApp.list, version: "v1", code: "OTHER")
    let record = try await app.screen()
    #expect(record.hits.map(\.entityID) == ["1", "1", "1"])
    let cases = try await app.cases()
    #expect(cases.count == 3 && Set(cases.map(\.hit.entryKey)).count == 3)
    let brother = try #require(cases.first { $0.hit.caption == "Ansgar Quillon Driftwel" })
    _ = try await app.desk.judge(brother.id, other, by: "agent:1")
    let kept = try #require(try await app.record(record.id))
    #expect(kept.hits.filter { $0.disposition == .falsePositive }.map(\.caption) == ["Ansgar Quillon Driftwel"])
    #expect(kept.status == .potentialMatch)
    // Found again, neither asks anew: each case stands beside its own entry.
    try await app.screen(origin: .listChange)
    let after = try await app.cases()
    #expect(after.map(\.version) == after.map { $0.id == brother.id ? 2 : 1 })
    #expect(after.count { $0.state == .falsePositive } == 1)
    // An interface that names list and reference only decides on all entries that have them.
    let verdicts = ["OWN", "OTHER"].map {
      Screening.Verdict(list: $0, entityID: "1", disposition: .falsePositive)
    }
    let decided = try await app.database.write { [screening = app.screening] tx in
      let latest = try #require(try screening.latest(for: "c1", in: tx))
      return try screening.dispose(verdicts, of: latest.id, by: "agent:1", in: tx)
    }
    #expect(decided.status == .clean)
    #expect(try await app.cases().allSatisfy { $0.state == .falsePositive })
  }

  @Test("cases of other institutions, however many and old, hide none of one's own")
  func queueOfOne() async throws {
    let far = TenantID("rubix", "far")
    let app = try await CaseTestApp()
    let desk = ScreeningCaseService(
      app.core,
      customers: [
        ScreenedPeople(find: { id, _ in
          .init(tenant: id.hasPrefix("far") ? far : CaseTestApp.bank, needsTwo: false, isScreened: true)
        })
      ])
    try await app.update(CaseTestApp.list, version: "v1")
    for number in 0..<ScreeningCaseService.pageMax + 7 { try await app.screen(for: "far-\(number)") }
    app.clock.set("2026-11-26T07:00:00Z")
    for id in ["c1", "c2"] { try await app.screen(for: id) }
    let mine = try await desk.waiting(of: CaseTestApp.bank, by: "agent:1")
    #expect(Set(mine.map(\.item.subjectID)) == ["c1", "c2"])
    #expect(try await desk.waiting(of: CaseTestApp.bank, limit: 1, by: "agent:1").count == 1)
    #expect(try await desk.waiting(of: far, by: "agent:1").count == ScreeningCaseService.pageMax)
    #expect(try await desk.waiting(limit: 3, by: "agent:1").count == 3)
  }

  @Test("an erased customer leaves no case")
  func erased() async throws {
    let app = try await CaseTestApp()
    try await app.update(CaseTestApp.list, version: "v1")
    try await app.screen()
    try await app.database.write { [screening = app.screening] in try screening.forget("c1", in: $0) }
    #expect(try await app.cases().isEmpty)
    #expect(try await app.desk.backlog().count == 0)
  }
}
