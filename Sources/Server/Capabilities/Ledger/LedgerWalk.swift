// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What is found by reading each account's entries in their order.
extension LedgerStore {
  /// Looks at seals and at the interest of each day, account by account. What an intruder wrote may be of another kind
  /// than its column, where SQLite keeps it: such an account is a fault, and the others are looked at.
  func walk(under seal: LedgerSeal?, into found: inout LedgerVerification, _ progress: WorkProgress?) throws {
    var (after, limit) = (LedgerAccount.ID?.none, LedgerVerification.walkPage)
    while true {
      let page = try accountIDs(after: after, limit: limit)
      let ids = page.compactMap(\.self)
      if ids.count < page.count { found.add(.init(rule: .readable, subject: LedgerVerification.unreadableID)) }
      for (account, sum) in try accounts(ids, into: &found) {
        do { try walk(account, sum, under: seal, into: &found) } catch SQLError.unreadable(let why) {
          found.add(.init(rule: .readable, subject: "\(account.id) \(why)"))
        }
        progress?.advance()
      }
      guard page.count == limit else { return }
      // The walk goes on behind the last id that can be asked for: a page without one was too short.
      if let last = ids.last { (after, limit) = (last, LedgerVerification.walkPage) } else { limit *= 2 }
    }
  }

  /// Accounts with the sums of their interest, without those that cannot be read.
  private func accounts(
    _ ids: [LedgerAccount.ID], into found: inout LedgerVerification
  ) throws -> [(SealedAccount, LedgerAccrual?)] {
    func read(_ ids: [LedgerAccount.ID]) throws -> [(SealedAccount, LedgerAccrual?)] {
      let sums = try sums(of: ids)
      return try sealedAccounts(ids).map { ($0, sums[$0.id]) }
    }
    do { return try read(ids) } catch SQLError.unreadable {
      return try ids.flatMap { id in
        do { return try read([id]) } catch SQLError.unreadable(let why) {
          found.add(.init(rule: .readable, subject: "\(id) \(why)"))
          return []
        }
      }
    }
  }

  private func walk(
    _ account: SealedAccount, _ sum: LedgerAccrual?, under seal: LedgerSeal?, into found: inout LedgerVerification
  ) throws {
    let (accruals, again) = try (accruals(of: account.id), valueAccruals(of: account.id))
    var days = LedgerDays(accruals)
    let hasGrown = !days.isEmpty || !again.isEmpty || sum != nil
    guard seal != nil || hasGrown else { return }
    var seals = seal.map { LedgerSealScan(account, under: $0) }
    var after: Int64 = 0
    while true {
      let page = try sealedEntries(of: account.id, after: after, limit: LedgerVerification.walkPage)
      for (entry, own) in page {
        days.add(entry)
        seals?.add(entry, sealed: own)
      }
      guard page.count == LedgerVerification.walkPage, let last = page.last else { break }
      after = last.entry.sequence
    }
    days.end()
    if hasGrown {
      // What was booked by then may be more than is left after what was taken off since.
      let (grown, booked) = try (growth(account.id, through: .max), interest(of: account.id, through: .max))
      let taken = try reductions(again, of: account.id)
      let isCovered = booked * Int128(Ledger.millionths) <= grown - (taken ?? 0)
      let last = [accruals.last?.day, again.map(\.bookedDay).max()].compactMap(\.self).max()
      let isWhole = try hasEveryRecount(again, of: account.id, in: account.tenant, through: last)
      let isAddedUp = try isRight(sum, of: account.id)
      if !days.areRight || taken == nil || !isCovered || !isWhole || !isAddedUp {
        found.add(.init(rule: .accrual, subject: account.id.rawValue))
      }
    }
    guard let seals else { return }
    if !seals.isRight { found.add(.init(rule: .seal, subject: account.id.rawValue)) }
    if seals.hasUnsealed { found.add(.init(rule: .unsealed, subject: account.id.rawValue)) }
  }

  /// Looks at the checkpoints of every tenant, and for the last entries that they name.
  func verifyCheckpoints(
    under seal: LedgerSeal, into found: inout LedgerVerification, _ progress: WorkProgress? = nil
  ) throws {
    for tenant in try tenantsWithBooks() {
      do { try verifyCheckpoints(of: tenant, under: seal, into: &found, progress) } catch SQLError.unreadable(let why) {
        found.add(.init(rule: .readable, subject: "\(tenant) \(why)"))
      }
    }
  }

