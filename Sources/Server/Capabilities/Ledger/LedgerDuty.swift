// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What the end of a day or of a month does with each account of a product.
package enum LedgerDuty: Sendable, Hashable {
  /// Interest of a day that is over grows.
  case accrual(day: Int64)
  /// What has grown up to the last day of a month is booked, from the institution's account that pays.
  case interest(month: Int64, lastDay: Int64, from: LedgerAccount.ID)
  /// The fee of a month is booked, to the institution's account that gets it.
  case fee(month: Int64, lastDay: Int64, to: LedgerAccount.ID)

  /// One word, as it stands in the store, in the log and as a metric's label.
  package enum Name: String, Sendable, CaseIterable, SQLConvertible { case accrual, interest, fee }

  package var name: Name {
    switch self {
    case .accrual: .accrual
    case .interest: .interest
    case .fee: .fee
    }
  }

  /// A day since 1970-01-01, or a month since 1970-01: one account does a duty once for each.
  package var period: Int64 {
    switch self {
    case .accrual(let day): day
    case .interest(let month, _, _), .fee(let month, _, _): month
    }
  }

  var lastDay: Int64 {
    switch self {
    case .accrual(let day): day
    case .interest(_, let day, _), .fee(_, let day, _): day
    }
  }

  /// The institution's account, which is locked with the others.
  var counterparty: LedgerAccount.ID? {
    switch self {
    case .accrual: nil
    case .interest(_, _, let account), .fee(_, _, let account): account
    }
  }

  init(_ name: Name, period: Int64, lastDay: Int64, counterparty: LedgerAccount.ID?) throws {
    switch (name, counterparty) {
    case (.accrual, _): self = .accrual(day: period)
    case (.interest, let account?): self = .interest(month: period, lastDay: lastDay, from: account)
    case (.fee, let account?): self = .fee(month: period, lastDay: lastDay, to: account)
    default: throw SQLError.unreadable("a dead-lettered duty without its counterparty")
    }
  }
}

/// A duty that one account could not do. The others went on without it; it is tried again until it is done.
package struct DeadLetteredDuty: Sendable, Hashable {
  package let account: LedgerAccount.ID
  package let tenant: String
  package let product: String
  package let duty: LedgerDuty
  /// One word: a refusal of the ledger, or the type of an error with what the store says of it. Never a value.
  package let reason: String
  package let deadLetteredAt: Instant
}

/// A dead-lettered duty whose row cannot be read, as it stands there. A person has to mend it.
package struct UnreadableDuty: Sendable, Hashable {
  package let account: String
  package let duty: String
  package let period: String
}

/// What came of a duty of many accounts.
package struct LedgerDutyRun: Sendable, Hashable {
  /// Accounts that did it now, and not before.
  package internal(set) var done = 0
  /// Accounts that were dead-lettered now, in the order of their ids.
  package internal(set) var deadLettered: [DeadLetteredDuty] = []
  /// Rows that were passed over.
  package internal(set) var unreadable: [UnreadableDuty] = []

  package init() {}
}

extension Ledger {
  /// Accounts of one transaction.
  private static let dutyBatch = 200
  /// How long a dead-lettered duty rests before it is tried again.
  package static let deadLetterRest = Duration.hours(1)

  /// Lets every account of a product do a duty. An account that cannot is dead-lettered by itself; all others do
  /// theirs.
  /// - Throws: `Problem` when the day is not over or there is no such product, and `SQLError` when the store does not
  ///   answer: what was done until then stays done, and is not done again.
  package func end(_ duty: LedgerDuty, tenant: String, product: String) async throws -> LedgerDutyRun {
    guard Self.start(ofDay: duty.lastDay + 1) <= LedgerTime(world.now() - Self.finality) else {
      throw Problem(.conflict, "day-not-over", "Something may still be booked on that day.")
    }
    var (run, after) = (LedgerDutyRun(), LedgerAccount.ID?.none)
    while true {
      let ids = try await database.read { [after] tx in
        guard try LedgerStore(tx).product(product, tenant: tenant) != nil else {
          throw Problem(.unprocessable, "unknown-product", "There is no such product.")
        }
        return try LedgerStore(tx).accountIDs(tenant: tenant, product: product, after: after, limit: Self.dutyBatch)
      }
      if !ids.isEmpty { try await end(duty, ids, tenant, product, into: &run) }
      guard ids.count == Self.dutyBatch else { return run }
      after = ids.last
    }
  }

