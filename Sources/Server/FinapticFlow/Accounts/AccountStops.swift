// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Why a bank stops an account, a card or a party, as it stands in the audit log.
package enum StopReason: String, Sendable, CaseIterable, SQLConvertible {
  case customerRequest = "CUSTOMER_REQUEST"
  case fraudSuspected = "FRAUD_SUSPECTED"
  case legalOrder = "LEGAL_ORDER"
  case deceased = "DECEASED"
  case compliance = "COMPLIANCE"
  case operationalError = "OPERATIONAL_ERROR"
  /// Of a card: terminals are told so (ISO 8583, DE 39: 41 and 43).
  case cardLost = "CARD_LOST"
  case cardStolen = "CARD_STOLEN"

  /// - Throws: `Problem` validation for any other text.
  package init(given: String?) throws {
    guard let reason = given.flatMap(Self.init) else {
      throw Problem.validation([
        .init("/reason", "unknown", "One of \(Self.allCases.map(\.rawValue).joined(separator: ", ")).")
      ])
    }
    self = reason
  }
}

/// Freezes accounts, lets them pay again and closes them. It takes the account's row: bookings that commit after it know.
struct AccountStops: Sendable {
  let core: CoreDependencies
  let ledger: Ledger
  let bankEvents: BankEventPublisher

  /// - Parameter asked: with the status frozen or closed.
  /// - Throws: `Problem` validation; conflict `account-not-active`, `account-closed`, `account-has-balance`,
  ///   `account-has-holds`, `card-payments-open`, `interest-not-booked`, `payout-refused`; forbidden
  ///   `payout-to-other`, `over-limit`.
  func stop(
    _ asked: BankAccountBodies.Status, _ account: BankAccount, of tenant: FinapticTenant, by actor: String,
    with permit: FourEyesGate.Permit, in tx: any SQLTransaction
  ) throws {
    let reason = try StopReason(given: asked.reason)
    let name = BankAccount.ledgerTenant(tenant.id)
    guard asked.status != account.status else { return }
    if asked.status == BankAccount.Status.frozen {
      _ = try ledger.freeze(account.id, tenant: name, in: tx)
      return try tell("account.frozen", account, asked.status, ["reason": reason.rawValue], by: actor, in: tx)
    }
    try CardMatterStore(tx).refuseOpen(on: [account.id])
    var facts = ["reason": reason.rawValue]
    // What is paid out is the bank's own act, which a freeze does not stop.
    _ = try ledger.unfreeze(account.id, tenant: name, in: tx)
    if let transfer = try payOut(account, to: asked.payout_account_id, of: tenant, with: permit, in: tx) {
      facts["transfer"] = transfer.rawValue
    }
    _ = try ledger.close(account.id, tenant: name, in: tx)
    try tell("account.closed", account, asked.status, facts, by: actor, in: tx)
  }

  /// - Parameter reason: for the audit; a text that is no reason is left out.
  /// - Throws: `Problem` conflict `account-closed`.
  func unfreeze(
    _ account: BankAccount, of tenant: FinapticTenant, because reason: String?, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let wasFrozen = account.account.stop == .frozen
    _ = try ledger.unfreeze(account.id, tenant: BankAccount.ledgerTenant(tenant.id), in: tx)
    guard wasFrozen else { return }
    let facts = reason.flatMap(StopReason.init(rawValue:)).map { ["reason": $0.rawValue] } ?? [:]
    try tell("account.unfrozen", account, BankAccount.Status.active, facts, by: actor, in: tx)
  }

  /// Books the interest that has grown, and moves what is there then.
  /// - Returns: nil when there is nothing.
  private func payOut(
    _ account: BankAccount, to target: String?, of tenant: FinapticTenant, with permit: FourEyesGate.Permit,
    in tx: any SQLTransaction
  ) throws -> LedgerTransfer.ID? {
    guard let now = try bookInterest(account, of: tenant, in: tx), now.actual > 0, let target else { return nil }
    guard let id = target.canonicalUUID,
      let payee = try AccountStore(tx).find(.init(rawValue: id), tenant: tenant.id), payee.books,
      payee.id != account.id
    else {
      throw Problem.validation([.init("/payout_account_id", "unknown", "Another account of the tenant that books.")])
    }
    // Who may close accounts may not give one customer's money to another; that is for postings.
    guard payee.owners.contains(where: account.isOwned) else {
      throw Problem(.forbidden, "payout-to-other", "The balance goes to an account of an owner of this one only.")
    }
    // Interest may have made it more than one person moves after the gate was asked.
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    guard permit.isApproved || !policy.demandsSecond(for: now.actual, in: now.currency) else {
      throw Problem(.forbidden, "over-limit", "This is more than one person of this tenant may move.")
    }
    let answer = try ledger.transfer(
      TransferOrder(
        .transfer, tenant: tenant.id, key: "close \(account.id)", debit: account.id, credit: payee.id,
        amount: now.actualBalance), in: tx)
    guard case .done(let transfer) = answer else {
      throw Problem(.conflict, "payout-refused", "The balance cannot be moved to that account.")
    }
    return transfer.id
  }

