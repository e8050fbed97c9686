// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Identity
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: the most that a caller books")
struct PostingLimitTests {
  @Test("no caller books more than their limit at once or on a day, no matter who agrees, in the order of commits")
  func limits() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let (fourEyes, tenant) = (app.dependencies.fourEyes, CardTestApp.tenant)
      var posting = FourEyesClients.Posting(desk.account)
      let post = { @Sendable (amount: String) in
        var asked = FourEyesClients.Posting(desk.account)
        asked.amount = .init(amount: amount, currency: "CAD")
        return try await desk.post(asked, once: FourEyesClients.key()).status
      }
      try await fourEyes.setLimit(.init(posting: 100_00, day: 250_00), of: "clients", tenant: tenant, by: "test")
      #expect(try await post("100.01") == 403)
      // A second one is not asked for what could not be booked.
      posting.amount = .init(amount: "20000.00", currency: "CAD")
      #expect(try await desk.problem(posting, once: FourEyesClients.key()) == "403 over-limit")
      let booked = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<5 { group.addTask { try await post("100.00") } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(booked.count(where: { $0 == 200 }) == 2 && booked.count(where: { $0 == 403 }) == 3)
      #expect(try await desk.balance() == 200_00)
      #expect(try await post("50.00") == 200)
      #expect(try await post("0.01") == 403)
      // The next day begins anew; a caller's own limit is the one that counts.
      app.accounts.clock.advance(by: .hours(24))
      posting.purpose = "WITHDRAWAL"
      posting.amount = .init(amount: "99.00", currency: "CAD")
      #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 200)
      #expect(try await post("100.00") == 200)
      try await fourEyes.setLimit(
        .init(posting: nil, day: nil), of: desk.maker.client.actor, tenant: tenant, by: "test")
      #expect(try await post("300.00") == 200)
      #expect(try await desk.balance() == 250_00 - 99_00 + 100_00 + 300_00)
      await #expect(throws: Problem.self) {
        try await fourEyes.setLimit(.init(posting: 1, day: 1), of: "anyone", tenant: tenant, by: "test")
      }
      // Where nothing is set, clients and staff in production have a bound: the tenant here is a sandbox.
      let standard = try await app.database.read { tx in
        let production = AccountTestApp.otherTenant
        return try [("client:a", production), ("agent:a", production), ("client:a", tenant)].map {
          try PostingLimitStore(tx).limit(of: $0, in: "EUR", tenant: $1)?.day
        }
      }
      #expect(standard == [PostingLimit.standardDay, PostingLimit.standardDay, nil])
      try await fourEyes.setLimit(
        .init(posting: nil, day: nil), of: "clients", in: "EUR", tenant: AccountTestApp.otherTenant, by: "test")
      let lifted = try await app.database.read {
        try PostingLimitStore($0).limit(of: "client:a", in: "EUR", tenant: AccountTestApp.otherTenant)
      }
      #expect(lifted == PostingLimit(posting: nil, day: nil))
    }
  }

  @Test("what is held counts against the day, and a release gives nothing back to it")
  func holds() async throws {
    struct Hold: Encodable {
      let account_id: String
      let amount: FinapticAPI.Amount
      let reason = "LEGAL_ORDER"
    }
    struct Reason: Encodable { let reason = "LEGAL_ORDER" }
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      try await app.deposit(100_00, on: desk.account)
      try await app.dependencies.fourEyes.setLimit(
        .init(posting: nil, day: 50_00), of: "clients", tenant: CardTestApp.tenant, by: "test")
      func hold(_ amount: String, once key: String = FourEyesClients.key()) async throws -> CardTestApp.Answer {
        try await desk.call(
          "/postings/holds",
          Hold(account_id: desk.account.rawValue, amount: .init(amount: amount, currency: "CAD")), as: desk.maker,
          once: key)
      }
      let key = FourEyesClients.key()
      let first = try await hold("30.00", once: key)
      #expect(first.status == 200)
      #expect(try await hold("30.00", once: key).status == 200, "the same hold counts once")
      #expect(try await hold("20.01").status == 403)
      let id = try JSONDecoder().decode(FourEyesClients.Answer.self, from: first.body).transaction_id ?? ""
      let released = try await desk.call(
        "/postings/holds/\(id)/release", Reason(), as: desk.maker, once: FourEyesClients.key())
      #expect(released.status == 200)
      #expect(try await hold("20.01").status == 403)
      #expect(try await hold("20.00").status == 200)
      var posting = FourEyesClients.Posting(desk.account)
      posting.amount = .init(amount: "0.01", currency: "CAD")
      #expect(try await desk.problem(posting, once: FourEyesClients.key()) == "403 over-limit")
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await hold("20.01").status == 200)
    }
  }

  @Test("a client in production books the standard day and no more")
  func standardDay() async throws {
    try await CardTestApp.run { app in
      let (desk, tenant) = (try await FourEyesClients(app), CardTestApp.tenant)
      try await app.dependencies.fourEyes.setAmount(PostingLimit.standardDay, of: tenant, by: "test")
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_tenant SET kind = 'production' WHERE id = \(tenant)")
      }
      var posting = FourEyesClients.Posting(desk.account)
      posting.amount = .init(amount: "1000000.00", currency: "CAD")
      #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 200)
      posting.amount = .init(amount: "0.01", currency: "CAD")
      #expect(try await desk.problem(posting, once: FourEyesClients.key()) == "403 over-limit")
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await desk.post(posting, once: FourEyesClients.key()).status == 200)
    }
  }
}
