// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// What the network of a card issuer has settled: it is booked, whatever the account says.
extension IssuerMessages {
  /// The merchant takes the money: what was held, less, more, or what was never held.
  /// - Throws: `Problem` validation; unprocessable `unknown-card`.
  func clear(_ asked: IssuerBodies.Booking, _ call: Call, in tx: any SQLTransaction) throws -> Outcome {
    let content = try content(asked, call, in: tx)
    guard var payment = content.payment else { return try begin(content, asked.message_id, call, in: tx) }
    var booking: CardSettlement.Booking
    if payment.state == .authorized {
      booking = try settle(&payment, content, call, in: tx)
    } else if paymentFlow.allows(.forced, from: payment.state) {
      var doubt: CardSuspense.Reason? = payment.state == .declined ? .declinedBefore : nil
      if doubt == nil, try isOver(payment, adding: content.amount.minorUnits, call, in: tx) { doubt = .overCleared }
      booking = try take(content.amount, for: payment, content, doubt, call, in: tx)
      payment.settled = try Self.sum(payment.settled, content.amount.minorUnits)
      payment.asked = max(payment.asked, payment.settled)
      try payments.move(&payment, on: .forced, by: call.actor, in: tx)
    } else {
      // All of it came back. What the network settles after that is booked too, and a person decides who bears it.
      booking = try settlement.suspend(
        order(content.amount, for: payment, call), .owed, .afterReturn, by: call.actor, in: tx)
    }
    return outcome(asked.message_id, payment, content.amount, booking)
  }

  /// Of an authorization: settles the hold by what the merchant takes.
  private func settle(
    _ payment: inout CardPayment, _ content: MessageContent, _ call: Call, in tx: any SQLTransaction
  ) throws -> CardSettlement.Booking {
    let (units, limits) = (content.amount.minorUnits, try IssuerMessageStore(tx).limits(of: call.tenant.id))
    // More than is held is held first, so that people see one debit. A card that pays no more pays what was held.
    let doubt: CardSuspense.Reason? = content.doubt ?? (units <= limits.clearable(payment.asked) ? nil : .overCleared)
    var excess = max(units - payment.asked, 0)
    if excess > 0, doubt == nil, try hold(units, for: &payment, call, in: tx) == nil { excess = 0 }
    guard let hold = payment.hold else { throw Self.outOfOrder(payment.state) }
    let order = SettlementOrder(
      tenant: BankAccount.ledgerTenant(payment.tenant), key: "\(call.key) settle",
      kind: BankTransaction.Kind.purchase.rawValue, hold: hold, minorUnits: units - excess)
    guard case .done(let done) = try ledger.settle(order, note: payment.particulars.note, in: tx) else {
      throw Problem.unexpected
    }
    var booking = CardSettlement.Booking(transaction: done)
    if excess > 0 {
      let order = self.order(Money(excess, payment.currency), for: payment, call)
      booking.suspended = try settlement.suspend(
        order, .owed, doubt ?? .declined, by: call.actor, in: tx
      ).suspended
    }
    (payment.settled, payment.asked) = (units, max(payment.asked, units))
    try payments.move(&payment, on: .confirmed, by: call.actor, in: tx)
    return booking
  }

  /// Whether a merchant who takes once more takes more than was held. What a tenant allows beyond it is for the first
  /// time only, so that no number of messages goes past it.
  private func isOver(
    _ payment: CardPayment, adding units: Int64, _ call: Call, in tx: any SQLTransaction
  ) throws -> Bool {
    guard let hold = try payment.hold.flatMap({ try LedgerStore(tx).hold($0) }) else { return false }
    let held = hold.order.amount.minorUnits
    let most = payment.settled == 0 ? try IssuerMessageStore(tx).limits(of: call.tenant.id).clearable(held) : held
    return try Self.sum(payment.settled, units) > most
  }

  /// Of no authorization that is known: a payment that begins with its end.
  private func begin(
    _ content: MessageContent, _ message: String, _ call: Call, in tx: any SQLTransaction
  ) throws -> Outcome {
    var payment = CardPayment(
      id: call.new.id, tenant: call.tenant.id, card: content.card.id, account: content.card.account, state: .settled,
      currency: content.amount.currency, asked: content.amount.minorUnits, settled: content.amount.minorUnits,
      lifecycle: call.new.declined, merchant: content.merchant, expiresAt: nil, createdAt: core.world.now())
    let booking = try take(content.amount, for: payment, content, nil, call, isFirst: true, in: tx)
    if let transaction = booking.transaction { payment.lifecycle = transaction.lifecycle }
    _ = try payments.begin(payment, payment.lifecycle, .approved, by: call.actor, in: tx)
    if let reference = content.reference {
      try IssuerMessageStore(tx).bind(reference.name, to: payment.id, of: call.tenant.id)
    }
    if booking.suspended > 0 {
      try settlement.open(
        order(content.amount, for: payment, call), .owed, content.doubt ?? .declined, by: call.actor, in: tx)
    }
    return outcome(message, payment, content.amount, booking)
  }

