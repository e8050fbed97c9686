// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// What waits for an account that is booked on all the time comes to an end. In a transaction with a moment of its own
/// it would begin anew with each booking that was faster.
@Suite("Finaptic: accounts on which money moves all the time", .timeLimit(.minutes(5)))
struct BusyAccountTests {
  private static let tenant = CardTestApp.tenant
  /// Fewer than the connections of a test, so that what is done beside them has some.
  private static let streams = 5
  /// For each stream, so that the test ends.
  private static let transfersMax = 20_000

  /// Does something while transfers go back and forth, each in a transaction of its own, as those of several nodes do:
  /// one of them always waits for the accounts.
  private static func besideTransfers(
    _ app: CardTestApp, _ one: BankAccount.ID, _ other: BankAccount.ID, do work: () async throws -> Void
  ) async throws {
    let (ledger, booked) = (app.dependencies.ledger, Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for stream in 0..<streams {
        group.addTask {
          for number in 0..<transfersMax where !Task.isCancelled {
            let isBack = number % 2 == 1
            try await app.database.write(.readCommitted) { tx in
              let answer = try ledger.transfer(
                TransferOrder(
                  .transfer, tenant: tenant, key: "stream \(stream) \(number)", debit: isBack ? other : one,
                  credit: isBack ? one : other, amount: Money(1, "CAD")), in: tx)
              guard case .done = answer else { throw Problem.unexpected }
            }
            _ = booked.next()
          }
        }
      }
      defer { group.cancelAll() }
      try await waitUntil("transfers are on their way") { booked.count > streams }
      try await work()
    }
    // They had not ended by themselves.
    #expect(booked.count < streams * transfersMax)
  }

  @Test("their customer is blocked, and let in again")
  func block() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (one, other) = (try await app.open(for: ada), try await app.open(for: ada, cents: 0))
      let users = app.dependencies.users
      try await Self.besideTransfers(app, one.account, other.account) {
        for isBlocked in [true, false] {
          let outcome = try await users.setBlocked(isBlocked, ada.user.rawValue, tenant: Self.tenant, by: "test")
          #expect(outcome == .done(isNew: true))
          let mayUse = try await app.database.read { try LedgerStore($0).mayUse(ada.customer, one.account) }
          #expect(mayUse == !isBlocked)
        }
      }
    }
  }

  @Test("their card is shown")
  func card() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (one, other) = (try await app.open(for: ada), try await app.open(for: ada, cents: 0))
      try await Self.besideTransfers(app, one.account, other.account) {
        let made = try await app.call(.createCardSDKSignOnToken, FinapticAPI.CardRequest(cardId: one.card), as: ada)
        #expect(made.status == 200)
        let token: FinapticAPI.CardTokenResponse = try made.view()
        let shown = try await app.accounts.call(
          .post, "\(FinapticDialect.base)/cardProcessor/showCard",
          try WireJSON.encode(
            FinapticAPI.ShowCardRequest(token: token.token, cardRefNumber: token.cardRefNumber)),
          headers: ["X-Client-Key": app.accounts.key])
        #expect(shown.status == 200)
      }
    }
  }

  @Test("they get money of Interac")
  func interac() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (one, other) = (try await app.open(for: ada), try await app.open(for: ada, cents: 0))
      let number = try await app.accounts.send(to: "x@example.ca").interacPaymentNumber
      try await Self.besideTransfers(app, one.account, other.account) {
        let taken = try await app.call(
          .completeIncomingTransfer,
          FinapticAPI.CompleteIncomingTransferRequest(
            interacPaymentNumber: number, targetAccountId: one.account.rawValue), as: ada)
        #expect(taken.status == 200)
      }
      let sums = [try await app.balance(of: one.account)[0], try await app.balance(of: other.account)[0]]
      #expect(sums.reduce(0, +) == 125_00)
    }
  }

  @Test(
    "of a sign-in that is not committed yet when its user is blocked no session is left",
    .enabled(if: Engine.current == .postgres, "SQLite has one writer at a time"))
  func signInMeanwhile() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let parts = app.dependencies
      let (opened, ended) = (Notifier(), Counter())
      // What a sign-in does last, but that it stands still before it commits.
      async let signIn: Void = app.database.write { tx in
        guard let user = try FinapticUserStore(tx, vault: parts.core.vault).find(ada.user)?.user, !user.isBlocked else {
          throw Problem.userBlocked
        }
        _ = try parts.sessions.open(
          subject: ada.user.rawValue, tenant: FinapticTenant.session(Self.tenant), device: "test", in: tx)
        try parts.core.note("user.signedIn", user.chain, by: "user:\(user.id)", in: tx)
        let own: Int = try tx.first("SELECT pg_backend_pid() AS pid")?.get("pid") ?? 0
        opened.notify()
        // Until the block waits for this transaction, or did not and is done.
        while ended.count == 0 {
          let waiting = try tx.query(
            "SELECT pid FROM pg_locks WHERE NOT granted AND \(own) = ANY(pg_blocking_pids(pid))")
          if !waiting.isEmpty { break }
        }
      }
      await opened.wait()
      let outcome = try? await parts.users.setBlocked(true, ada.user.rawValue, tenant: Self.tenant, by: "test")
      _ = ended.next()
      try await signIn
      #expect(outcome == .done(isNew: true))
      let sessions = try await app.database.read { try parts.sessions.records(of: ada.user.rawValue, in: $0) }
      #expect(sessions.count == 1 && sessions.allSatisfy { $0.revokedAt != nil })
    }
  }
}