  /// Books what has grown until yesterday.
  /// - Returns: the account after it.
  private func bookInterest(
    _ account: BankAccount, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> LedgerAccount? {
    let (name, store) = (BankAccount.ledgerTenant(tenant.id), LedgerStore(tx))
    let (firstDay, yesterday) = try uncounted(account, in: tx)
    if try firstDay <= yesterday || store.accruedInterest(of: account.id) > 0 {
      try ledger.bookAccrued(
        on: account.id, since: firstDay, month: DayEnd.Month(of: yesterday).number, lastDay: yesterday,
        from: InternalAccounts.account(.interest, tenant: tenant.id), tenant: name, in: tx)
    }
    return try store.account(account.id)
  }

  /// The first day of which it is not sure that its interest was counted, as the day end may be late, and yesterday.
  private func uncounted(
    _ account: BankAccount, in tx: any SQLTransaction
  ) throws -> (firstDay: Int64, yesterday: Int64) {
    let firstDay = max(
      Ledger.day(of: account.account.openedAt), try DayEndStore(tx).last(of: account.tenant).map { $0 + 1 } ?? 0)
    return (firstDay, Ledger.day(of: core.world.now()) - 1)
  }

  /// What has grown until yesterday and is not booked yet, in whole minor units.
  /// - Throws: `Problem` conflict `interest-not-booked`.
  func accrued(on account: BankAccount, in tx: any SQLTransaction) throws -> Int64 {
    let (firstDay, yesterday) = try uncounted(account, in: tx)
    guard firstDay <= yesterday else { return try LedgerStore(tx).accruedInterest(of: account.id) }
    return try ledger.countAccrued(
      on: account.id, since: firstDay, lastDay: yesterday, tenant: BankAccount.ledgerTenant(account.tenant), in: tx)
  }

  /// Closes an account without money whose last owner is erased: what comes for it later waits on the suspense account.
  func endEmpty(_ account: BankAccount, by actor: String, in tx: any SQLTransaction) throws {
    _ = try ledger.close(account.id, tenant: BankAccount.ledgerTenant(account.tenant), in: tx)
    try core.note("account.closed", "account-\(account.id)", by: actor, ["reason": "ERASURE"], in: tx)
  }

  /// Ends an account whose last owner is erased: what is on it goes to the bank's cash, for the bank to hand it out, or
  /// is written off against its fees. A second person agreed to it.
  /// - Throws: `Problem` conflict `account-has-holds`, `interest-not-booked`, `payout-refused`.
  func end(
    _ account: BankAccount, by way: ErasureMoney, of tenant: FinapticTenant, actor: String,
    with permit: FourEyesGate.Permit, in tx: any SQLTransaction
  ) throws {
    guard permit.isApproved else { throw Problem.approvalRequired }
    let name = BankAccount.ledgerTenant(tenant.id)
    if account.account.stop == .frozen { _ = try ledger.unfreeze(account.id, tenant: name, in: tx) }
    var facts = ["reason": "ERASURE", "money": way.rawValue]
    if let now = try bookInterest(account, of: tenant, in: tx), now.actual != 0 {
      guard way == .writeOff || now.actual > 0 else {
        throw Problem(.conflict, "payout-refused", "What the account owes is written off, not paid out.")
      }
      let own = InternalAccounts.account(way == .payout ? .cash : .fees, tenant: tenant.id)
      let owes = now.actual < 0
      let answer = try ledger.transfer(
        TransferOrder(
          way == .payout ? .withdrawal : .correction, tenant: tenant.id, key: "erase \(account.id)",
          debit: owes ? own : account.id, credit: owes ? account.id : own,
          amount: Money(abs(now.actual), now.currency)), in: tx)
      guard case .done(let transfer) = answer else {
        throw Problem(.conflict, "payout-refused", "The balance cannot be moved.")
      }
      facts["transfer"] = transfer.id.rawValue
    }
    _ = try ledger.close(account.id, tenant: name, in: tx)
    try core.note("account.closed", "account-\(account.id)", by: actor, facts, in: tx)
  }

  private func tell(
    _ action: String, _ account: BankAccount, _ status: String, _ facts: [String: String], by actor: String,
    in tx: any SQLTransaction
  ) throws {
    try core.note(action, "account-\(account.id)", by: actor, facts, in: tx)
    try bankEvents.tell(
      .accountStatusChanged, on: account.id.rawValue, of: account.tenant, about: account.owners.first,
      world: core.world, { $0.status = status }, in: tx)
  }
}
