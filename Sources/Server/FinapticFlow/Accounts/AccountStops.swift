import Foundation
import Kit
import Ledger
import Storage

/// Why a bank stops an account, a card or a party, as it stands in the audit log.
package enum StopReason: String, Sendable, CaseIterable {
  case customerRequest = "CUSTOMER_REQUEST"
  case fraudSuspected = "FRAUD_SUSPECTED"
  case legalOrder = "LEGAL_ORDER"
  case deceased = "DECEASED"
  case compliance = "COMPLIANCE"
  case operationalError = "OPERATIONAL_ERROR"

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
  ///   `account-has-holds`, `interest-not-booked`, `payout-refused`; forbidden `payout-to-other`, `over-limit`.
  func stop(
    _ asked: BankAccountBodies.Status, _ account: BankAccount, of tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let reason = try StopReason(given: asked.reason)
    let name = BankAccount.ledgerTenant(tenant.id)
    guard asked.status != account.status else { return }
    if asked.status == BankAccount.Status.frozen {
      _ = try ledger.freeze(account.id, tenant: name, in: tx)
      return try tell("account.frozen", account, asked.status, ["reason": reason.rawValue], by: actor, in: tx)
    }
    var facts = ["reason": reason.rawValue]
    // What is paid out is the bank's own act, which a freeze does not stop.
    _ = try ledger.unfreeze(account.id, tenant: name, in: tx)
    if let transfer = try payOut(account, to: asked.payout_account_id, of: tenant, in: tx) {
      facts["transfer"] = transfer.rawValue
    }
    _ = try ledger.close(account.id, tenant: name, in: tx)
    try tell("account.closed", account, asked.status, facts, by: actor, in: tx)
  }

  /// - Throws: `Problem` conflict `account-closed`.
  func unfreeze(
    _ account: BankAccount, of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws {
    let wasFrozen = account.account.stop == .frozen
    _ = try ledger.unfreeze(account.id, tenant: BankAccount.ledgerTenant(tenant.id), in: tx)
    guard wasFrozen else { return }
    try tell("account.unfrozen", account, BankAccount.Status.active, [:], by: actor, in: tx)
  }

  /// Books the interest that has grown, and moves what is there then.
  /// - Returns: nil when there is nothing.
  private func payOut(
    _ account: BankAccount, to target: String?, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> LedgerTransfer.ID? {
    let (name, store) = (BankAccount.ledgerTenant(tenant.id), LedgerStore(tx))
    let yesterday = Ledger.day(of: core.world.now()) - 1
    // The day end may be late.
    let firstDay = max(
      Ledger.day(of: account.account.openedAt), try DayEndStore(tx).last(of: tenant.id).map { $0 + 1 } ?? 0)
    if try firstDay <= yesterday || store.accruedInterest(of: account.id) > 0 {
      try ledger.bookAccrued(
        on: account.id, since: firstDay, month: DayEnd.Month(of: yesterday).number, lastDay: yesterday,
        from: InternalAccounts.account(.interest, tenant: tenant.id), tenant: name, in: tx)
    }
    guard let now = try store.account(account.id), now.actual > 0, let target else { return nil }
    guard let id = UUID(uuidString: target)?.uuidString.lowercased(),
      let payee = try AccountStore(tx).find(.init(rawValue: id), tenant: tenant.id), payee.books,
      payee.id != account.id
    else {
      throw Problem.validation([.init("/payout_account_id", "unknown", "Another account of the tenant that books.")])
    }
    // Who may close accounts may not give one customer's money to another; that is for postings.
    guard payee.owners.contains(where: account.isOwned) else {
      throw Problem(.forbidden, "payout-to-other", "The balance goes to an account of an owner of this one only.")
    }
    guard try !FourEyesPolicyStore(tx).policy(of: tenant).demandsSecond(for: now.actual, in: now.currency) else {
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
