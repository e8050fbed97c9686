// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// A user is blocked while other transactions use what the block changes.
@Suite("Finaptic: a user is blocked in the middle of transfers and of a sign-in", .timeLimit(.minutes(5)))
struct UserBlockRaceTests {
  private static let tenant = CardTestApp.tenant
  /// As many as one node may be carrying out, but for one connection that the block itself uses.
  private static let streams = 6
  /// For each stream, so that the test ends.
  private static let transfersMax = 20_000

  @Test("a customer whose money never stops moving is blocked all the same, and let in again")
  func transfersAllTheTime() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      let (one, other) = (try await app.open(for: ada), try await app.open(for: ada, cents: 0))
      let (users, ledger) = (app.dependencies.users, app.dependencies.ledger)
      let booked = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for stream in 0..<Self.streams {
          group.addTask {
            // As those of several nodes: each in a transaction of its own, so that one always waits for the accounts.
            for number in 0..<Self.transfersMax where !Task.isCancelled {
              let isBack = number % 2 == 1
              try await app.database.write(.readCommitted) { tx in
                let answer = try ledger.transfer(
                  TransferOrder(
                    .transfer, tenant: Self.tenant, key: "stream \(stream) \(number)",
                    debit: isBack ? other.account : one.account, credit: isBack ? one.account : other.account,
                    amount: Money(1, "CAD")), in: tx)
                guard case .done = answer else { throw Problem.unexpected }
              }
              _ = booked.next()
            }
          }
        }
        defer { group.cancelAll() }
        try await waitUntil("transfers are on their way") { booked.count > Self.streams }
        for isBlocked in [true, false] {
          let outcome = try await users.setBlocked(isBlocked, ada.user.rawValue, tenant: Self.tenant, by: "test")
          #expect(outcome == .done(isNew: true))
          let mayUse = try await app.database.read { try LedgerStore($0).mayUse(ada.customer, one.account) }
          #expect(mayUse == !isBlocked)
        }
      }
      // They went on until the end: nothing but the block had an end.
      #expect(booked.count < Self.streams * Self.transfersMax)
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
