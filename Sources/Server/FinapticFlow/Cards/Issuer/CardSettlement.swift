// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Books what the network of a card issuer moved, whether or not a customer's account takes it: what it does not take
/// is booked on the bank's suspense account for cards, and a person gets a case.
struct CardSettlement: Sendable {
  let core: CoreDependencies
  let ledger: Ledger

  /// What is booked of one message.
  struct Booking {
    /// The first transfer; nil when nothing was moved.
    var transaction: LedgerTransfer?
    /// What of it waits for a person, in minor units.
    var suspended: Int64 = 0
  }

  /// What is booked, and for whom.
  struct Order {
    /// Of the message: a transaction that runs again books once.
    let key: String
    let tenant: Int
    let account: BankAccount.ID
    let payment: CardPayment.ID?
    var amount: Money
    /// Of what it belongs to; nil when it begins something.
    let lifecycle: String?
    /// For the account's people; nothing of it is kept where the account gets no booking.
    var note: Data?

    var network: LedgerAccount.ID { InternalAccounts.account(.cards, tenant: tenant) }
    var suspense: LedgerAccount.ID { CardSuspense.ledger(tenant) }
  }

  /// Locks what a message may book on, together: one order for all transactions. Makes the suspense account.
  func lock(_ account: BankAccount.ID, of tenant: Int, in tx: any SQLTransaction) throws {
    let (suspense, name, store) = (CardSuspense.ledger(tenant), BankAccount.ledgerTenant(tenant), LedgerStore(tx))
    if try store.account(suspense) == nil {
      let product = "house.card-suspense"
      if try store.product(product, tenant: name) == nil {
        try ledger.put(
          .init(
            tenant: name, code: product, kind: .house, currency: InternalAccounts.currency, availableMin: nil), in: tx)
      }
      _ = try ledger.open(.init(id: suspense, tenant: name, product: product, name: "card suspense"), in: tx)
    }
    try store.lock([account, suspense, InternalAccounts.account(.cards, tenant: tenant)])
  }

  /// The network got money. It is taken from the account, or from the suspense account.
  /// - Parameter doubt: why the account is not asked; nil to ask it.
  func take(
    _ order: Order, doubt: CardSuspense.Reason?, by actor: String, in tx: any SQLTransaction
  ) throws -> Booking {
    if doubt == nil, let done = try transfer(order, .purchase, order.account, order.network, in: tx) {
      return Booking(transaction: done)
    }
    return try suspend(order, .owed, doubt ?? .declined, by: actor, in: tx)
  }

  /// The network gave money back. It goes to the account, or to the suspense account.
  /// - Parameter doubt: as in `take`.
  func give(
    _ order: Order, as kind: BankTransaction.Kind, doubt: CardSuspense.Reason?, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Booking {
    if doubt == nil, let done = try transfer(order, kind, order.network, order.account, in: tx) {
      return Booking(transaction: done)
    }
    return try suspend(order, .due, doubt ?? .declined, by: actor, in: tx)
  }

  /// Between two accounts, unless one of them declines: nothing is written then.
  func transfer(
    _ order: Order, _ kind: BankTransaction.Kind, _ debit: LedgerAccount.ID, _ credit: LedgerAccount.ID,
    in tx: any SQLTransaction
  ) throws -> LedgerTransfer? {
    let answer = try ledger.transferUnlessDeclined(
      TransferOrder(
        kind, tenant: order.tenant, key: order.key, debit: debit, credit: credit, amount: order.amount,
        lifecycle: order.lifecycle), note: order.note, in: tx)
    switch answer {
    case .done(let done): return done
    case .declined: return nil
    case .refused(let refusal): throw Problem(posting: refusal)
    }
  }

  /// Books between the network and the suspense account, and opens the work of who decides.
  func suspend(
    _ order: Order, _ direction: CardSuspense.Direction, _ reason: CardSuspense.Reason, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Booking {
    let (debit, credit) =
      direction == .owed ? (order.suspense, order.network) : (order.network, order.suspense)
    let kind: BankTransaction.Kind = direction == .owed ? .purchase : .refund
    var order = order
    order.note = nil
    guard let done = try transfer(order, kind, debit, credit, in: tx) else { throw Problem.unexpected }
    try open(order, direction, reason, by: actor, in: tx)
    return Booking(transaction: done, suspended: order.amount.minorUnits)
  }

  /// Opens the work about money that is on the suspense account.
  func open(
    _ order: Order, _ direction: CardSuspense.Direction, _ reason: CardSuspense.Reason, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    let item = CardSuspense(
      id: .init(core.world), tenant: order.tenant, account: order.account, payment: order.payment,
      direction: direction, reason: reason, amount: order.amount.minorUnits, state: .waiting, since: core.world.now(),
      version: 0)
    // The account may not change with it, and the code that ends the account looks for this.
    try LedgerStore(tx).touch(order.account)
    try CardSuspenseStore(tx).insert(item)
    try core.note(
      "cardSuspense.opened", "card-suspense-\(item.id)", by: actor,
      ["direction": direction.rawValue, "reason": reason.rawValue], in: tx)
    if let work = CardSuspenseMachine.work(for: item) {
      try core.cases.open(work, formerly: nil, by: actor, in: tx)
    }
  }

  /// Money of the merchant goes first to where the bank paid for the customer. What the bank had given up waits for a
  /// person: the customer did not pay it.
  /// - Returns: what is left for the customer, and what waits, in minor units.
  func repay(_ order: Order, by actor: String, in tx: any SQLTransaction) throws -> (left: Int64, suspended: Int64) {
    guard let payment = order.payment else { return (order.amount.minorUnits, 0) }
    let (store, machine) = (CardSuspenseStore(tx), CardSuspenseMachine())
    var (left, suspended) = (order.amount.minorUnits, Int64(0))
    func sum(_ part: Int64, _ item: CardSuspense) -> Order {
      Order(
        key: "\(order.key) \(item.id)", tenant: order.tenant, account: order.account, payment: payment,
        amount: Money(part, order.amount.currency), lifecycle: order.lifecycle, note: nil)
    }
    for var item in try store.owed(of: payment) where left > 0 {
      let part = min(left, item.amount)
      guard try transfer(sum(part, item), .refund, order.network, order.suspense, in: tx) != nil else {
        throw Problem.unexpected
      }
      item.amount -= part
      left -= part
      try core.mover.move(
        &item, on: item.amount == 0 ? .refunded : .refundedInPart, of: machine, by: actor, in: tx)
    }
    for var item in try store.writtenOff(of: payment) where left > 0 {
      let part = min(left, item.writtenOff)
      item.writtenOff -= part
      left -= part
      suspended += try suspend(sum(part, item), .due, .writtenOff, by: actor, in: tx).suspended
      try core.mover.move(&item, on: .returnedLate, of: machine, by: actor, in: tx)
    }
    return (left, suspended)
  }
}
