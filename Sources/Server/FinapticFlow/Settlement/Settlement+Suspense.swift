// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Payments
import Storage

/// Money of which the owner is not known.
extension Settlement {
  /// The oldest first.
  package func suspended(of tenant: Int) async throws -> [BankPayment] {
    try await core.database.read { [core] in
      try BankPaymentStore($0, vault: core.vault).suspended(tenant: tenant, limit: Self.listMax)
    }
  }

  /// What waits, with what is known of whose it may be.
  package struct Found: Sendable {
    package let payment: BankPayment
    /// The customers' account that gave it, of a payment to another bank that came back and that no account took.
    package let source: BankAccount.ID?
  }

  /// One item that a person looks at, which the audit keeps.
  /// - Throws: `Problem` not found, also for what does not wait any more.
  package func look(_ id: BankPayment.ID, of tenant: Int, by actor: String) async throws -> Found {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = BankPaymentStore(tx, vault: core.vault)
      guard let payment = try store.find(id, tenant: tenant), payment.state == .suspended else {
        throw Problem.notFound
      }
      let own = try payment.content?.own.flatMap { try store.find(.init(rawValue: $0), tenant: tenant) }
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.note("payment.seen", "payment-\(id)", by: actor, ["why": why], in: tx)
      return Found(payment: payment, source: own?.account)
    }
  }

  /// Books money to the account whose it is.
  /// - Parameter key: by which a second person is asked where the tenant demands it.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: `Problem` not found for payment, account or approval; conflict `not-suspended`, `declined`; those of
  ///   `Settlement.pass`.
  @discardableResult
  package func assign(
    _ id: BankPayment.ID, to account: BankAccount.ID, of tenant: Int,
    under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      guard let target = try AccountStore(tx).find(account, tenant: tenant) else { throw Problem.notFound }
      var item = try item(id, of: tenant, beside: target.id, in: tx)
      let act = (BankAct.Action.assign, "to \(target.id)", try target.keyHolder(in: tx))
      if let waiting = try pass(act, item, key, by: actor, in: tx) { return waiting }
      let content = item.payment.content
      let particulars = BankTransaction.Particulars(
        counterparty: content?.debtor, clearingReference: content?.transactionID ?? content?.endToEndID)
      try book(
        TransferOrder(
          .deposit, tenant: tenant, key: "bank-assign \(id) \(target.id)", debit: item.settlement.suspense,
          credit: target.id, amount: item.payment.amount), note: try particulars.note, in: tx)
      (item.payment.account, item.payment.content) = (target.id, nil)
      try core.mover.move(
        &item.payment, on: .assigned, of: BankPaymentMachine(vault: core.vault), by: actor,
        facts: ["account": target.id.rawValue], in: tx)
      return nil
    }
  }

  /// Sends money back to the bank that it came from: a pacs.004 is owed from then on.
  /// - Parameters:
  ///   - reason: nil for the one that says why it was suspended.
  ///   - key: as in `assign`.
  /// - Returns: as `assign`.
  /// - Throws: `Problem` not found; conflict `not-suspended`, and `own-payment` for money of a payment to another bank,
  ///   which no bank sent; those of `Settlement.pass`.
  @discardableResult
  package func sendBack(
    _ id: BankPayment.ID, reason: ReturnReason?, of tenant: Int,
    under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      var item = try item(id, of: tenant, in: tx)
      try Self.refuseOwn(item.payment)
      let code = reason ?? item.payment.suspense?.returnReason ?? .notSpecifiedByAgent
      if let waiting = try pass((.sendBack, "reason \(code.rawValue)", nil), item, key, by: actor, in: tx) {
        return waiting
      }
      try book(
        TransferOrder(
          .reversal, tenant: tenant, key: "bank-return \(id)", debit: item.settlement.suspense,
          credit: item.settlement.ledger, amount: item.payment.amount), note: nil, in: tx)
      (item.payment.returnReason, item.payment.owesFile) = (code.rawValue, true)
      try core.mover.move(
        &item.payment, on: .sentBack, of: BankPaymentMachine(vault: core.vault), by: actor,
        facts: ["reason": code.rawValue], in: tx)
      return nil
    }
  }

  /// Takes money off the books that was told of twice and came once. No bank is told.
  /// - Parameter key: as in `assign`.
  /// - Returns: as `assign`.
  /// - Throws: as `sendBack`.
  @discardableResult
  package func dismiss(
    _ id: BankPayment.ID, of tenant: Int, under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      var item = try item(id, of: tenant, in: tx)
      try Self.refuseOwn(item.payment)
      if let waiting = try pass((.dismiss, "told of twice", nil), item, key, by: actor, in: tx) { return waiting }
      try book(
        TransferOrder(
          .reversal, tenant: tenant, key: "bank-dismiss \(id)", debit: item.settlement.suspense,
          credit: item.settlement.ledger, amount: item.payment.amount), note: nil, in: tx)
      item.payment.content = nil
      try core.mover.move(
        &item.payment, on: .dismissed, of: BankPaymentMachine(vault: core.vault), by: actor, in: tx)
      return nil
    }
  }

  // MARK: The parts of a decision

  /// What is decided about.
  private struct Item {
    var payment: BankPayment
    let settlement: SettlementAccount
    let tenant: FinapticTenant
  }

  /// Locks the bank's own accounts, and tells the payment behind the lock.
  private func item(
    _ id: BankPayment.ID, of tenant: Int, beside account: BankAccount.ID? = nil, in tx: any SQLTransaction
  ) throws -> Item {
    let store = BankPaymentStore(tx, vault: core.vault)
    guard let found = try TenantStore(tx).find(tenant), let known = try store.find(id, tenant: tenant) else {
      throw Problem.notFound
    }
    let settlement = try Self.account(known.amount.currency, of: tenant, in: tx)
    try LedgerStore(tx).lock(Set([settlement.ledger, settlement.suspense] + [account].compactMap(\.self)))
    guard let payment = try store.find(id, tenant: tenant) else { throw Problem.notFound }
    guard payment.state == .suspended else {
      throw Problem(.conflict, "not-suspended", "The money of this payment does not wait any more.")
    }
    return Item(payment: payment, settlement: settlement, tenant: found)
  }

  /// - Parameter act: what is done, in words for the second person, and under whose key they are sealed.
  private func pass(
    _ act: (action: BankAct.Action, words: String, person: String?), _ item: Item, _ key: ActKey,
    by actor: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval? {
    let (payment, amount) = (item.payment, item.payment.amount)
    let asked = FourEyesGate.ProposedAct(
      action: act.action, subject: payment.id.rawValue, version: payment.version,
      request: "amount \(amount.decimal) \(amount.currency); \(act.words)", person: act.person,
      chain: "payment-\(payment.id)")
    let gateKey = try FourEyesGate(core: core).key(key, of: asked, tenant: item.tenant, by: actor, in: tx)
    return try Self.pass(asked, moving: amount, key: gateKey, of: item.tenant, by: actor, core, in: tx)
  }

  private static func refuseOwn(_ payment: BankPayment) throws {
    guard payment.content?.own == nil else {
      throw Problem(
        .conflict, "own-payment", "This is the money of a customer's payment that came back; assign it to an account.")
    }
  }

  private func book(_ order: TransferOrder, note: Data?, in tx: any SQLTransaction) throws {
    switch try ledger.transfer(order, note: note, in: tx) {
    case .done: return
    case .declined: throw Problem(.conflict, "declined", "The account does not take the money.")
    case .refused(let refusal): throw Problem(posting: refusal)
    }
  }
}
