// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// Payments by card, as the card network would have them: for sandbox tenants (finaptic §11.4). Each step is one
/// transaction of READ COMMITTED that takes the payment's row, then the accounts', then the card's: steps of one
/// payment wait for each other, and so do those of one account, always in this order.
package struct CardPayments: Sendable {
  typealias Outcome = CardPaymentBodies.Outcome

  /// Of merchants who do not say what they sell: miscellaneous shops.
  static let defaultCategory = "5999"
  private static let nameMax = 99

  let core: CoreDependencies
  let ledger: Ledger
  let cards: CardService
  let recorder: BankTransactionRecorder
  let policy: FinapticPolicy

  // MARK: Purchases

  /// Ids of a payment, made before its transaction, which may run more than once.
  struct New: Sendable {
    let id: CardPayment.ID
    /// Of the transaction, should it be declined before the books are asked.
    let declined: String

    init(_ world: World) { (id, declined) = (.init(rawValue: world.randomUUID()), world.uuid()) }
  }

  /// What is asked for; account and card are locked.
  struct Asked {
    let card: PaymentCard
    var amount: Money
    let merchant: BankTransaction.Particulars.Merchant
  }

  /// What became of a payment that was asked for.
  struct Paid {
    let payment: CardPayment
    let transaction: String
    let code: CardResponseCode
  }

  /// - Parameter isFinal: a purchase in one step; otherwise money is held until it is confirmed or cancelled.
  /// - Throws: `Problem` invalid argument; not found for the card. A payment that is declined is an answer.
  func purchase(
    _ body: CardPaymentBodies.Purchase, isFinal: Bool, new: New, of tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Outcome {
    let asked = try read(body.payment, of: tenant, in: tx)
    let refusal = try refusal(of: asked.card, in: tx)
    guard asked.amount.minorUnits < Money.beyondDecimal else {
      return try declinedBeyond(asked.card, refusal, new: new, of: tenant, in: tx)
    }
    let paid = try pay(
      asked, refusal: refusal, isFinal: isFinal, new: new, of: tenant, by: actor, in: tx)
    return outcome(paid.payment, paid.transaction, paid.code)
  }

  /// - Parameters:
  ///   - refusal: why the card does not pay, whatever its account has.
  ///   - isFinal: as in `purchase`.
  ///   - end: when an authorization ends that is not confirmed; nil for the policy's.
  func pay(
    _ asked: Asked, refusal: CardResponseCode?, isFinal: Bool, until end: Instant? = nil, new: New,
    of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> Paid {
    let particulars = BankTransaction.Particulars(merchant: asked.merchant, card: asked.card.id.rawValue)
    let note = try particulars.note
    let order = TransferOrder(
      .purchase, tenant: tenant.id, key: "card \(new.id)", debit: asked.card.account,
      credit: InternalAccounts.account(.cards, tenant: tenant.id), amount: asked.amount)
    func payment(
      _ state: PaymentState, _ lifecycle: String, settled: Int64 = 0, hold: LedgerHold.ID? = nil
    ) -> CardPayment {
      let now = core.world.now()
      return CardPayment(
        id: new.id, tenant: tenant.id, card: asked.card.id, account: asked.card.account, state: state,
        currency: asked.amount.currency, asked: asked.amount.minorUnits, settled: settled, hold: hold,
        lifecycle: lifecycle, merchant: asked.merchant,
        expiresAt: state == .authorized ? end ?? now + policy.authorizationLifetime : nil, createdAt: now)
    }
    if let refusal {
      try recorder.recordDeclined(
        .init(rawValue: new.declined), order, of: tenant.id, particulars, at: core.world.now(), in: tx)
      return try begin(payment(.declined, new.declined), new.declined, refusal, by: actor, in: tx)
    }
    if isFinal {
      switch try ledger.transfer(order, note: note, in: tx) {
      case .done(let done):
        return try begin(
          payment(.settled, done.lifecycle, settled: asked.amount.minorUnits), done.id.rawValue, .approved, by: actor,
          in: tx)
      case .declined(let kept, let reason):
        return try begin(payment(.declined, kept.lifecycle), kept.id.rawValue, .init(reason), by: actor, in: tx)
      case .refused(let refusal): throw Self.refused(refusal)
      }
    }
    switch try ledger.hold(HoldOrder(order), note: note, in: tx) {
    case .done(let hold):
      return try begin(
        payment(.authorized, hold.id.rawValue, hold: hold.id), hold.id.rawValue, .approved, by: actor, in: tx)
    case .declined(let hold, let reason):
      return try begin(payment(.declined, hold.id.rawValue), hold.id.rawValue, .init(reason), by: actor, in: tx)
    case .refused(let refusal): throw Self.refused(refusal)
    }
  }

  func begin(
    _ payment: CardPayment, _ transaction: String, _ code: CardResponseCode, by actor: String, in tx: any SQLTransaction
  ) throws -> Paid {
    try CardPaymentStore(tx, vault: core.vault).insert(payment)
    try core.note(
      "cardPayment.\(payment.state.rawValue)", "card-\(payment.card)", by: actor,
      ["payment": payment.id.rawValue, "response": code.rawValue], in: tx)
    return Paid(payment: payment, transaction: transaction, code: code)
  }

  /// Why a card does not pay, whatever its account has: account and card are locked.
  func refusal(of card: PaymentCard, in tx: any SQLTransaction) throws -> CardResponseCode? {
    let store = CardStore(tx, vault: core.vault)
    guard try !store.isBlocked(card.id) else {
      let reasons = try store.blockReasons(card.id)
      return reasons.contains(.cardStolen) ? .stolenCard : reasons.contains(.cardLost) ? .lostCard : .restrictedCard
    }
    guard card.state == .active, try LedgerStore(tx).mayUse(card.holder, card.account),
      let secrets = try store.secrets(of: card.id)
    else { return .restrictedCard }
    let today = try AgeOfMajority().today(at: core.world.now())
    return secrets.expiry < CardExpiry(months: 0, after: today) ? .expiredCard : nil
  }

  private func read(
    _ details: CardPaymentBodies.Details?, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> Asked {
    var check = InputCheck()
    let cardID = check.id(details?.cardId, "payment.cardId")
    let amount =
      Self.beyond(details?.amount) ?? check.cardAmount(details?.amount, "payment.amount", isRequired: true)
    let name = check.text(details?.cardAcceptorName, "payment.cardAcceptorName", max: Self.nameMax, isRequired: true)
    let category = check.text(details?.merchantCategoryCode, "payment.merchantCategoryCode", "Four digits.") {
      $0.wholeMatch(of: /[0-9]{4}/) != nil
    }
    try check.end()
    guard let cardID, let amount, let name else { throw Problem.unexpected }
    guard let found = try cards.find(cardID, tenant: tenant.id, in: tx) else {
      throw CardService.unknown
    }
    // Until this transaction ends, the card is not locked and its holder is not removed from the account.
    try LedgerStore(tx).lock([found.account, InternalAccounts.account(.cards, tenant: tenant.id)])
    guard let card = try CardStore(tx, vault: core.vault).keep(found.id) else { throw CardService.unknown }
    return Asked(
      card: card, amount: amount, merchant: .init(name: name, categoryCode: category ?? Self.defaultCategory))
  }

  /// More was asked for a payment, and refused before the books were asked.
  func recordDeclined(
    _ amount: Money, of payment: CardPayment, as id: String, in tx: any SQLTransaction
  ) throws {
    let order = TransferOrder(
      .purchase, tenant: payment.tenant, key: "card \(payment.id)", debit: payment.account,
      credit: InternalAccounts.account(.cards, tenant: payment.tenant), amount: amount)
    try recorder.recordDeclined(
      .init(rawValue: id), order, of: payment.tenant, payment.particulars, at: core.world.now(), in: tx)
  }

  // MARK: Later steps

  /// The merchant takes the money, or less of it; the rest is given back.
  /// - Throws: `Problem` invalid argument; not found; failed precondition.
  func confirm(
    _ body: CardPaymentBodies.Step, of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> Outcome {
    var (payment, amount) = try find(body, of: tenant, in: tx)
    let units = amount?.minorUnits ?? payment.asked
    guard let hold = payment.hold, paymentFlow.allows(.confirmed, from: payment.state) else {
      throw Self.outOfOrder(payment.state)
    }
    guard units <= payment.asked else { throw Self.tooMuch }
    let answer = try ledger.settle(
      SettlementOrder(
        tenant: BankAccount.ledgerTenant(tenant.id), key: "card \(payment.id) confirm",
        kind: BankTransaction.Kind.purchase.rawValue, hold: hold, minorUnits: units),
      note: try payment.particulars.note, in: tx)
    guard case .done(let done) = answer else { throw Problem.unexpected }
    payment.settled = units
    try move(&payment, on: .confirmed, by: actor, in: tx)
    return outcome(payment, done.id.rawValue, .approved)
  }

  /// The merchant gives the authorization back.
  /// - Throws: as `confirm`.
  func cancel(
    _ body: CardPaymentBodies.Step, of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> Outcome {
    var (payment, _) = try find(body, of: tenant, in: tx)
    try release(&payment, on: .cancelled, by: actor, in: tx)
    return outcome(payment, payment.lifecycle, .approved)
  }

  /// Money comes back: from the merchant, or from the network after a dispute.
  /// - Parameter kind: refund or chargeback.
  /// - Throws: as `confirm`.
  func giveBack(
    _ kind: BankTransaction.Kind, _ body: CardPaymentBodies.Step, of tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> Outcome {
    var (payment, amount) = try find(body, of: tenant, in: tx)
    let units = amount?.minorUnits ?? payment.left
    let isWhole = units == payment.left
    let event: PaymentEvent = kind == .chargeback ? .chargedBack : isWhole ? .refundedWhole : .refundedInPart
    guard paymentFlow.allows(event, from: payment.state) else { throw Self.outOfOrder(payment.state) }
    guard units <= payment.left else { throw Self.tooMuch }
    let answer = try ledger.transfer(
      TransferOrder(
        kind, tenant: tenant.id, key: "card \(payment.id) back \(payment.returned)",
        debit: InternalAccounts.account(.cards, tenant: tenant.id), credit: payment.account,
        amount: Money(units, payment.currency), lifecycle: payment.lifecycle),
      note: try payment.particulars.note, in: tx)
    if case .declined(_, .accountClosed) = answer { throw Self.closed }
    guard case .done(let done) = answer else { throw Problem.unexpected }
    payment.returned += units
    try move(&payment, on: event, by: actor, in: tx)
    return outcome(payment, done.id.rawValue, .approved)
  }

  // MARK: Time

  /// Gives back what no merchant asked for in time, one payment a transaction.
  package func expire() async throws {
    try await core.database.forEachDue { [core] page, tx in
      try CardPaymentStore(tx, vault: core.vault).overdue(
        at: core.world.now(), besides: page.failed, limit: page.limit)
    } do: { id in
      try await core.database.write(retrying: .outdated, .readCommitted) { [self] tx in
        guard var payment = try CardPaymentStore(tx, vault: core.vault).take(id),
          paymentFlow.allows(.expired, from: payment.state)
        else { return }
        try release(&payment, on: .expired, by: "system", in: tx)
      }
    }
  }

  // MARK: What steps share

  private func find(
    _ body: CardPaymentBodies.Step, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> (CardPayment, Money?) {
    var check = InputCheck()
    let id = check.id(body.id, "id", isRequired: body.lifecycleTransactionId == nil)
    let lifecycle = check.id(body.lifecycleTransactionId, "lifecycleTransactionId", isRequired: false)
    let card = check.id(body.cardId, "cardId", isRequired: false)
    let amount = check.cardAmount(body.amount, "amount", isRequired: false)
    try check.end()
    let store = CardPaymentStore(tx, vault: core.vault)
    let found = try id.map { try store.take(.init(rawValue: $0)) } ?? lifecycle.map { try store.take(lifecycle: $0) }
    guard let payment = found ?? nil, payment.tenant == tenant.id, lifecycle ?? payment.lifecycle == payment.lifecycle,
      card ?? payment.card.rawValue == payment.card.rawValue
    else { throw Problem.finaptic(.notFound, "There is no such payment.") }
    return (payment, amount)
  }

  func release(
    _ payment: inout CardPayment, on event: PaymentEvent, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard let hold = payment.hold, paymentFlow.allows(event, from: payment.state) else {
      throw Self.outOfOrder(payment.state)
    }
    let answer = try ledger.release(hold, tenant: BankAccount.ledgerTenant(payment.tenant), in: tx)
    guard case .done = answer else { throw Problem.unexpected }
    try move(&payment, on: event, by: actor, in: tx)
  }

  func move(
    _ payment: inout CardPayment, on event: PaymentEvent, by actor: String, in tx: any SQLTransaction
  ) throws {
    try core.mover.move(&payment, on: event, of: PaymentMachine(core: core), by: actor, in: tx)
  }

  private func outcome(_ payment: CardPayment, _ transaction: String, _ code: CardResponseCode) -> Outcome {
    .init(
      lifecycleTransactionId: payment.lifecycle, transactionId: transaction, responseCode: code.rawValue,
      id: payment.id.rawValue)
  }

  // MARK: Refusals

  private static let tooMuch = Problem.finapticFields([.init("/amount", "range", "More than there is left of it.")])

  /// Nothing is booked: the bank owes the customer what came back, and finds their other accounts.
  private static let closed = Problem.finaptic(.failedPrecondition, "The account is closed and takes no money.")

  static func outOfOrder(_ state: PaymentState) -> Problem {
    .finaptic(.failedPrecondition, "The payment is \(state.rawValue), which does not allow this step.")
  }

  static func refused(_ refusal: LedgerRefusal) -> Problem {
    refusal == .outOfRange || refusal == .currencyDiffers
      ? .finapticFields([.init("/payment/amount", "range", "Not an amount of this account.")]) : .unexpected
  }
}

extension CardResponseCode {
  init(_ reason: LedgerDecline) {
    switch reason {
    case .insufficientFunds: self = .insufficientFunds
    case .accountInactive, .accountFrozen, .accountClosed: self = .notPermitted
    }
  }
}

extension InputCheck {
  /// More than nothing, in the bank's currency.
  mutating func cardAmount(_ amount: FinapticAPI.Amount?, _ path: String, isRequired: Bool) -> Money? {
    guard let amount = required(amount, path, isRequired) else { return nil }
    guard amount.currency == InternalAccounts.currency,
      let money = Money(decimal: amount.amount, currency: amount.currency),
      money.minorUnits > 0
    else {
      refuse(path, "range", "More than 0, at most two decimals, in \(InternalAccounts.currency).")
      return nil
    }
    return money
  }
}
