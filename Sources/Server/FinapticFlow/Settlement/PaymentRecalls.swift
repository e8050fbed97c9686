// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Payments
import Storage

/// What people decide about requests of other banks to give a payment back.
///
/// The bank decides whether the money goes back, and asks its customer before where law or scheme demand that. What
/// goes back is answered (camt.029) and returned (pacs.004) with the reason FOCR, following a request of cancellation.
package struct PaymentRecalls: Sendable {
  /// Requests of one list.
  package static let listMax = 500

  let core: CoreDependencies
  let ledger: Ledger

  private var machine: PaymentRecallMachine { PaymentRecallMachine(vault: core.vault) }

  /// A request, and the payment that it names now.
  package struct Item: Sendable {
    package let recall: PaymentRecall
    package let payment: BankPayment?
  }

  /// Requests that wait, the oldest first.
  package func open(of tenant: Int) async throws -> [Item] {
    try await core.database.read { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      return try PaymentRecallStore(tx, vault: core.vault).open(tenant: tenant, limit: Self.listMax).map {
        Item(recall: $0, payment: try BankPaymentStore(tx, vault: core.vault).payment(of: $0, core.vault))
      }
    }
  }

  /// One that a person looks at, which the audit keeps.
  /// - Throws: `Problem` not found, also for what was answered.
  package func look(_ id: PaymentRecall.ID, of tenant: Int, by actor: String) async throws -> Item {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard let recall = try PaymentRecallStore(tx, vault: core.vault).find(id, tenant: tenant),
        PaymentRecallMachine.work(for: recall) != nil
      else { throw Problem.notFound }
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.note("recall.seen", "recall-\(id)", by: actor, ["why": why], in: tx)
      return Item(recall: recall, payment: try BankPaymentStore(tx, vault: core.vault).payment(of: recall, core.vault))
    }
  }

  /// Sends the money back: that of a payment that came in, from the customer's account or from the suspense account, to
  /// the other bank; that of one to another bank which nothing was told of yet, to the customer's account.
  /// - Parameter key: by which a second person is asked where the tenant demands it.
  /// - Returns: what is waited for; nil when it is booked.
  /// - Throws: `Problem` not found; conflict `recall-answered`, `payment-unknown` when no payment or several are named,
  ///   `not-returnable` when it went back or left before, `declined` when the account does not give the money; those of
  ///   `Settlement.pass`.
  @discardableResult
  package func accept(
    _ id: PaymentRecall.ID, of tenant: Int, under key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> RequestedApproval? {
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      var (recall, found) = try undecided(id, of: tenant, in: tx)
      guard let named = try BankPaymentStore(tx, vault: core.vault).payment(of: recall, core.vault) else {
        throw Problem(.conflict, "payment-unknown", "The request names no payment of the tenant, or several.")
      }
      let settlement = try Settlement.account(named.amount.currency, of: tenant, in: tx)
      try LedgerStore(tx).lock(Set([settlement.ledger, settlement.suspense] + [named.account].compactMap(\.self)))
      // Behind the locks.
      (recall, found) = try undecided(id, of: tenant, in: tx)
      guard var payment = try BankPaymentStore(tx, vault: core.vault).find(named.id, tenant: tenant),
        payment.account == named.account
      else { throw SQLError.outdated }
      let order = try self.order(payment, settlement, in: tx)
      let asked = FourEyesGate.ProposedAct(
        action: .recall, subject: recall.id.rawValue, version: recall.version,
        request: "amount \(payment.amount.decimal) \(payment.amount.currency); payment \(payment.id)",
        condition: Self.condition(of: payment), person: try holder(of: payment, in: tx),
        chain: "recall-\(recall.id)")
      let gateKey = try FourEyesGate(core: core).key(key, of: asked, tenant: found, by: actor, in: tx)
      let waiting = try Settlement.pass(
        asked, moving: payment.amount, key: gateKey, of: found, by: actor, core, in: tx)
      if let waiting { return waiting }
      switch try ledger.transfer(order, in: tx) {
      case .done: break
      case .declined: throw Problem(.conflict, "declined", "The account does not give or take the money.")
      case .refused(let refusal): throw Problem(posting: refusal)
      }
      payment.returnReason = ReturnReason.followingCancellation.rawValue
      payment.owesFile = payment.direction == .incoming
      if payment.direction == .outgoing { payment.content = nil }
      // What was credited is told in the words of the request: its own were not kept.
      if payment.owesFile, payment.content == nil { payment.content = recall.content.map(Self.content) }
      try core.mover.move(
        &payment, on: .recalled, of: BankPaymentMachine(vault: core.vault), by: actor,
        facts: ["recall": recall.id.rawValue], in: tx)
      recall.payment = payment.id
      try core.mover.move(&recall, on: .accepted, of: machine, by: actor, in: tx)
      return nil
    }
  }

  /// How the payment stands, as the second person is told.
  static func condition(of payment: BankPayment) -> String { "payment \(payment.state.rawValue) \(payment.version)" }

  /// Answers that the money does not go back. It moves none, so one person does it.
  /// - Throws: `Problem` not found; conflict `recall-answered`.
  package func decline(
    _ id: PaymentRecall.ID, because reason: CancellationRejection, of tenant: Int, by actor: String
  ) async throws { try await answer(id, .declined, reason, of: tenant, by: actor) }

  /// Answers that it is not decided yet, once.
  /// - Throws: as `decline`.
  package func postpone(_ id: PaymentRecall.ID, of tenant: Int, by actor: String) async throws {
    try await answer(id, .postponed, nil, of: tenant, by: actor)
  }

  private func answer(
    _ id: PaymentRecall.ID, _ event: PaymentRecallEvent, _ reason: CancellationRejection?, of tenant: Int,
    by actor: String
  ) async throws {
    try await core.database.write(retrying: .outdated) { [self] tx in
      var (recall, _) = try undecided(id, of: tenant, in: tx)
      recall.rejection = reason
      recall.payment = try BankPaymentStore(tx, vault: core.vault).payment(of: recall, core.vault)?.id
      try core.mover.move(&recall, on: event, of: machine, by: actor, in: tx)
    }
  }

  private func undecided(
    _ id: PaymentRecall.ID, of tenant: Int, in tx: any SQLTransaction
  ) throws -> (PaymentRecall, FinapticTenant) {
    guard let found = try TenantStore(tx).find(tenant),
      let recall = try PaymentRecallStore(tx, vault: core.vault).find(id, tenant: tenant)
    else { throw Problem.notFound }
    guard recall.state == .open || recall.state == .pending else {
      throw machine.refusal(of: .accepted, in: recall.state)
    }
    return (recall, found)
  }

  /// How the money of a payment goes back.
  private func order(
    _ payment: BankPayment, _ settlement: SettlementAccount, in tx: any SQLTransaction
  ) throws -> TransferOrder {
    guard let former = try LedgerStore(tx).transfer(payment.transfer) else { throw Problem.unexpected }
    let (source, target): (LedgerAccount.ID, LedgerAccount.ID)
    switch (payment.direction, payment.state, payment.account) {
    case (.incoming, .credited, let account?): (source, target) = (account, settlement.ledger)
    case (.incoming, .suspended, _) where payment.content?.own == nil:
      (source, target) = (settlement.suspense, settlement.ledger)
    case (.outgoing, .ordered, let account?) where payment.owesFile && payment.toldAt == nil:
      (source, target) = (settlement.ledger, account)
    default:
      throw Problem(.conflict, "not-returnable", "The money of this payment went back, or left, before.")
    }
    // Money that waited on the suspense account came to the customer by another booking.
    let isOwn = payment.direction == .outgoing || former.order.credit == source
    return TransferOrder(
      .reversal, tenant: payment.tenant, key: "bank-recall \(payment.id)", debit: source, credit: target,
      amount: payment.amount, lifecycle: isOwn ? former.lifecycle : nil)
  }

  private func holder(of payment: BankPayment, in tx: any SQLTransaction) throws -> String? {
    try payment.account.flatMap { try AccountStore(tx).find($0, tenant: payment.tenant)?.keyHolder(in: tx) }
  }

  private static func content(_ asked: PaymentRecall.Content) -> BankPayment.Content {
    var content = BankPayment.Content()
    (content.messageID, content.messageName) = (asked.messageID ?? "", asked.messageName ?? "")
    (content.endToEndID, content.transactionID, content.uetr) = (asked.endToEndID, asked.transactionID, asked.uetr)
    return content
  }
}

extension PaymentRecall.Content {
  init(_ request: CancellationMessage.Request, from assigner: CancellationMessage.Party) {
    self.init()
    switch assigner {
    case .agent(let agent): (bic, member) = (agent.bic?.text, agent.clearingMember)
    case .party(let party): name = party
    }
    let original = request.original
    (messageID, messageName) = (original.messageID, original.messageName)
    (instructionID, endToEndID, transactionID) = (original.instructionID, original.endToEndID, original.transactionID)
    (uetr, amount, currency) = (original.uetr, request.amount?.minorUnits, request.amount?.currency)
    reason = request.reasons.first.flatMap { $0.code ?? $0.proprietary }
  }

  var original: OriginalPayment {
    OriginalPayment(
      messageID: messageID, messageName: messageName, instructionID: instructionID, endToEndID: endToEndID,
      transactionID: transactionID, uetr: uetr)
  }
}
