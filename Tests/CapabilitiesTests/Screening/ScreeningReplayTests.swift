// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: a kept answer is searched for again")
struct ScreeningReplayTests {
  private struct TestApp {
    let store: TestDatabase
    let lists: ScreeningLists
    let screening: Screening
    let policy: MatchingPolicy
    let clock = AppointmentsClock("2026-11-26T06:00:00Z")

    init(policy: MatchingPolicy = .standard) async throws {
      self.policy = policy
      store = try await TestDatabase.make(.current, TestDatabase.migrations(of: ScreeningModule.self))
      let vault = try await TestVault.open(store.database, clock.world)
      lists = ScreeningLists(
        CoreDependencies(
          database: store.database, world: clock.world, vault: vault, blobs: MemoryBlobs(clock.world).blobs))
      screening = Screening(vault: vault, world: clock.world)
    }

    func update(_ text: String, version: String) async throws {
      let file = ListReader.File(name: "own.csv", bytes: Data(text.utf8))
      let readings = try ListReader.read(
        [file], code: "OWN", version: version, fallback: "2026-11-26", countries: InventedList.countries)
      _ = try await lists.update(readings, takesShrunk: true, by: "operator:test")
    }

    /// Searches the lists of now, and keeps the answer.
    func screen(_ subject: Screening.Subject) async throws -> Screening.Record {
      let provider = ScreeningProvider.lists(
        folder: nil, stored: lists, countries: InventedList.countries, policy: policy)
      return try await keep(await provider.screen(subject), of: subject)
    }

    func keep(_ outcome: Screening.Outcome, of subject: Screening.Subject) async throws -> Screening.Record {
      let record = try await store.database.write { [screening] in
        try screening.record(outcome, of: subject, for: "c1", in: $0)
      }
      let kept = try await store.database.read { [screening] tx in try screening.find(record.id, in: tx) }
      return try #require(kept)
    }

    /// - Parameter policy: of today.
    func replay(_ record: Screening.Record, policy: MatchingPolicy = .standard) async throws -> ScreeningReplay {
      try await ScreeningReplay(of: record, lists: lists, countries: InventedList.countries, policy: policy)
    }
  }

  private static let first = "ref,name,dob\n1,Ansgar Quillon Driftwell,1964-08-12\n2,Ottilie Vanterpoole,1948\n"
  private static let subject = InventedList.subject("Ansgar Quilon Driftwell", born: "1964-08-12")

  @Test("after three updates of the list and another policy, the answer of then comes again")
  func again() async throws {
    var then = MatchingPolicy.standard
    (then.threshold, then.exactDate) = (0.80, 0.05)
    let app = try await TestApp(policy: then)
    try await app.update(Self.first, version: "v1")
    let hit = try await app.screen(Self.subject)
    let clean = try await app.screen(InventedList.subject("Wilhelmina Sauerbrey"))
    #expect(hit.hits.map(\.entityID) == ["1"] && clean.status == .clean)
    #expect(try hit.matcher == Screening.Matcher(then) && hit.threshold == 0.80)
    for (number, name) in ["Ansgar Driftwell", "Wilhelmina Sauerbrey", "Nemo Nullmann"].enumerated() {
      try await app.update("ref,name,dob\n\(number + 5),\(name),\n", version: "v\(number + 2)")
    }
    for record in [hit, clean] {
      let replay = try await app.replay(record)
      #expect(replay.isEqual && replay.isMatcherKept && replay.isMatcherSame)
      #expect(replay.hits == record.hits && replay.matcher == record.matcher)
    }
    #expect(try await app.screen(Self.subject).hits.isEmpty)
  }

  @Test("what officers made of the hits does not count; a hit that was changed does")
  func changed() async throws {
    let app = try await TestApp()
    try await app.update(Self.first, version: "v1")
    let record = try await app.screen(Self.subject)
    let decided = try await app.store.database.write { [screening = app.screening] in
      let verdict = Screening.Verdict(list: "OWN", entityID: "1", disposition: .falsePositive)
      return try screening.dispose([verdict], of: record.id, by: "agent:1", in: $0)
    }
    #expect(decided.status == .clean && decided.matcher == record.matcher)
    #expect(try await app.replay(decided).isEqual)
    #expect(try await !app.replay(decided).differsInWords)

    let hit = try #require(record.hits.first)
    func found(_ score: Double, _ explanation: MatchExplanation?) -> Screening.Hit {
      Screening.Hit(
        list: hit.list, entityID: hit.entityID, caption: hit.caption, score: score, topics: hit.topics,
        nameScore: hit.nameScore, dateOfBirth: hit.dateOfBirth, nationality: hit.nationality,
        documentNumber: hit.documentNumber, explanation: explanation)
    }
    let reworded = found(hit.score, MatchExplanation(name: ["As matcher 16 said it."], confirms: [], contradicts: []))
    for (hits, isOfWords) in [
      ([], false), ([found(hit.score - 0.01, hit.explanation)], false), ([hit, hit], false), ([reworded], true),
    ] {
      var report = Screening.Report(lists: record.lists, threshold: 0.85, hits: hits)
      report.matcher = record.matcher
      let replay = try await app.replay(app.keep(.screened(report), of: Self.subject))
      #expect(!replay.isEqual && replay.differsInWords == isOfWords)
    }
  }

  @Test("a screening from before the matcher was kept is searched for by the policy of today and its own threshold")
  func older() async throws {
    let app = try await TestApp()
    try await app.update(Self.first, version: "v1")
    let record = try await app.screen(Self.subject)
    let older = try await app.keep(
      .screened(Screening.Report(lists: record.lists, threshold: 0.85, hits: record.hits)), of: Self.subject)
    #expect(older.matcher == nil)
    var today = MatchingPolicy.standard
    today.threshold = 1
    let replay = try await app.replay(older, policy: today)
    #expect(replay.isEqual && !replay.isMatcherKept && !replay.isMatcherSame)
  }

  @Test("what cannot be searched for again is told, and never equal")
  func faults() async throws {
    let app = try await TestApp()
    try await app.update(Self.first, version: "v1")
    let hits = try await app.screen(Self.subject).hits
    func report(_ version: String, policy: String? = nil) throws -> Screening.Outcome {
      var report = Screening.Report(lists: [.init(code: "OWN", version: version)], threshold: 0.85, hits: hits)
      report.matcher = try policy.map {
        try JSONDecoder().decode(
          Screening.Matcher.self, from: JSONEncoder().encode(["version": "0", "policy": $0]))
      }
      return .screened(report)
    }
    let outcomes: [(Screening.Outcome, String)] = [
      (.failed(reason: "there is no list to search"), "no answer from lists"),
      (.pending(referenceNo: "r-1"), "no answer"),
      (try report("v0"), "OWN v0 is not in the store"), (try report("v1", policy: #"{"wit":1}"#), "policy of then"),
    ]
    for (outcome, words) in outcomes {
      let record = try await app.keep(outcome, of: Self.subject)
      let fault = await #expect(throws: ScreeningReplay.Fault.self) { try await app.replay(record) }
      #expect(fault?.description.contains(words) == true)
    }
    let other = try await app.keep(try report("v1", policy: "{}"), of: Self.subject)
    let replay = try await app.replay(other)
    #expect(replay.isEqual && replay.isMatcherKept && !replay.isMatcherSame)
  }
}