  private func verifyCheckpoints(
    of tenant: String, under seal: LedgerSeal, into found: inout LedgerVerification, _ progress: WorkProgress?
  ) throws {
    var heads = [String: LedgerCheckpoint.Head]()
    try forEachCheckpoint(of: tenant, under: seal) { number, checkpoint in
      progress?.advance()
      guard let checkpoint else {
        found.add(.init(rule: .checkpoint, subject: "\(tenant) \(number)"))
        return
      }
      found.checkpoints += 1
      for head in checkpoint.heads { heads[head.account] = head }
    }
    try verify(heads.values.sorted { $0.account < $1.account }, into: &found)
  }

  /// - Returns: nil when it is not right.
  func read(
    _ row: CheckpointRow, after last: CheckpointRow?, of tenant: String, under seal: LedgerSeal
  ) -> LedgerCheckpoint? {
    let document = Data(row.document.utf8)
    guard document.sha256Hex == row.digest, let signed = try? SignedDocument(document: document),
      (try? signed.verify(for: .ledgerCheckpoint, by: seal.vault)) != nil,
      let checkpoint = try? JSONDecoder().decode(LedgerCheckpoint.self, from: Data(signed.signed.utf8)),
      checkpoint.tenant == tenant, checkpoint.number == row.number, row.number == (last?.number ?? 0) + 1,
      checkpoint.previous == last?.digest, checkpoint.day == row.day, checkpoint.isWhole == row.isWhole
    else { return nil }
    return checkpoint
  }

  private func verify(_ heads: [LedgerCheckpoint.Head], into found: inout LedgerVerification) throws {
    for start in stride(from: 0, to: heads.count, by: LedgerVerification.walkPage) {
      let some = heads[start..<min(start + LedgerVerification.walkPage, heads.count)]
      let known = try sealedAccounts(some.map { .init(rawValue: $0.account) }).reduce(into: [:]) {
        $0[$1.id.rawValue] = $1.sequence
      }
      let entries = try self.found(some.map { ($0.account, $0.sequence) })
      for head in some {
        let isThere = known[head.account].map { $0 >= head.sequence } ?? false
        let entry = entries[head.account]
        let isSame = head.sequence == 0 || (entry?.seal == head.seal && entry?.balance == head.actual)
        if !isThere || !isSame || (head.sequence > 0 && entry == nil) {
          found.add(.init(rule: .checkpoint, subject: head.account))
        }
      }
    }
  }
}

/// Follows the seals of one account.
struct LedgerSealScan {
  private let account: LedgerStore.SealedAccount
  private let seal: LedgerSeal
  private var previous: String?
  /// Of all entries before the first that has to be sealed.
  private var before = ""
  private var isBroken = false
  private(set) var hasUnsealed = false

  init(_ account: LedgerStore.SealedAccount, under seal: LedgerSeal) {
    (self.account, self.seal) = (account, seal)
  }

  mutating func add(_ entry: LedgerEntry, sealed own: String?) {
    if entry.sequence < account.sealedFrom { before = seal.digest(before, adding: entry) }
    guard let own else {
      if entry.sequence >= account.sealedFrom { hasUnsealed = true }
      return
    }
    let expected = seal.seal(
      entry.transfer, on: entry.account, sequence: entry.sequence, amount: entry.amount, balance: entry.balance,
      after: previous)
    if own != expected { isBroken = true }
    previous = own
  }

  /// Asked at the end.
  var isRight: Bool {
    guard !isBroken, account.seal == previous else { return false }
    return account.sealedFrom == 1 && account.proof == nil
      || account.proof == seal.beginning(of: account.id, from: account.sealedFrom, before)
  }
}

/// Compares the days of interest of one account with its entries.
struct LedgerDays {
  private let days: [(day: Int64, balance: Int64, rate: Int64, millionths: Int64)]
  private var next = 0
  private var balance: Int64 = 0
  private(set) var areRight = true

  /// - Parameter days: the oldest first.
  init(_ days: [(day: Int64, balance: Int64, rate: Int64, millionths: Int64)]) { self.days = days }

  var isEmpty: Bool { days.isEmpty }

  mutating func add(_ entry: LedgerEntry) {
    while next < days.count, Self.end(of: days[next].day) <= entry.transfer.at { check() }
    balance = entry.balance
  }

  mutating func end() { while next < days.count { check() } }

  private mutating func check() {
    let day = days[next]
    if day.balance != balance || Ledger.growth(of: balance, day.rate) != day.millionths { areRight = false }
    next += 1
  }

  /// An intruder's day may be any number.
  private static func end(of day: Int64) -> LedgerTime {
    let (micros, overflows) = (day &+ 1).multipliedReportingOverflow(by: 86_400_000_000)
    return LedgerTime(microseconds: overflows ? (day < 0 ? .min : .max) : micros)
  }
}
