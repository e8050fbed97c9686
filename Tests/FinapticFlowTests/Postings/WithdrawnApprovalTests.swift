// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: what was asked of a second person is taken back by who asked")
struct WithdrawnApprovalTests {
  @Test("nothing is booked, others cannot take it back, and the same key says why it is over")
  func whole() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let other = try await app.accounts.app.addFinapticClient(
        .post, "other", tenant: CardTestApp.tenant, by: "operator")
      let foreign = try await app.accounts.app.addFinapticClient(
        .post, "core", tenant: AccountTestApp.otherTenant, by: "operator")
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      for stranger in [desk.checker, other, foreign] {
        #expect(try await desk.withdraw(approval, as: stranger) == 404)
      }
      #expect(try await desk.withdraw(FourEyesClients.key()) == 404)
      #expect(try await desk.withdraw(approval) == 200)
      #expect(try await desk.withdraw(approval) == 409)
      #expect(try await desk.decide(approval) == 409)
      #expect(try await desk.problem(posting, once: key) == "409 approval-withdrawn")
      let list = try await desk.call("/approvals", nil, as: desk.checker)
      #expect(!list.json.contains(approval))
      #expect(try await desk.balance() == 0)
      let lines = try await app.database.read { try AuditStore($0).lines(of: "approval-\(approval)") }
      #expect(lines.map(\.action) == ["approval.asked", "approval.withdrawn"])
      #expect(lines.allSatisfy { $0.actor == desk.maker.client.actor })
    }
  }

  @Test("also what was agreed to, as long as it is not booked; and not what was refused, booked or is too old")
  func states() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let posting = FourEyesClients.Posting(desk.account)
      let keys = (0..<4).map { _ in FourEyesClients.key() }
      let agreed = try await desk.ask(posting, once: keys[0])
      #expect(try await desk.decide(agreed) == 200)
      #expect(try await desk.withdraw(agreed) == 200)
      #expect(try await desk.problem(posting, once: keys[0]) == "409 approval-withdrawn")
      let refused = try await desk.ask(posting, once: keys[1])
      #expect(try await desk.decide(refused, "refused") == 200)
      #expect(try await desk.withdraw(refused) == 409)
      #expect(try await desk.problem(posting, once: keys[1]) == "409 approval-refused")
      let booked = try await desk.ask(posting, once: keys[2])
      #expect(try await desk.decide(booked) == 200)
      #expect(try await desk.post(posting, once: keys[2]).status == 200)
      #expect(try await desk.withdraw(booked) == 409)
      #expect(try await desk.balance() == 10_000_01)
      let old = try await desk.ask(posting, once: keys[3])
      app.accounts.clock.advance(by: .hours(24))
      #expect(try await desk.withdraw(old) == 409)
      #expect(try await desk.problem(posting, once: keys[3]) == "409 approval-expired")
    }
  }
}
