// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What the end of a day or of a month does with each account of a product. Stored as `duty`.
package enum DayEndTask: Sendable, Hashable {
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

  /// A day since 1970-01-01, or a month since 1970-01: each task is done once for each account and period.
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
    default: throw SQLError.unreadable("a dead-lettered task without its counterparty")
    }
  }
}

/// A task that failed for one account. It is tried again until it is done.
package struct DeadLetteredDayEndTask: Sendable, Hashable {
  package let account: LedgerAccount.ID
  package let tenant: String
  package let product: String
  package let task: DayEndTask
  /// One word: a refusal of the ledger, or the type of an error with what the store says of it. Never a value.
  package let reason: String
  package let deadLetteredAt: Instant
}

/// A dead-lettered task whose row cannot be read, as it stands there. A person has to mend it.
package struct UnreadableDayEndTask: Sendable, Hashable {
  package let account: String
  package let task: String
  package let period: String
}

/// What came of a task of many accounts.
package struct DayEndRun: Sendable, Hashable {
  /// Accounts that did it now, and not before.
  package internal(set) var done = 0
  /// Accounts that were dead-lettered now, in the order of their ids.
  package internal(set) var deadLettered: [DeadLetteredDayEndTask] = []
  /// Rows that were passed over.
  package internal(set) var unreadable: [UnreadableDayEndTask] = []

  package init() {}
}

extension Ledger {
  /// Accounts of one transaction.
  private static let taskBatch = 200
  /// How long a dead-lettered task rests before it is tried again.
  package static let deadLetterRest = Duration.hours(1)

  /// Does a task for every account of a product. An account that fails is dead-lettered by itself; the others go on.
  /// - Throws: `Problem` when the day is not over or there is no such product, and `SQLError` when the store does not
  ///   answer: what was done until then stays done, and is not done again.
  package func end(_ task: DayEndTask, tenant: String, product: String) async throws -> DayEndRun {
    guard Self.start(ofDay: task.lastDay + 1) <= LedgerTime(world.now() - Self.finality) else {
      throw Problem(.conflict, "day-not-over", "Something may still be booked on that day.")
    }
    var (run, after) = (DayEndRun(), LedgerAccount.ID?.none)
    while true {
      let ids = try await database.read { [after] tx in
        guard try LedgerStore(tx).product(product, tenant: tenant) != nil else {
          throw Problem(.unprocessable, "unknown-product", "There is no such product.")
        }
        return try LedgerStore(tx).accountIDs(tenant: tenant, product: product, after: after, limit: Self.taskBatch)
      }
      if !ids.isEmpty { try await end(task, ids, tenant, product, into: &run) }
      guard ids.count == Self.taskBatch else { return run }
      after = ids.last
    }
  }

  /// Tries dead-lettered tasks of a tenant again, those first that rest longest.
  /// - Parameter isForced: also those that were tried a short while ago.
  /// - Returns: how many accounts did theirs now.
  @discardableResult
  package func retryDeadLettered(tenant: String, isForced: Bool = false) async throws -> DayEndRun {
    let now = world.now()
    let (deadLettered, unreadable) = try await database.read {
      try LedgerStore($0).deadLettered(
        tenant: tenant, triedBefore: isForced ? nil : now - Self.deadLetterRest, limit: Self.taskBatch)
    }
    var run = DayEndRun()
    run.unreadable = unreadable
    if !unreadable.isEmpty {
      try await database.write(.readCommitted) { try LedgerStore($0).rest(unreadable, at: now) }
    }
    for one in deadLettered { try await single(one.task, one.account, tenant, one.product, into: &run) }
    // They were dead-lettered before: the operators know.
    run.deadLettered = []
    return run
  }

  /// Dead-lettered tasks, which wait until their account is repaired, the oldest first.
  package func deadLettered(tenant: String, limit: Int = pageMax) async throws -> [DeadLetteredDayEndTask] {
    try await database.read { try LedgerStore($0).deadLettered(tenant: tenant, triedBefore: nil, limit: limit) }.tasks
  }

  /// Dead-lettered tasks of a tenant whose rows cannot be read.
  package func unreadable(tenant: String, limit: Int = pageMax) async throws -> [UnreadableDayEndTask] {
    try await database.read { try LedgerStore($0).deadLettered(tenant: tenant, triedBefore: nil, limit: limit) }
      .unreadable
  }

  private func end(
    _ task: DayEndTask, _ ids: [LedgerAccount.ID], _ tenant: String, _ product: String, into run: inout DayEndRun
  ) async throws {
    do {
      let some = try await database.write(.readCommitted) { [self] tx in
        try carryOut(task, ids, tenant, product, in: tx)
      }
      run.done += some.done
      run.deadLettered += some.deadLettered
    } catch {
      guard Self.isOfARow(error) else { throw error }
      // One account voids the transaction of all: each gets its own.
      for id in ids { try await single(task, id, tenant, product, into: &run) }
    }
  }

  private func single(
    _ task: DayEndTask, _ id: LedgerAccount.ID, _ tenant: String, _ product: String, into run: inout DayEndRun
  ) async throws {
    do {
      let some = try await database.write(.readCommitted) { [self] tx in
        try carryOut(task, [id], tenant, product, in: tx)
      }
      run.done += some.done
      run.deadLettered += some.deadLettered
    } catch {
      guard Self.isOfARow(error) else { throw error }
      let deadLettered = DeadLetteredDayEndTask(
        account: id, tenant: tenant, product: product, task: task, reason: error.deadLetterReason,
        deadLetteredAt: world.now())
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
    _ task: DayEndTask, _ ids: [LedgerAccount.ID], _ tenant: String, _ code: String, in tx: any SQLTransaction
  ) throws -> DayEndRun {
    let store = LedgerStore(tx)
    guard let product = try store.product(code, tenant: tenant) else { return DayEndRun() }
    if let counterparty = task.counterparty {
      // Locked before they are looked at: two who book at once would pay one growth twice.
      try store.lock(Set(ids).union([counterparty]))
    }
    let terms = try store.terms(of: product, on: task.lastDay)
    let late = try store.late(on: task.lastDay, among: ids)
    let resting = try store.deadLettered(task, among: ids)
    let dated: Set<LedgerAccount.ID> =
      if case .accrual(let day) = task { try store.valueDated(bookedOn: day, among: ids) } else { [] }
    var run = DayEndRun()
    let accounts = try store.accounts(ids)
    let done = try outcomes(
      of: task, on: accounts, product, valueDated: dated,
      terms: { try late.contains($0) ? store.terms(of: product, on: task.lastDay, for: $0) : terms }, in: tx)
    for account in accounts {
      switch done[account.id] {
      case nil: break
      case .done: run.done += 1
      case .bad(let reason):
        let deadLettered = DeadLetteredDayEndTask(
          account: account.id, tenant: tenant, product: code, task: task, reason: reason, deadLetteredAt: world.now())
        if try store.deadLetter(deadLettered) { run.deadLettered.append(deadLettered) }
        continue
      }
      if resting.contains(account.id) { try store.clearDeadLetter(account.id, task) }
    }
    return run
  }
}

extension Error {
  /// One word of what a log may be told.
  fileprivate var deadLetterReason: String {
    guard let error = self as? SQLError else { return "\(String(describing: type(of: self)))" }
    return "SQLError.\(error.name)"
  }
}
