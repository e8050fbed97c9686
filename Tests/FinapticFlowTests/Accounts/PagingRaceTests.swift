// SPDX-License-Identifier: Apache-2.0

import Ledger
import Foundation
import FinapticWire
import Kit
import Synchronization
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: pages of an account on which others book at the same time")
struct PagingRaceTests {
  private static let (writers, bookings, before) = (4, 25, 20)

  /// Has readers read for as long as several writers book side by side on an account that has a past.
  /// - Returns: ids of everything on the account in the end, the oldest first.
  private func race(
    _ bank: BankingTestApp, on account: BankAccount.ID,
    _ readers: [@Sendable () async throws -> Void]
  ) async throws -> [String] {
    let done = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.writers {
        group.addTask {
          // Counted when it fails, too, because readers wait for it.
          defer { _ = done.next() }
          for _ in 0..<Self.bookings { try await bank.deposit(1, to: account) }
        }
      }
      for reader in readers {
        group.addTask {
          repeat { try await reader() } while done.count < Self.writers
        }
      }
      try await group.waitForAll()
    }
    return try await truth(bank, account)
  }

  private func truth(_ bank: BankingTestApp, _ account: BankAccount.ID) async throws -> [String] {
    try await bank.database.read {
      try BankTransactionStore($0, vault: bank.dependencies.core.vault)
        .newer(than: LedgerTime(microseconds: .min), on: account, limit: 1000).map(\.id.rawValue)
    }
  }

  /// An account with a past.
  private func account(_ bank: BankingTestApp, of owner: BankingTestApp.Customer) async throws -> BankAccount.ID {
    let account = try await bank.open(owner)
    for _ in 0..<Self.before { try await bank.deposit(1, to: account) }
    return account
  }

  @Test("walks through the ledger see all that was there when they began, in order, nothing twice, nothing left out")
  func ledger() async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let account = try await account(bank, of: owner)
      let past = try await truth(bank, account)
      let walks = Gathered()
      let reader: @Sendable () async throws -> Void = {
        var (seen, token) = ([String](), String?.none)
        repeat {
          let page: FinapticAPI.AccountTransactionsResponse = try await bank.call(
            .listTransactions,
            FinapticAPI.ListTransactionsRequest(accountId: account.rawValue, pageSize: 7, pageToken: token), by: owner
          ).view()
          seen += page.transactions.map(\.transactionId)
          token = page.nextPageToken
        } while token != nil
        walks.add(seen)
      }
      let all = try await race(bank, on: account, [reader, reader])
      #expect(all.count == Self.before + Self.writers * Self.bookings)
      for seen in walks.all {
        // A walk goes from the newest entry that it saw back to the oldest: the first entries of all, reversed.
        #expect(seen.count >= past.count && Array(all.prefix(seen.count)) == seen.reversed())
      }
    }
  }

  @Test(
    "walks forwards and back through what was spent and received neither skip nor repeat",
    arguments: ["DESCENDING", "ASCENDING"], [UInt64(1), 2])
  func bothWays(order: String, seed: UInt64) async throws {
    try await BankingTestApp.run { bank in
      let owner = try await bank.customer()
      let account = try await account(bank, of: owner)
      let (steps, whole) = (Gathered(), Gathered())
      @Sendable func page(_ size: Int, _ token: String?) async throws -> FinapticAPI.TransactionsResponse {
        try await bank.call(
          .getTransactions,
          FinapticAPI.GetTransactionsRequest(
            accountId: account.rawValue, pageSize: size, pageToken: token, sortOrder: order), by: owner
        ).view()
      }
      // Forwards and back at random; every two neighbouring pages are kept.
      let turns = Counter()
      let wanderer: @Sendable () async throws -> Void = {
        var randomness = SeededGenerator(seed: seed &+ UInt64(turns.next()))
        var at = try await page(3, nil)
        for _ in 0..<12 {
          let isNext = Bool.random(using: &randomness)
          guard
            let token = (isNext ? at.nextPageToken : at.previousPageToken) ?? at.nextPageToken ?? at.previousPageToken
          else { break }
          let isForward = token == at.nextPageToken
          let then = try await page(Int.random(in: 1...5, using: &randomness), token)
          let (from, to) = (at.transactions.map(\.transactionId), then.transactions.map(\.transactionId))
          steps.add(isForward ? from + to : to + from)
          if !then.transactions.isEmpty { at = then }
        }
      }
      // From one end to the other.
      let walker: @Sendable () async throws -> Void = {
        var (seen, token) = ([String](), String?.none)
        repeat {
          let answer = try await page(4, token)
          seen += answer.transactions.map(\.transactionId)
          token = answer.nextPageToken
        } while token != nil
        whole.add(seen)
      }
      let all = try await race(bank, on: account, [wanderer, walker])
      let ordered = order == "ASCENDING" ? all : all.reversed()
      for seen in steps.all {
        let start = try #require(ordered.firstIndex(of: seen[0]))
        #expect(Array(ordered[start..<min(start + seen.count, ordered.count)]) == seen)
      }
      for seen in whole.all {
        #expect(seen.count >= Self.before)
        #expect(Array(all.prefix(seen.count)) == (order == "ASCENDING" ? seen : seen.reversed()))
      }
    }
  }
}

/// What readers saw, no matter who they are.
private final class Gathered: Sendable {
  private let walks = Mutex<[[String]]>([])

  var all: [[String]] { walks.withLock { $0 } }

  func add(_ walk: [String]) { walks.withLock { $0.append(walk) } }
}