  /// The merchant gives money back: of a payment that is named, or of none.
  /// - Throws: `Problem` validation; unprocessable `unknown-card`.
  func refund(_ asked: IssuerBodies.Booking, _ call: Call, in tx: any SQLTransaction) throws -> Outcome {
    let content = try content(asked, call, in: tx)
    let units = content.amount.minorUnits
    guard var payment = content.payment else {
      let note = try BankTransaction.Particulars(merchant: content.merchant, card: content.card.id.rawValue).note
      let booking = try settlement.give(
        .init(
          key: call.key, tenant: call.tenant.id, account: content.card.account, payment: nil, amount: content.amount,
          lifecycle: nil, note: note), as: .refund, doubt: nil, by: call.actor, in: tx)
      try core.note("cardPayment.refundedAlone", "card-\(content.card.id)", by: call.actor, in: tx)
      return outcome(asked.message_id, nil, content.amount, booking)
    }
    guard paymentFlow.allows(.refundedInPart, from: payment.state), units <= payment.left else {
      let booking = try settlement.give(
        order(content.amount, for: payment, call), as: .refund, doubt: .unmatchedRefund, by: call.actor, in: tx)
      return outcome(asked.message_id, payment, content.amount, booking)
    }
    let repaid = try settlement.repay(order(content.amount, for: payment, call), by: call.actor, in: tx)
    var booking = CardSettlement.Booking()
    if repaid.left > 0 {
      booking = try settlement.give(
        order(Money(repaid.left, payment.currency), for: payment, call), as: .refund, doubt: nil, by: call.actor,
        in: tx)
    }
    booking.suspended += repaid.suspended
    payment.returned += units
    try payments.move(
      &payment, on: payment.left == 0 ? .refundedWhole : .refundedInPart, by: call.actor, in: tx)
    return outcome(asked.message_id, payment, content.amount, booking)
  }

  // MARK: Content of messages

  struct MessageContent {
    let amount: Money
    let merchant: BankTransaction.Particulars.Merchant
    let card: PaymentCard
    let payment: CardPayment?
    let reference: IssuerMessageStore.Reference?
    /// Why what is not held is not asked of the account.
    let doubt: CardSuspense.Reason?
  }

  private func content(
    _ asked: IssuerBodies.Booking, _ call: Call, in tx: any SQLTransaction
  ) throws -> MessageContent {
    let (amount, merchant) = (try asked.amount.cardMoney(), try asked.merchant.checked())
    let reference = try asked.authorization_id.map {
      try IssuerMessageStore(tx).take(IssuerBodies.id($0, "authorization_id"), of: call.tenant.id)
    }
    let payment = try reference?.payment.map { try self.payment($0, in: tx) }
    guard let card = try locked(asked.card_reference, call, in: tx), payment.map({ $0.card == card.id }) ?? true else {
      throw Problem(.unprocessable, "unknown-card", "No card of the tenant, or not that of the authorization.")
    }
    // The card has to pay now: of an authorization it paid already. One that expired meanwhile still does.
    let refusal = try payments.refusal(of: card, in: tx)
    return MessageContent(
      amount: amount, merchant: merchant, card: card, payment: payment, reference: reference,
      doubt: refusal == nil || refusal == .expiredCard ? nil : .cardRefused)
  }

  private func take(
    _ amount: Money, for payment: CardPayment, _ content: MessageContent, _ doubt: CardSuspense.Reason?, _ call: Call,
    isFirst: Bool = false, in tx: any SQLTransaction
  ) throws -> CardSettlement.Booking {
    let doubt = doubt ?? content.doubt
    guard isFirst else {
      return try settlement.take(order(amount, for: payment, call), doubt: doubt, by: call.actor, in: tx)
    }
    // The row of the payment is written after it, and the work about it after that.
    var order = try CardSettlement.Order(
      key: call.key, tenant: payment.tenant, account: payment.account, payment: nil, amount: amount, lifecycle: nil,
      note: payment.particulars.note)
    if doubt == nil, let done = try settlement.transfer(order, .purchase, order.account, order.network, in: tx) {
      return .init(transaction: done)
    }
    order.note = nil
    guard let done = try settlement.transfer(order, .purchase, order.suspense, order.network, in: tx) else {
      throw Problem.unexpected
    }
    return .init(transaction: done, suspended: amount.minorUnits)
  }

  func order(_ amount: Money, for payment: CardPayment, _ call: Call) -> CardSettlement.Order {
    CardSettlement.Order(
      key: call.key, tenant: payment.tenant, account: payment.account, payment: payment.id, amount: amount,
      lifecycle: payment.lifecycle, note: try? payment.particulars.note)
  }

  private func outcome(
    _ message: String, _ payment: CardPayment?, _ amount: Money, _ booking: CardSettlement.Booking
  ) -> Outcome {
    var outcome = Outcome(message, .approved, payment)
    outcome.amount = amount.wire
    // What is booked beside the account, its people do not see.
    if booking.suspended < amount.minorUnits { outcome.transaction_id = booking.transaction?.id.rawValue }
    if booking.suspended > 0 { outcome.suspended = Money(booking.suspended, amount.currency).wire }
    return outcome
  }

  private static func sum(_ one: Int64, _ other: Int64) throws -> Int64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    guard !overflows else { throw Problem.validation([.init("/amount", "range", "More than an account can hold.")]) }
    return sum
  }
}
