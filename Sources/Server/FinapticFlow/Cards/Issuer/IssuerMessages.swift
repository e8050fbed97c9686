// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Carries out what a card issuer tells of payments. Each message is one transaction of READ COMMITTED, is carried out
/// once and has the same answer after that. Rows are taken in one order: the message's, the authorization's, the
/// payment's, the accounts', the card's.
struct IssuerMessages: Sendable {
  typealias Outcome = IssuerBodies.Outcome

  /// The latest end of an authorization that an issuer may name.
  static let lifetimeMax = Duration.days(31)

  let core: CoreDependencies
  let ledger: Ledger
  let payments: CardPayments
  var settlement: CardSettlement { CardSettlement(core: core, ledger: ledger) }

  /// Who sends a message, and what is made before its transaction, which may run more than once.
  struct Call: Sendable {
    let tenant: FinapticTenant
    let actor: String
    let new: CardPayments.New

    var key: String { "card-issuer \(new.id)" }
  }

  // MARK: Authorizations

  /// Whether a card may pay: holds the money when it may. A decline is an answer.
  /// - Throws: `Problem` validation; conflict `authorization-exists`.
  func authorize(
    _ asked: IssuerBodies.Authorization, _ call: Call, in tx: any SQLTransaction
  ) throws -> Outcome {
    let (amount, merchant) = (try asked.amount.cardMoney(), try asked.merchant.checked())
    let (end, store) = (try end(asked.expires_at), IssuerMessageStore(tx))
    let reference = try store.take(IssuerBodies.id(asked.authorization_id, "authorization_id"), of: call.tenant.id)
    guard reference.payment == nil else {
      throw Problem(.conflict, "authorization-exists", "Another message had this authorization_id.")
    }
    guard !reference.isReversed else { return Outcome(asked.message_id, .doNotHonour) }
    guard let card = try locked(asked.card_reference, call, in: tx) else {
      return Outcome(asked.message_id, .unknownCard)
    }
    let refusal = try refusal(of: card, paying: amount.minorUnits, adding: amount.minorUnits, call, in: tx)
    var order = CardPayments.Asked(card: card, amount: amount, merchant: merchant)
    if refusal == nil, asked.partial_allowed == true { order.amount = try affordable(amount, on: card.account, in: tx) }
    let paid = try payments.pay(
      order, refusal: refusal, isFinal: false, until: end, new: call.new, of: call.tenant, by: call.actor, in: tx)
    try store.bind(reference.name, to: paid.payment.id, of: call.tenant.id)
    let isPart = paid.code == .approved && order.amount != amount
    var outcome = Outcome(asked.message_id, isPart ? .partlyApproved : paid.code, paid.payment)
    outcome.transaction_id = paid.transaction
    if paid.code == .approved { outcome.amount = order.amount.wire }
    return outcome
  }

  /// More is to be held for an authorization.
  /// - Throws: `Problem` validation; not found; conflict `payment-out-of-order`.
  func increase(_ asked: IssuerBodies.Change, _ call: Call, in tx: any SQLTransaction) throws -> Outcome {
    guard let added = try asked.amount?.cardMoney() else {
      throw Problem.validation([.init("/amount", "required", "What is added.")])
    }
    var payment = try authorized(asked.authorization_id, on: .increased, call, in: tx)
    let (total, overflows) = payment.asked.addingReportingOverflow(added.minorUnits)
    guard !overflows else { throw Problem.validation([.init("/amount", "range", "More than an account can hold.")]) }
    let card = try card(of: payment, in: tx)
    var code = try refusal(of: card, paying: total, adding: added.minorUnits, call, in: tx)
    if code == nil {
      switch try hold(total, for: &payment, call, in: tx) {
      case nil: try payments.move(&payment, on: .increased, by: call.actor, in: tx)
      case let reason?: code = .init(reason)
      }
    }
    var outcome = Outcome(asked.message_id, code ?? .approved, payment)
    if code == nil {
      (outcome.transaction_id, outcome.amount) = (payment.lifecycle, Money(total, payment.currency).wire)
      return outcome
    }
    try payments.recordDeclined(added, of: payment, as: call.new.declined, in: tx)
    outcome.transaction_id = call.new.declined
    return outcome
  }

  /// Less, or nothing, is to be held. One that comes before its authorization counts when that comes.
  /// - Throws: `Problem` validation; conflict `payment-out-of-order`.
  func reverse(_ asked: IssuerBodies.Change, _ call: Call, in tx: any SQLTransaction) throws -> Outcome {
    let (back, store) = (try asked.amount?.cardMoney(), IssuerMessageStore(tx))
    let reference = try store.take(IssuerBodies.id(asked.authorization_id, "authorization_id"), of: call.tenant.id)
    guard let id = reference.payment else {
      guard back == nil else { throw Problem.notFound }
      try store.setReversed(reference.name, of: call.tenant.id)
      return Outcome(asked.message_id)
    }
    var payment = try payment(id, in: tx)
    // What was declined holds nothing.
    guard payment.state != .declined else { return Outcome(asked.message_id, .approved, payment) }
    guard paymentFlow.allows(.reduced, from: payment.state) else { throw Self.outOfOrder(payment.state) }
    if let back, back.minorUnits < payment.asked {
      try settlement.lock(payment.account, of: payment.tenant, in: tx)
      let rest = payment.asked - back.minorUnits
      // An account that was frozen meanwhile holds nothing anew: the former hold stays until it is cleared or ends.
      if try hold(rest, for: &payment, call, in: tx) == nil {
        try payments.move(&payment, on: .reduced, by: call.actor, in: tx)
      }
      var outcome = Outcome(asked.message_id, .approved, payment)
      (outcome.transaction_id, outcome.amount) = (payment.lifecycle, Money(payment.asked, payment.currency).wire)
      return outcome
    }
    guard back == nil || back?.minorUnits == payment.asked else {
      throw Problem.validation([.init("/amount", "range", "More than is held.")])
    }
    return try release(payment, on: .cancelled, asked.message_id, call, in: tx)
  }

