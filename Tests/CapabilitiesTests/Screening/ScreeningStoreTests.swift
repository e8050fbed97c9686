// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: what is kept")
struct ScreeningStoreTests {
  let subject = InventedList.subject("Bartholomew Ashgrove", born: "1964-08-12", nationality: "NZL", document: "AB123")

  struct TestApp {
    let store: TestDatabase
    let screening: Screening
    let clock = AppointmentsClock("2026-11-21T06:00:00Z")

    var database: any SQLDatabase { store.database }

    init() async throws {
      store = try await TestDatabase.make(.current, TestDatabase.migrations(of: ScreeningModule.self))
      let database = store.database
      let vault = try await Vault.open(database, keyring: Keyring(world: clock.world), world: clock.world)
      screening = Screening(vault: vault, world: clock.world)
    }

    @discardableResult
    func record(_ outcome: Screening.Outcome, _ subject: Screening.Subject, for id: String = "c1") async throws
      -> Screening.Record
    {
      try await database.write { [screening] in try screening.record(outcome, of: subject, for: id, in: $0) }
    }

    func dispose(_ record: Screening.Record, _ verdicts: [(Screening.Hit, Screening.Disposition)]) async throws
      -> Screening.Record
    {
      let verdicts = verdicts.map {
        Screening.Verdict(list: $0.0.list, entityID: $0.0.entityID, disposition: $0.1)
      }
      return try await database.write { [screening] in
        try screening.dispose(verdicts, of: record.id, by: "officer-1", in: $0)
      }
    }
  }

  func problem(_ body: () async throws -> Void) async throws -> String? {
    do { try await body() } catch let problem as Problem { return problem.code }
    return nil
  }

  func outcome(_ name: String = "Bartholomew Quindaro Ashgrove") throws -> Screening.Outcome {
    try InventedList.index().screen(InventedList.subject(name), threshold: 0.85)
  }

  func twoHits() throws -> Screening.Outcome {
    let text = "ref,name\n1,Bartholomew Ashgrove\n2,\"Ashgrove, Bartholomew\"\n"
    return ScreeningIndex([try InventedList.list(text)], countries: InventedList.countries)
      .screen(subject, threshold: 0.85)
  }

  @Test("a result is kept with its lists' versions and found again, subject and hits sealed where they lie")
  func roundTrip() async throws {
    let app = try await TestApp()
    let kept = try await app.record(try outcome(), subject)
    #expect(kept.status == .potentialMatch)
    #expect(kept.lists == [.init(code: "WIDE", version: "2026-11-20"), .init(code: "NARROW", version: "7")])
    #expect(kept.threshold == 0.85)
    #expect(kept.nextReviewOn == nil)
    let found = try await app.database.read { try app.screening.latest(for: "c1", in: $0) }
    #expect(found == kept)
    #expect(found?.subject == subject)
    #expect(!kept.isOutdated(by: [.init(code: "NARROW", version: "7")]))
    #expect(kept.isOutdated(by: [.init(code: "NARROW", version: "8")]))
    let row = try await app.database.read { tx in
      let row = try #require(try tx.first("SELECT findings, lists, reference_no, subject_id FROM screening"))
      return (try row.get("findings", as: Data.self), try row.get("lists", as: String.self))
    }
    for word in ["Bartholomew", "Ashgrove", "AB123", "W.1", "1964"] {
      #expect(row.0.range(of: Data(word.utf8)) == nil)
      #expect(!row.1.contains(word))
    }
  }

  @Test("clean is looked at again in a year; a later screening takes that over")
  func reviews() async throws {
    let app = try await TestApp()
    let clean = try await app.record(try outcome("Somebody Else"), subject)
    #expect(clean.status == .clean)
    #expect(clean.nextReviewOn?.isoText == "2027-11-21")
    func due(_ date: String) async throws -> [Screening.Record.ID] {
      try await app.database.read { try app.screening.due(on: Wall.day(date), limit: 10, in: $0).map(\.id) }
    }
    #expect(try await due("2027-11-20").isEmpty)
    #expect(try await due("2027-11-21") == [clean.id])
    app.clock.set("2027-11-21T00:00:00Z")
    let later = try await app.record(try outcome("Somebody Else"), subject)
    #expect(try await due("2028-11-21") == [later.id])
  }

  @Test("an error is kept as an error with its reason and is due for nothing")
  func errors() async throws {
    let app = try await TestApp()
    let kept = try await app.record(.failed(reason: "required lists are missing: UN"), subject)
    #expect(kept.status == .error)
    #expect(kept.failure == "required lists are missing: UN")
    #expect(try await app.database.read { try app.screening.latest(for: "c1", in: $0) } == kept)
    #expect(kept.nextReviewOn == nil)
  }

