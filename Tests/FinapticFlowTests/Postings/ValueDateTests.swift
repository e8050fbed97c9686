// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// Tests stand at 2026-11-21.
@Suite("Finaptic: from when on a posting counts")
struct ValueDateTests {
  private struct List: Decodable {
    struct One: Decodable {
      let posting_id: String
      let value_date: String
      let reference: String?
    }

    let postings: [One]
  }

  private static func posting(
    _ desk: FourEyesClients, _ amount: String, on date: String?, purpose: String = "DEPOSIT"
  ) -> FourEyesClients.Posting {
    var posting = FourEyesClients.Posting(desk.account)
    (posting.purpose, posting.value_date) = (purpose, date)
    posting.amount = .init(amount: amount, currency: "CAD")
    return posting
  }

  private static func waiting(_ desk: FourEyesClients) async throws -> [List.One] {
    let answer = try await desk.call("/postings/scheduled", nil, as: desk.maker)
    return try JSONDecoder().decode(List.self, from: answer.body).postings
  }

  private static func withdraw(_ id: String, _ desk: FourEyesClients) async throws -> Int {
    try await desk.call(
      "/postings/scheduled/\(id)/withdrawal", ["reason": "BANK_ERROR"], as: desk.maker, once: FourEyesClients.key()
    ).status
  }

