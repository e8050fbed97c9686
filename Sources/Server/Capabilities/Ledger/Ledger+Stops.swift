// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What stops money: accounts that are frozen or closed, and parties who move nothing any more. Each takes the row of
/// the account first, as a booking does: what is booked in a commit after this one knows of it, and a booking that was
/// first is waited for.
extension Ledger {
  /// Days that are made up for when an account is closed.
  private static let uncountedMax: Int64 = 400

  /// Nothing leaves the account from now on, except for what was held before; money may come in.
  /// - Throws: `Problem` not found; conflict `account-not-active`, `account-closed`.
  package func freeze(_ id: LedgerAccount.ID, tenant: String, in tx: any SQLTransaction) throws -> LedgerAccount {
    let account = try stoppable(id, tenant, in: tx)
    guard account.state == .active else {
      throw Problem(.conflict, "account-not-active", "The account does not book yet.")
    }
    guard account.stop == nil else { return account }
    return try LedgerStore(tx).setStop(.frozen, of: account)
  }

  /// - Throws: `Problem` not found; conflict `account-closed`.
  package func unfreeze(_ id: LedgerAccount.ID, tenant: String, in tx: any SQLTransaction) throws -> LedgerAccount {
    let account = try stoppable(id, tenant, in: tx)
    return account.stop == nil ? account : try LedgerStore(tx).setStop(nil, of: account)
  }

  /// Nothing is booked on the account any more, for good. Its books stay.
  /// - Throws: `Problem` not found; conflict `account-has-balance`, `account-has-holds`, `account-not-active`.
  package func close(_ id: LedgerAccount.ID, tenant: String, in tx: any SQLTransaction) throws -> LedgerAccount {
    let account = try stoppable(id, tenant, in: tx, isClosedToo: true)
    guard account.stop != .closed else { return account }
    guard account.state == .active else {
      throw Problem(.conflict, "account-not-active", "The account does not book yet.")
    }
    guard account.held == 0 else {
      throw Problem(.conflict, "account-has-holds", "Money is held on the account: settle or release it first.")
    }
    guard account.actual == 0 else {
      throw Problem(.conflict, "account-has-balance", "The account has a balance: name where it is paid out to.")
    }
    return try LedgerStore(tx).setStop(.closed, of: account)
  }

  /// Books what has grown until a day, before an account is closed. Its row is taken, so that its balances at the ends
  /// of these days are final.
  /// - Parameters:
  ///   - firstDay: the first one of which it is not sure that it was counted; counting a day again changes nothing.
  ///   - month: of the last day, months since 1970-01: what grows in the rest of it is not booked.
  /// - Throws: `Problem` conflict `interest-not-booked` for what does not fit, waits, or is of too many days.
  package func bookAccrued(
    on id: LedgerAccount.ID, since firstDay: Int64, month: Int64, lastDay: Int64, from expense: LedgerAccount.ID,
    tenant: String, in tx: any SQLTransaction
  ) throws {
    try LedgerStore(tx).lock([id, expense])
    let (account, product) = try countDays(of: id, since: firstDay, lastDay: lastDay, tenant: tenant, in: tx)
    let task = DayEndTask.interest(month: month, lastDay: lastDay, from: expense)
    if case .bad? = try outcomes(of: task, on: [account], product, terms: { _ in nil }, in: tx)[id] {
      throw Self.interestNotBooked
    }
  }

  /// Counts what has grown until a day, and books nothing. Parameters and errors are those of `bookAccrued`.
  /// - Returns: what is not booked yet, in whole minor units.
  package func countAccrued(
    on id: LedgerAccount.ID, since firstDay: Int64, lastDay: Int64, tenant: String, in tx: any SQLTransaction
  ) throws -> Int64 {
    try LedgerStore(tx).lock([id])
    _ = try countDays(of: id, since: firstDay, lastDay: lastDay, tenant: tenant, in: tx)
    return try LedgerStore(tx).accruedInterest(of: id)
  }

  private static let interestNotBooked = Problem(
    .conflict, "interest-not-booked", "The interest of the account cannot be booked.")

  private func countDays(
    of id: LedgerAccount.ID, since firstDay: Int64, lastDay: Int64, tenant: String, in tx: any SQLTransaction
  ) throws -> (LedgerAccount, LedgerProduct) {
    let store = LedgerStore(tx)
    guard let account = try store.account(id), account.tenant == tenant,
      let product = try store.product(account.product, tenant: tenant)
    else { throw Problem.notFound }
    guard lastDay - firstDay < Self.uncountedMax, try !store.waitsForInterest(id) else { throw Self.interestNotBooked }
    for day in stride(from: firstDay, through: lastDay, by: 1) {
      let terms = try store.terms(of: product, on: day, for: id)
      let done = try outcomes(
        of: .accrual(day: day), on: [account], product,
        valueDated: store.valueDated(bookedOn: day, among: [id]), terms: { _ in terms }, in: tx)
      if case .bad? = done[id] { throw Self.interestNotBooked }
    }
    return (account, product)
  }

  /// Lets a party move nothing on any account of a tenant, or lets it move money again. What it is on them stays.
  /// - Returns: how many accounts it is a party of.
  @discardableResult
  package func setStopped(
    _ isStopped: Bool, party: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Int {
    let store = LedgerStore(tx)
    let ids = try store.accountIDs(of: party, tenant: tenant)
    try store.lock(Set(ids))
    for id in ids { _ = try store.touch(id) }
    try store.setStopped(isStopped ? world.now() : nil, party: party, on: ids)
    return ids.count
  }

  private func stoppable(
    _ id: LedgerAccount.ID, _ tenant: String, in tx: any SQLTransaction, isClosedToo: Bool = false
  ) throws -> LedgerAccount {
    let store = LedgerStore(tx)
    guard let seen = try store.account(id), seen.tenant == tenant, seen.kind == .customer else {
      throw Problem.notFound
    }
    try store.lock([id])
    guard let account = try store.account(id) else { throw Problem.notFound }
    guard isClosedToo || account.stop != .closed else {
      throw Problem(.conflict, "account-closed", "The account is closed.")
    }
    return account
  }
}

/// Why nothing leaves an account, whatever is on it.
package enum LedgerStop: String, Sendable, CaseIterable, SQLConvertible {
  /// By the bank, for a while: money may come in.
  case frozen
  /// For good.
  case closed
}