  /// Tries dead-lettered duties of a tenant again, those first that rest longest.
  /// - Parameter isForced: also those that were tried a short while ago.
  /// - Returns: how many accounts did theirs now.
  @discardableResult
  package func retryDeadLettered(tenant: String, isForced: Bool = false) async throws -> LedgerDutyRun {
    let now = world.now()
    let (deadLettered, unreadable) = try await database.read {
      try LedgerStore($0).deadLettered(
        tenant: tenant, triedBefore: isForced ? nil : now - Self.deadLetterRest, limit: Self.dutyBatch)
    }
    var run = LedgerDutyRun()
    run.unreadable = unreadable
    if !unreadable.isEmpty {
      try await database.write(.readCommitted) { try LedgerStore($0).rest(unreadable, at: now) }
    }
    for one in deadLettered { try await single(one.duty, one.account, tenant, one.product, into: &run) }
    // They were dead-lettered before: the operators know.
    run.deadLettered = []
    return run
  }

  /// Dead-lettered duties, which wait until their account is repaired, the oldest first.
  package func deadLettered(tenant: String, limit: Int = pageMax) async throws -> [DeadLetteredDuty] {
    try await database.read { try LedgerStore($0).deadLettered(tenant: tenant, triedBefore: nil, limit: limit) }.duties
  }

  /// Dead-lettered duties of a tenant whose rows cannot be read.
  package func unreadable(tenant: String, limit: Int = pageMax) async throws -> [UnreadableDuty] {
    try await database.read { try LedgerStore($0).deadLettered(tenant: tenant, triedBefore: nil, limit: limit) }
      .unreadable
  }

  private func end(
    _ duty: LedgerDuty, _ ids: [LedgerAccount.ID], _ tenant: String, _ product: String, into run: inout LedgerDutyRun
  ) async throws {
    do {
      let some = try await database.write(.readCommitted) { [self] tx in
        try carryOut(duty, ids, tenant, product, in: tx)
      }
      run.done += some.done
      run.deadLettered += some.deadLettered
    } catch {
      guard Self.isOfARow(error) else { throw error }
      // One account voids the transaction of all: each gets its own.
      for id in ids { try await single(duty, id, tenant, product, into: &run) }
    }
  }

  private func single(
    _ duty: LedgerDuty, _ id: LedgerAccount.ID, _ tenant: String, _ product: String, into run: inout LedgerDutyRun
  ) async throws {
    do {
      let some = try await database.write(.readCommitted) { [self] tx in
        try carryOut(duty, [id], tenant, product, in: tx)
      }
      run.done += some.done
      run.deadLettered += some.deadLettered
    } catch {
      guard Self.isOfARow(error) else { throw error }
      let deadLettered = DeadLetteredDuty(
        account: id, tenant: tenant, product: product, duty: duty, reason: error.dutyReason, deadLetteredAt: world.now()
      )
      if try await database.write({ try LedgerStore($0).deadLetter(deadLettered) }) {
        run.deadLettered.append(deadLettered)
      }
    }
  }

  /// Whether an error may be that of one account: not that the store is busy or away, nor that the program ends.
  package static func isOfARow(_ error: any Error) -> Bool {
    switch error {
    case is CancellationError: false
    case let error as SQLError:
      switch error {
      case .notUnique, .constraint, .unreadable, .engine: true
      case .busy, .locked, .outdated, .uncertain, .unreachable, .schema: false
      }
    default: true
    }
  }

  private func carryOut(
    _ duty: LedgerDuty, _ ids: [LedgerAccount.ID], _ tenant: String, _ code: String, in tx: any SQLTransaction
  ) throws -> LedgerDutyRun {
    let store = LedgerStore(tx)
    guard let product = try store.product(code, tenant: tenant) else { return LedgerDutyRun() }
    if let counterparty = duty.counterparty {
      // Locked before they are looked at: two who book at once would pay one growth twice.
      try store.lock(Set(ids).union([counterparty]))
    }
    let terms = try store.terms(of: product, on: duty.lastDay)
    let late = try store.late(on: duty.lastDay, among: ids)
    let resting = try store.deadLettered(duty, among: ids)
    let dated: Set<LedgerAccount.ID> =
      if case .accrual(let day) = duty { try store.valueDated(bookedOn: day, among: ids) } else { [] }
    var run = LedgerDutyRun()
    let accounts = try store.accounts(ids)
    let done = try outcomes(
      of: duty, on: accounts, product, valueDated: dated,
      terms: { try late.contains($0) ? store.terms(of: product, on: duty.lastDay, for: $0) : terms }, in: tx)
    for account in accounts {
      switch done[account.id] {
      case nil: break
      case .done: run.done += 1
      case .bad(let reason):
        let deadLettered = DeadLetteredDuty(
          account: account.id, tenant: tenant, product: code, duty: duty, reason: reason, deadLetteredAt: world.now())
        if try store.deadLetter(deadLettered) { run.deadLettered.append(deadLettered) }
        continue
      }
      if resting.contains(account.id) { try store.clearDeadLetter(account.id, duty) }
    }
    return run
  }
}

extension Error {
  /// One word of what a log may be told.
  fileprivate var dutyReason: String {
    guard let error = self as? SQLError else { return "\(String(describing: type(of: self)))" }
    return "SQLError.\(error.name)"
  }
}