  @Test("one to come waits, is booked once when its day begins, by several nodes too, and can be withdrawn before")
  func toCome() async throws {
    try await CardTestApp.run { app in
      let (desk, due) = (try await FourEyesClients(app), app.dependencies.scheduledPostings)
      let (posting, key) = (Self.posting(desk, "100.00", on: "2026-11-24"), FourEyesClients.key())
      let made = try await desk.post(posting, once: key)
      #expect(made.status == 201 && made.answer?.status == "SCHEDULED")
      let id = try #require(made.answer?.posting_id)
      #expect(try await desk.post(posting, once: key).answer?.posting_id == id)
      let other = Self.posting(desk, "100.00", on: "2026-11-25")
      #expect(try await desk.problem(other, once: key) == "409 idempotency-conflict")
      let second = try #require(try await desk.post(other, once: FourEyesClients.key()).answer?.posting_id)
      let short = Self.posting(desk, "900.00", on: "2026-11-24", purpose: "WITHDRAWAL")
      let shortKey = FourEyesClients.key()
      #expect(try await desk.post(short, once: shortKey).status == 201)
      #expect(try await Self.waiting(desk).map(\.value_date) == ["2026-11-24", "2026-11-24", "2026-11-25"])
      #expect(try await Self.waiting(desk).allSatisfy { $0.reference == "WIRE 4711" })
      #expect(try await Self.withdraw(second, desk) == 201)
      #expect(try await Self.withdraw(second, desk) == 201)
      app.accounts.clock.advance(by: .days(2))
      #expect(try await due.bookDue(of: CardTestApp.tenant).ended == 0)
      #expect(try await desk.balance() == 0)
      app.accounts.clock.advance(by: .days(1))
      let ended = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await due.bookDue(of: CardTestApp.tenant).ended } }
        return try await group.reduce(0, +)
      }
      #expect(ended == 2)
      #expect(try await desk.balance() == 100_00)
      let booked = try await desk.post(posting, once: key)
      #expect(booked.status == 201 && booked.answer?.status == "BOOKED")
      #expect(try await desk.post(short, once: shortKey).answer?.status == "DECLINED")
      #expect(try await Self.withdraw(id, desk) == 409)
      #expect(try await Self.waiting(desk).isEmpty)
      app.accounts.clock.advance(by: .days(2))
      #expect(try await app.dependencies.dayEnd.run().posted == 0)
      #expect(try await desk.balance() == 100_00)
      let story = try await app.accounts.story(chain: "account-\(desk.account)")
      #expect(story.count(where: { $0 == "finaptic.posting.scheduled" }) == 3)
      for event in ["booked", "declined", "withdrawn"] {
        #expect(story.count(where: { $0 == "finaptic.scheduledPosting.\(event)" }) == 1)
      }
    }
  }

  @Test("the second person's word holds for that day only, and limits count when it is ordered")
  func bound() async throws {
    try await CardTestApp.run { app in
      let (desk, tenant) = (try await FourEyesClients(app), CardTestApp.tenant)
      let (posting, key) = (Self.posting(desk, "10000.01", on: "2026-11-24"), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      let list = try await desk.call("/approvals", nil, as: desk.checker)
      let content = try JSONDecoder().decode(FourEyesClients.Approvals.self, from: list.body).approvals.first?.content
      #expect(content?.contains("value date 2026-11-24") == true)
      #expect(try await desk.decide(approval) == 200)
      for date in ["2026-11-23", nil] {
        let other = Self.posting(desk, "10000.01", on: date)
        #expect(try await desk.problem(other, once: key) == "409 idempotency-conflict")
      }
      #expect(try await desk.post(posting, once: key).status == 201)
      try await app.dependencies.fourEyes.setLimit(
        .init(posting: nil, day: 150_00), of: "clients", tenant: tenant, by: "test")
      let small = Self.posting(desk, "100.00", on: "2026-11-24")
      #expect(try await desk.post(small, once: FourEyesClients.key()).status == 201)
      #expect(try await desk.problem(small, once: FourEyesClients.key()) == "403 over-limit")
      app.accounts.clock.advance(by: .days(3))
      #expect(try await app.dependencies.dayEnd.run().posted == 2)
      #expect(try await desk.balance() == 10_100_01)
      #expect(try await desk.post(Self.posting(desk, "150.00", on: nil), once: FourEyesClients.key()).status == 200)
    }
  }

  @Test("one of before is booked now and counts from its day; no day before the account, too far back or ahead")
  func before() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      for date in ["2026-11-20", "2027-11-23", "2026-02-30", "24.11.2026", ""] {
        let wrong = try await desk.problem(Self.posting(desk, "1.00", on: date), once: FourEyesClients.key())
        #expect(wrong.hasPrefix("422 "), "\(date)")
      }
      app.accounts.clock.advance(by: .days(5))
      let (posting, key) = (Self.posting(desk, "100.00", on: "2026-11-22"), FourEyesClients.key())
      let booked = try await desk.post(posting, once: key)
      #expect(booked.status == 200 && booked.answer?.status == "BOOKED")
      app.accounts.clock.advance(by: .days(60))
      // Too long ago for a new one; the same call has the same answer.
      #expect(try await desk.post(posting, once: key).answer?.transaction_id == booked.answer?.transaction_id)
      #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 422)
      let id = try #require(booked.answer?.transaction_id)
      let transfer = try await app.database.read { try LedgerStore($0).transfer(.init(rawValue: id)) }
      #expect(transfer?.valueDay == WireDate("2026-11-22").map { Int64($0.daysSince1970) })
    }
  }

  @Test("an erasure empties the reference of one that waits, and a closed account takes no other")
  func erased() async throws {
    try await CardTestApp.run { app in
      let (desk, tenant) = (try await FourEyesClients(app), CardTestApp.tenant)
      let posting = Self.posting(desk, "1.00", on: "2026-11-24")
      #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 201)
      let account = try await app.database.read { try AccountStore($0).find(desk.account, tenant: tenant) }
      let owner = try #require(account?.owners.first)
      _ = try await app.dependencies.erasure.erase(
        owner, tenant: tenant, reason: .ended, by: "test", despiteDuty: true)
      let kept = try await app.database.read { tx in
        try tx.query("SELECT sealed_reference FROM finaptic_scheduled_posting").map {
          try $0.get("sealed_reference", as: Data.self)
        }
      }
      #expect(kept == [Data()])
      #expect(try await desk.problem(posting, once: FourEyesClients.key()) == "409 account-closed")
    }
  }

  @Test("one that cannot be read stops no other, and is told")
  func stuck() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      for amount in ["1.00", "2.00"] {
        let posting = Self.posting(desk, amount, on: "2026-11-22")
        #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 201)
      }
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_scheduled_posting SET purpose = 'OTHER' WHERE amount = 100")
      }
      app.accounts.clock.advance(by: .days(2))
      for ended in [1, 0] {
        let due = try await app.dependencies.scheduledPostings.bookDue(of: CardTestApp.tenant)
        #expect(due.ended == ended)
        #expect(due.stuck == [.init(account: desk.account.rawValue, reason: "SQLError")])
      }
      #expect(try await desk.balance() == 2_00)
    }
  }
}
