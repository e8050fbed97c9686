// SPDX-License-Identifier: Apache-2.0

import Ledger
import Dispatch
import Foundation
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// What is decided before it is booked holds when it is booked, or it is not booked.
@Suite("Finaptic: who is taken off an account, and a card that is locked, in the middle of a payment")
struct RemovalRaceTests {
  /// Fewer than one user may call for in a minute.
  private static let transfersMax = 50

  @Test("transfers that were let in and then waited for the books move nothing once their customer is off the account")
  func transfers() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", funds: 100_00)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      try await app.share(ada.account, with: bob)
      let ledger = app.dependencies.ledger
      let (removed, waited) = (Notifier(), DispatchSemaphore(value: 0))
      let refusals = try await withThrowingTaskGroup(of: [String].self) { group in
        group.addTask {
          // As the call does it, but that it stands still before it commits.
          try await app.database.write(.readCommitted) { tx in
            let isRemoved = try ledger.removeAuthorized(bob.id, from: .init(rawValue: ada.account), in: tx)
            #expect(isRemoved)
            removed.notify()
            waited.wait()
          }
          return []
        }
        group.addTask {
          await removed.wait()
          return try await withThrowingTaskGroup(of: String.self) { transfers in
            defer { waited.signal() }
            // The removal is not visible yet. Once one waits behind those that are being booked, some were let in.
            var begun = 0
            let ended = Counter()
            while ledger.waitingCount == 0, ended.count < Self.transfersMax {
              if begun < Self.transfersMax {
                begun += 1
                transfers.addTask {
                  defer { _ = ended.next() }
                  return try await app.transfer("1.00", from: ada.account, to: bob.account, as: bob).refusal
                }
              }
              for _ in 0..<100 { await Task.yield() }
            }
            waited.signal()
            return try await transfers.reduce(into: []) { $0.append($1) }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      #expect(refusals.count > 1)
      #expect(Set(refusals) == ["403 PERMISSION_DENIED PERMISSION_DENIED"])
      #expect(try await app.balance(ada.account) == 100_00)
    }
  }

  @Test("the books ask for the customer's part in both accounts, and not where no customer is named")
  func parts() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let (one, two) = (try await bank.open(owner, funds: 10_00, authorized: other), try await bank.open(other))
      func refusal(_ customer: String?) async throws -> LedgerRefusal? {
        let answer = try await bank.ledger.transfer(bank.order(.transfer, 1_00, from: one, to: two), by: customer)
        return if case .refused(let refusal) = answer { refusal } else { nil }
      }
      #expect(try await refusal(other.id) == nil)
      #expect(try await refusal(owner.id) == .notParty)
      #expect(try await refusal("nobody") == .notParty)
      #expect(try await refusal(nil) == nil)
      #expect(try await bank.verify().faults == [])
    }
  }

  @Test("of purchases beside a lock and a removal none that comes after is approved, and the books are right")
  func cards() async throws {
    try await CardTestApp.run { app in
      let (owner, guest) = (try await app.customer("ada"), try await app.customer("bob"))
      let product = try await app.open(for: owner, cents: 1000_00)
      try await app.authorize(guest, on: product.account)
      let card = try await app.call(
        .createAuthorizedUserCard,
        FinapticAPI.CreateAuthorizedUserCardRequest(
          card: .init(cardType: "CARD_TYPE_PREPAID", accountId: product.account.rawValue, description: nil),
          authorizedUserId: guest.customer), as: owner
      ).view(FinapticAPI.CardResponse.self).card.id
      try await withThrowingTaskGroup(of: Void.self) { group in
        for name in [product.card, card] {
          for _ in 0..<6 { group.addTask { _ = try await app.pay(1_00, by: name) } }
        }
        group.addTask {
          let locked = try await app.call(
            .lockCard, FinapticAPI.CardRequest(cardId: product.card), as: owner)
          #expect(locked.status == 200)
          #expect(try await app.pay(1_00, by: product.card).responseCode == "62")
        }
        group.addTask {
          let removed = try await app.call(
            .removeAuthorizedUser,
            FinapticAPI.RemoveAuthorizedUserRequest(
              accountId: product.account.rawValue, authorizedUser: guest.customer), as: owner,
            scope: .removeAuthorizedUser)
          #expect(removed.status == 200)
          #expect(try await app.pay(1_00, by: card).responseCode == "62")
          #expect(
            try await app.call(.unlockCard, FinapticAPI.CardRequest(cardId: card), as: owner).code
              == "FAILED_PRECONDITION")
        }
        try await group.waitForAll()
      }
      for name in [product.card, card] { #expect(try await app.pay(1_00, by: name).responseCode == "62") }
    }
  }

  @Test(
    "a purchase that came to a card whose lock is not committed yet waits for it, and is declined",
    .enabled(if: Engine.current == .postgres, "SQLite has one writer at a time"))
  func lockedMeanwhile() async throws {
    try await CardTestApp.run { app in
      let owner = try await app.customer("ada")
      let product = try await app.open(for: owner)
      let parts = app.dependencies
      let (locked, bought) = (Notifier(), Counter())
      async let lock: Void = app.database.write(.readCommitted) { tx in
        guard var card = try parts.cards.find(product.card, tenant: CardTestApp.tenant, in: tx) else {
          throw Problem.unexpected
        }
        try parts.cards.move(&card, on: .locked, by: "test", in: tx)
        let own: Int = try tx.first("SELECT pg_backend_pid() AS pid")?.get("pid") ?? 0
        locked.notify()
        // Until the purchase waits for this row, or did not and is done.
        while bought.count == 0 {
          let waiting = try tx.query(
            "SELECT pid FROM pg_locks WHERE NOT granted AND \(own) = ANY(pg_blocking_pids(pid))")
          if !waiting.isEmpty { break }
        }
      }
      await locked.wait()
      let outcome = try? await app.pay(10_00, by: product.card)
      _ = bought.next()
      try await lock
      #expect(outcome?.responseCode == "62")
      #expect(try await app.balance(of: product.account) == [100_00, 100_00])
    }
  }
}