  /// The issuer does not wait for the merchant any more.
  /// - Throws: `Problem` not found; conflict `payment-out-of-order`.
  func expire(_ asked: IssuerBodies.Change, _ call: Call, in tx: any SQLTransaction) throws -> Outcome {
    let payment = try authorized(asked.authorization_id, on: .expired, call, in: tx)
    return try release(payment, on: .expired, asked.message_id, call, in: tx)
  }

  private func release(
    _ payment: CardPayment, on event: PaymentEvent, _ message: String, _ call: Call, in tx: any SQLTransaction
  ) throws -> Outcome {
    var payment = payment
    try payments.release(&payment, on: event, by: call.actor, in: tx)
    var outcome = Outcome(message, .approved, payment)
    outcome.transaction_id = payment.lifecycle
    return outcome
  }

  // MARK: Parts

  /// Holds another amount for a payment.
  /// - Returns: why not; nil when it is held.
  func hold(
    _ minorUnits: Int64, for payment: inout CardPayment, _ call: Call, in tx: any SQLTransaction
  ) throws -> LedgerDecline? {
    guard let former = payment.hold else { throw Self.outOfOrder(payment.state) }
    let order = HoldOrder(
      TransferOrder(
        .purchase, tenant: payment.tenant, key: "\(call.key) hold", debit: payment.account,
        credit: InternalAccounts.account(.cards, tenant: payment.tenant), amount: Money(minorUnits, payment.currency)))
    switch try ledger.replace(former, by: order, note: payment.particulars.note, in: tx) {
    case .done(let hold):
      (payment.hold, payment.lifecycle, payment.asked) = (hold.id, hold.id.rawValue, minorUnits)
      return nil
    case .declined(_, let reason): return reason
    case .refused(let refusal): throw Problem(posting: refusal)
    }
  }

  /// Why a card does not pay, with account and card locked.
  func refusal(
    of card: PaymentCard, paying minorUnits: Int64, adding added: Int64, _ call: Call, in tx: any SQLTransaction
  ) throws -> CardResponseCode? {
    if let refusal = try payments.refusal(of: card, in: tx) { return refusal }
    let spent = try CardPaymentStore(tx, vault: core.vault).spent(by: card.id, on: Ledger.day(of: core.world.now()))
    let limits = try IssuerMessageStore(tx).limits(of: call.tenant.id)
    return limits.allow(minorUnits, adding: added, to: spent) ? nil : .exceedsLimit
  }

  /// As much of an amount as the account has; all of it where it has nothing, which declines it.
  private func affordable(_ amount: Money, on id: BankAccount.ID, in tx: any SQLTransaction) throws -> Money {
    guard let account = try LedgerStore(tx).account(id) else { return amount }
    let free = account.actual - account.held - (account.availableMin ?? 0)
    return free > 0 && free < amount.minorUnits ? Money(free, amount.currency) : amount
  }

  /// The card that the issuer names, with accounts and card locked.
  /// - Returns: nil for one that is not the tenant's.
  func locked(_ reference: String, _ call: Call, in tx: any SQLTransaction) throws -> PaymentCard? {
    let store = CardStore(tx, vault: core.vault)
    guard let found = try store.find(reference: IssuerBodies.id(reference, "card_reference"), tenant: call.tenant.id)
    else { return nil }
    try settlement.lock(found.account, of: call.tenant.id, in: tx)
    return try store.keep(found.id)
  }

  /// The card of a payment, with accounts and card locked.
  func card(of payment: CardPayment, in tx: any SQLTransaction) throws -> PaymentCard {
    try settlement.lock(payment.account, of: payment.tenant, in: tx)
    guard let card = try CardStore(tx, vault: core.vault).keep(payment.card) else { throw Problem.unexpected }
    return card
  }

  func payment(_ id: CardPayment.ID, in tx: any SQLTransaction) throws -> CardPayment {
    guard let payment = try CardPaymentStore(tx, vault: core.vault).take(id) else { throw Problem.unexpected }
    return payment
  }

  private func authorized(
    _ name: String, on event: PaymentEvent, _ call: Call, in tx: any SQLTransaction
  ) throws -> CardPayment {
    let reference = try IssuerMessageStore(tx).take(
      IssuerBodies.id(name, "authorization_id"), of: call.tenant.id)
    guard let id = reference.payment else { throw Problem.notFound }
    let payment = try payment(id, in: tx)
    guard paymentFlow.allows(event, from: payment.state) else { throw Self.outOfOrder(payment.state) }
    return payment
  }

  private func end(_ text: String?) throws -> Instant? {
    try text.map { text in
      let now = core.world.now()
      guard let end = Instant(rfc3339: text), end > now, end <= now + Self.lifetimeMax else {
        throw Problem.validation([.init("/expires_at", "range", "An instant within the next 31 days.")])
      }
      return end
    }
  }

  static func outOfOrder(_ state: PaymentState) -> Problem {
    Problem(.conflict, "payment-out-of-order", "The payment is \(state.rawValue), which does not allow this step.")
  }
}