  @Test("an officer's false positives make it clean, one true match a true match, and both are final")
  func dispositions() async throws {
    let app = try await TestApp()
    let first = try await app.record(try twoHits(), subject)
    try #require(first.hits.count == 2)
    let half = try await app.dispose(first, [(first.hits[0], .falsePositive)])
    #expect(half.status == .potentialMatch)
    let clean = try await app.dispose(first, [(first.hits[1], .falsePositive)])
    #expect(clean.status == .clean)
    #expect(clean.nextReviewOn?.isoText == "2027-11-21")
    #expect(clean.hits.allSatisfy { $0.disposedBy == "officer-1" && $0.disposition == .falsePositive })
    #expect(try await app.dispose(first, [(first.hits[1], .falsePositive)]) == clean)
    #expect(
      try await problem { _ = try await app.dispose(first, [(first.hits[1], .trueMatch)]) }
        == "step-already-completed")

    let second = try await app.record(try twoHits(), subject, for: "c2")
    let matched = try await app.dispose(
      second, [(second.hits[0], .falsePositive), (second.hits[1], .trueMatch)])
    #expect(matched.status == .trueMatch)
    #expect(matched.nextReviewOn == nil)
    #expect(try await app.database.read { try app.screening.find(second.id, in: $0) } == matched)
  }

  @Test("a verdict on an unknown hit, or an invalid verdict, is refused and nothing changes")
  func badVerdicts() async throws {
    let app = try await TestApp()
    let kept = try await app.record(try twoHits(), subject)
    let foreign = Screening.Hit(
      list: "X", entityID: "9", caption: "", score: 1, topics: [], nameScore: 1, dateOfBirth: .none,
      nationality: false, documentNumber: false)
    #expect(
      try await problem {
        _ = try await app.dispose(kept, [(kept.hits[0], .falsePositive), (foreign, .falsePositive)])
      } == "validation-failed")
    #expect(try await problem { _ = try await app.dispose(kept, [(kept.hits[0], .open)]) } == "validation-failed")
    #expect(try await app.database.read { try app.screening.find(kept.id, in: $0) } == kept)
  }

  @Test("a pending search is settled once: a late, repeated or contrary callback changes nothing")
  func callbacks() async throws {
    let app = try await TestApp()
    let pending = try await app.record(.pending(referenceNo: "1581795827563"), subject)
    #expect(pending.status == .pending)
    #expect(pending.screenedAt == nil)
    #expect(try await app.record(.pending(referenceNo: "1581795827563"), subject) == pending)
    func settle(_ status: Screening.Status) async throws -> Screening.Settlement {
      try await app.database.write {
        try app.screening.settle(referenceNo: "1581795827563", as: status, provider: "ACME", in: $0)
      }
    }
    #expect(try await settle(.pending) == .repeated(pending))
    guard case .settled(let settled) = try await settle(.clean) else {
      return #expect(Bool(false), "the first callback did not settle")
    }
    #expect(settled.status == .clean)
    #expect(try await settle(.clean) == .repeated(settled))
    #expect(try await settle(.trueMatch) == .repeated(settled))
    #expect(
      try await problem {
        _ = try await app.database.write {
          try app.screening.settle(referenceNo: "unknown", as: .clean, provider: "ACME", in: $0)
        }
      } == "not-found")
    #expect(
      try await problem { try await app.record(.pending(referenceNo: "1581795827563"), subject, for: "c2") }
        == "provider-error")
  }

  @Test("a provider's match without named hits becomes one that an officer can decide on")
  func providerAlert() async throws {
    let app = try await TestApp()
    try await app.record(.pending(referenceNo: "r-1"), subject)
    let settlement = try await app.database.write {
      try app.screening.settle(referenceNo: "r-1", as: .trueMatch, provider: "ACME", in: $0)
    }
    guard case .settled(let alerted) = settlement else { return #expect(Bool(false), "not settled") }
    #expect(alerted.status == .potentialMatch)
    #expect(alerted.hits.map(\.list) == ["ACME"])
    #expect(try await app.dispose(alerted, [(alerted.hits[0], .trueMatch)]).status == .trueMatch)
  }

  @Test("of ten callbacks at once exactly one settles")
  func race() async throws {
    let app = try await TestApp()
    try await app.record(.pending(referenceNo: "r-1"), subject)
    let settled = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<10 {
        group.addTask {
          let settlement = try await app.database.write {
            try app.screening.settle(
              referenceNo: "r-1", as: number.isMultiple(of: 2) ? .clean : .trueMatch, provider: "ACME", in: $0)
          }
          if case .settled = settlement { return true } else { return false }
        }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(settled == 1)
  }
}
