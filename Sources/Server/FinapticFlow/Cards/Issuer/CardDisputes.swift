// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Disputes of payments by card: what the issuer tells of them, and the bank's decision to give the customer the money
/// for the time being. Money goes to the customer once, by that decision or when the dispute is won; it is taken back
/// once, when the dispute is lost.
package struct CardDisputes: Sendable {
  static let listMax = 500

  let core: CoreDependencies
  let messages: IssuerMessages
  private var settlement: CardSettlement { messages.settlement }

  // MARK: What the issuer tells

  /// - Throws: `Problem` validation; not found; conflict `payment-out-of-order`, `dispute-exists`.
  func open(
    _ asked: IssuerBodies.Chargeback, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> IssuerBodies.Outcome {
    let (amount, store) = (try asked.amount?.cardMoney(), CardDisputeStore(tx))
    let reference = try IssuerBodies.id(asked.dispute_id, "dispute_id")
    let reason = try IssuerBodies.id(asked.reason_code, "reason_code")
    guard
      let id = try IssuerMessageStore(tx).take(
        IssuerBodies.id(asked.authorization_id, "authorization_id"), of: call.tenant.id
      ).payment
    else { throw Problem.notFound }
    let payment = try messages.payment(id, in: tx)
    guard paymentFlow.allows(.chargedBack, from: payment.state), payment.left > 0 else {
      throw IssuerMessages.outOfOrder(payment.state)
    }
    guard (amount?.minorUnits ?? 0) <= payment.left else {
      throw Problem.validation([.init("/amount", "range", "More than there is left of it.")])
    }
    guard try !store.hasOpen(for: id), try store.find(reference: reference, tenant: call.tenant.id) == nil else {
      throw Problem(.conflict, "dispute-exists", "The payment is disputed already, or the dispute_id was used.")
    }
    let dispute = CardDispute(
      id: .init(core.world), tenant: call.tenant.id, reference: reference, payment: id, account: payment.account,
      amount: amount?.minorUnits ?? payment.left, reason: reason, state: .opened, openedAt: core.world.now(),
      version: 0)
    // The code that ends the account looks for this.
    try settlement.lock(payment.account, of: payment.tenant, in: tx)
    try LedgerStore(tx).touch(payment.account)
    try store.insert(dispute)
    try core.note(
      "cardDispute.opened", "card-dispute-\(dispute.id)", by: call.actor,
      ["payment": id.rawValue, "reason": reason], in: tx)
    if let work = CardDisputeMachine.work(for: dispute) {
      try core.cases.open(work, formerly: nil, by: call.actor, in: tx)
    }
    return outcome(asked.message_id, dispute, nil)
  }

  /// - Throws: `Problem` not found; conflict `dispute-out-of-order`.
  func step(
    _ asked: IssuerBodies.DisputeStep, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> IssuerBodies.Outcome {
    let store = CardDisputeStore(tx)
    let reference = try IssuerBodies.id(asked.dispute_id, "dispute_id")
    guard let seen = try store.find(reference: reference, tenant: call.tenant.id) else { throw Problem.notFound }
    let event: CardDisputeEvent =
      switch asked.event {
      case .represented: .represented
      case .won: .won
      case .lost: .lost
      }
    // The payment's row is taken first: of two steps the later one sees what the earlier did.
    var payment = try messages.payment(seen.payment, in: tx)
    guard var dispute = try store.find(seen.id, tenant: seen.tenant) else { throw Problem.notFound }
    let wasCredited = dispute.state.isCredited
    try core.mover.move(&dispute, on: event, of: CardDisputeMachine(), by: call.actor, in: tx)
    let booking: CardSettlement.Booking? =
      switch (event, wasCredited) {
      case (.won, true): try keep(payment, dispute, call, in: tx)
      case (.won, false): try win(&payment, dispute, call, in: tx)
      case (.lost, true): try takeBack(&payment, dispute, call, in: tx)
      default: nil
      }
    return outcome(asked.message_id, dispute, booking)
  }

  /// The network pays what the bank had given.
  private func keep(
    _ payment: CardPayment, _ dispute: CardDispute, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> CardSettlement.Booking {
    try settlement.lock(payment.account, of: payment.tenant, in: tx)
    var order = order(payment, dispute, key: call.key)
    order.note = nil
    guard try settlement.transfer(order, .chargeback, order.network, order.suspense, in: tx) != nil else {
      throw Problem.unexpected
    }
    return .init()
  }

  /// The network pays the customer. What came back meanwhile in another way, or cannot be booked, waits for a person.
  private func win(
    _ payment: inout CardPayment, _ dispute: CardDispute, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> CardSettlement.Booking {
    try settlement.lock(payment.account, of: payment.tenant, in: tx)
    let isOpen = paymentFlow.allows(.chargedBack, from: payment.state) && dispute.amount <= payment.left
    let order = order(payment, dispute, key: call.key)
    guard isOpen else {
      return try settlement.give(order, as: .chargeback, doubt: .unmatchedRefund, by: call.actor, in: tx)
    }
    let repaid = try settlement.repay(order, by: call.actor, in: tx)
    var booking = CardSettlement.Booking()
    if repaid.left > 0 {
      var rest = self.order(payment, dispute, key: "\(call.key) rest")
      rest.amount = Money(repaid.left, payment.currency)
      booking = try settlement.give(rest, as: .chargeback, doubt: nil, by: call.actor, in: tx)
    }
    booking.suspended += repaid.suspended
    payment.returned += dispute.amount
    try messages.payments.move(&payment, on: .chargedBack, by: call.actor, in: tx)
    return booking
  }

  /// What the customer was given for the time being goes back to the bank, or is owed to it.
  private func takeBack(
    _ payment: inout CardPayment, _ dispute: CardDispute, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> CardSettlement.Booking {
    try settlement.lock(payment.account, of: payment.tenant, in: tx)
    let order = order(payment, dispute, key: call.key)
    payment.returned -= dispute.amount
    try messages.payments.move(&payment, on: .chargebackLost, by: call.actor, in: tx)
    if let done = try settlement.transfer(order, .reversal, order.account, order.suspense, in: tx) {
      return .init(transaction: done)
    }
    try settlement.open(order, .owed, .disputeLost, by: call.actor, in: tx)
    return .init(transaction: nil, suspended: dispute.amount)
  }

  // MARK: What the bank decides

  /// Disputes that are not decided, the oldest first.
  package func waiting(of tenant: Int) async throws -> [CardDispute] {
    try await core.database.read { try CardDisputeStore($0).open(of: tenant, limit: Self.listMax) }
  }

  /// One that a person looks at, which the audit keeps.
  /// - Throws: `Problem` not found.
  package func look(_ id: CardDispute.ID, of tenant: Int, by actor: String) async throws -> CardDispute {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let found = try CardDisputeStore(tx).find(id, tenant: tenant) else { throw Problem.missing(.dispute) }
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.note("cardDispute.seen", "card-dispute-\(id)", by: actor, ["why": why], in: tx)
      return found
    }
  }

  /// Gives the customer the money for the time being, from the bank's suspense account.
  /// - Parameter key: by which a second person is asked where the tenant demands it.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: `Problem` not found; conflict `dispute-out-of-order`, `payment-out-of-order`, `owed-first`,
  ///   `written-off`, `declined`; those of `Settlement.pass`.
  package func credit(
    _ id: CardDispute.ID, of tenant: Int, under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    let orderKey = "card-dispute \(core.world.randomUUID())"
    return try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      let store = CardDisputeStore(tx)
      guard let found = try TenantStore(tx).find(tenant), let seen = try store.find(id, tenant: tenant) else {
        throw Problem.notFound
      }
      var payment = try messages.payment(seen.payment, in: tx)
      try settlement.lock(payment.account, of: tenant, in: tx)
      guard var dispute = try store.find(id, tenant: tenant) else { throw Problem.notFound }
      guard cardDisputeFlow.allows(.credited, from: dispute.state) else {
        throw CardDisputeMachine().refusal(of: .credited, in: dispute.state)
      }
      guard paymentFlow.allows(.chargedBack, from: payment.state), dispute.amount <= payment.left else {
        throw IssuerMessages.outOfOrder(payment.state)
      }
      guard try CardSuspenseStore(tx).owed(of: payment.id).isEmpty else {
        throw Problem(.conflict, "owed-first", "The bank paid for the customer: that is settled first.")
      }
      guard try CardSuspenseStore(tx).writtenOff(of: payment.id).isEmpty else {
        throw Problem(.conflict, "written-off", "The bank paid for the customer and gave it up.")
      }
      let asked = FourEyesGate.ProposedAct(
        action: .creditDispute, subject: dispute.id.rawValue, version: dispute.version,
        request: "amount \(dispute.money.decimal) \(dispute.money.currency); reason \(dispute.reason)",
        condition: "returned \(payment.returned)", chain: "card-dispute-\(dispute.id)")
      let gateKey = try FourEyesGate(core: core).key(key, of: asked, tenant: found, by: actor, in: tx)
      if let waiting = try Settlement.pass(
        asked, moving: dispute.money, key: gateKey, of: found, by: actor, core, in: tx)
      {
        return waiting
      }
      let order = order(payment, dispute, key: orderKey)
      guard try settlement.transfer(order, .chargeback, order.suspense, order.account, in: tx) != nil else {
        throw Problem(.conflict, "declined", "The account does not take the money.")
      }
      payment.returned += dispute.amount
      try messages.payments.move(&payment, on: .chargedBack, by: actor, in: tx)
      try core.mover.move(&dispute, on: .credited, of: CardDisputeMachine(), by: actor, in: tx)
      return nil
    }
  }

  // MARK: Parts

  private func order(_ payment: CardPayment, _ dispute: CardDispute, key: String) -> CardSettlement.Order {
    CardSettlement.Order(
      key: key, tenant: payment.tenant, account: payment.account, payment: payment.id, amount: dispute.money,
      lifecycle: payment.lifecycle, note: try? payment.particulars.note)
  }

  private func outcome(
    _ message: String, _ dispute: CardDispute, _ booking: CardSettlement.Booking?
  ) -> IssuerBodies.Outcome {
    var outcome = IssuerBodies.Outcome(message)
    (outcome.payment_id, outcome.dispute) = (dispute.payment.rawValue, dispute.state.word)
    outcome.amount = dispute.money.wire
    if booking?.suspended ?? 0 < dispute.amount { outcome.transaction_id = booking?.transaction?.id.rawValue }
    if let units = booking?.suspended, units > 0 {
      outcome.suspended = Money(units, dispute.money.currency).wire
    }
    return outcome
  }
}
