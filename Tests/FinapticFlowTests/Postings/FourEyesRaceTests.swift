// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Identity
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: decisions about money that are made at once")
struct FourEyesRaceTests {
  @Test("of two who decide at once one decides, and what both nodes carry out at once is booked once")
  func atOnce() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let second = try await app.accounts.app.addFinapticClient(
        .approve, "controltwo", tenant: CardTestApp.tenant, by: "operator")
      var booked: Int64 = 0
      for _ in 0..<4 {
        let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
        let approval = try await desk.ask(posting, once: key)
        async let agreed = desk.decide(approval)
        async let refused = desk.decide(approval, "refused", as: second)
        let decisions = try await [agreed, refused]
        #expect(decisions.sorted() == [200, 409])
        async let one = desk.post(posting, once: key)
        async let other = desk.post(posting, once: key)
        let answers = try await [one, other]
        let done = answers.filter { $0.status == 200 }
        if decisions[0] == 200 {
          booked += 10_000_01
          #expect(!done.isEmpty && Set(done.map(\.answer?.transaction_id)).count == 1)
        } else {
          #expect(done.isEmpty && answers.allSatisfy { $0.status == 409 })
        }
        // A third time, when all is over.
        #expect(try await desk.post(posting, once: key).status == (decisions[0] == 200 ? 200 : 409))
        #expect(try await desk.balance() == booked)
      }
    }
  }

  @Test("two who agree at once are one word: it is spent by one posting")
  func bothAgree() async throws {
    try await CardTestApp.run { app in
      let desk = try await FourEyesClients(app)
      let second = try await app.accounts.app.addFinapticClient(
        .approve, "controltwo", tenant: CardTestApp.tenant, by: "operator")
      let (posting, key) = (FourEyesClients.Posting(desk.account), FourEyesClients.key())
      let approval = try await desk.ask(posting, once: key)
      async let one = desk.decide(approval)
      async let other = desk.decide(approval, as: second)
      #expect(try await [one, other].sorted() == [200, 409])
      #expect(try await desk.post(posting, once: key).status == 200)
      #expect(try await desk.ask(posting, once: FourEyesClients.key()) != approval)
      #expect(try await desk.balance() == 10_000_01)
    }
  }
}
