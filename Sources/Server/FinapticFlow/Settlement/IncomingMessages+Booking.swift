// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Payments
import Storage

/// One step of a message, in one transaction.
extension IncomingMessages {
  /// How long a payment of the same payer, reference and amount is doubtful although its own references are others:
  /// longer than a payment and its notification lie apart, shorter than a week's standing order.
  private static var repeatSpan: Duration { .days(5) }

  func perform(_ step: Step, _ call: Call, in tx: any SQLTransaction) throws -> StepOutcome {
    switch step {
    case .credit(let payment, let settlement): try credit(payment, settlement, call, in: tx)
    case .rejection(let id, let reason): try reject(id, reason, call, in: tx)
    case .giveBack(let returned, let message, let settlement):
      try takeBack(returned, of: message, settlement, call, in: tx)
    case .recall(let content): try keep(content, call, in: tx)
    case .told: .told
    }
  }

  /// Keeps a request to give a payment back, and opens the work of who decides on it.
  private func keep(_ content: PaymentRecall.Content, _ call: Call, in tx: any SQLTransaction) throws -> StepOutcome {
    var recall = PaymentRecall(
      id: .init(rawValue: call.id.rawValue), tenant: call.tenant, message: call.message, place: call.place,
      receivedAt: core.world.now(), state: .open, content: content, owesMessage: false)
    recall.payment = try BankPaymentStore(tx, vault: core.vault).payment(of: recall, core.vault)?.id
    guard try PaymentRecallStore(tx, vault: core.vault).insert(recall) else { return .repeated }
    var facts = ["state": recall.state.rawValue]
    facts["payment"] = recall.payment?.rawValue
    try core.note("recall.received", "recall-\(recall.id)", by: call.actor, facts, in: tx)
    if let work = PaymentRecallMachine.work(for: recall) {
      try core.cases.open(work, formerly: nil, by: call.actor, in: tx)
    }
    return .asked
  }

  private func credit(
    _ incoming: IncomingPayment, _ settlement: SettlementAccount, _ call: Call, in tx: any SQLTransaction
  ) throws -> StepOutcome {
    let target = try creditor(of: incoming, tenant: call.tenant, in: tx)
    // Locked before the look at what came, so that of two of the same payment at once the second one sees the first.
    try LedgerStore(tx).lock(Set([settlement.ledger, settlement.suspense] + [try? target.get()].compactMap(\.self)))
    guard let (references, doubt) = try recognise(incoming, call, in: tx) else { return .repeated }
    var reason = incoming.suspense ?? doubt
    if reason == nil {
      switch target {
      case .failure(let why): reason = why
      case .success(let account):
        let particulars = BankTransaction.Particulars(
          counterparty: incoming.content.debtor,
          clearingReference: incoming.content.transactionID ?? incoming.content.endToEndID)
        let order = TransferOrder(
          .deposit, tenant: call.tenant, key: "bank-in \(call.id)", debit: settlement.ledger, credit: account,
          amount: incoming.amount)
        switch try ledger.transfer(order, note: try particulars.note, in: tx) {
        case .done(let booked):
          try keep(incoming, references, .credited, account, booked.id, nil, call, in: tx)
          return .credited
        case .declined(_, let decline): reason = decline == .accountClosed ? .closedAccount : .inactiveAccount
        case .refused(.currencyDiffers): reason = .otherCurrency
        case .refused(let refusal): throw Problem(posting: refusal)
        }
      }
    }
    return try suspend(incoming, references, reason ?? .unknownAccount, settlement, call, in: tx)
  }

  /// - Returns: nil for what came before; otherwise the references under which it is kept, and a doubt.
  private func recognise(
    _ incoming: IncomingPayment, _ call: Call, in tx: any SQLTransaction
  ) throws -> (BankPayment.References, SuspenseReason?)? {
    let store = BankPaymentStore(tx, vault: core.vault)
    var references = incoming.references(core.vault)
    guard try !store.isTaken(call.message, place: call.place, tenant: call.tenant) else { return nil }
    let since = core.world.now() - Self.repeatSpan
    switch try store.duplicateStatus(of: references, incoming.amount, since: since, tenant: call.tenant) {
    case .repeated: return nil
    case .new: return (references, nil)
    case .alike: return (references, .possibleRepeat)
    case .reused:
      // They stay those of the first one.
      (references.uetr, references.transaction) = (nil, nil)
      return (references, .possibleRepeat)
    }
  }

  /// Books money of which the owner is not known to the suspense account, and opens the work of who finds out.
  private func suspend(
    _ incoming: IncomingPayment, _ references: BankPayment.References, _ reason: SuspenseReason,
    _ settlement: SettlementAccount, _ call: Call, in tx: any SQLTransaction
  ) throws -> StepOutcome {
    try LedgerStore(tx).lock([settlement.ledger, settlement.suspense])
    let order = TransferOrder(
      .deposit, tenant: call.tenant, key: "bank-suspense \(call.id)", debit: settlement.ledger,
      credit: settlement.suspense, amount: incoming.amount)
    guard case .done(let booked) = try ledger.transfer(order, in: tx) else { throw Problem.unexpected }
    let payment = try keep(incoming, references, .suspended, nil, booked.id, reason, call, in: tx)
    if let work = BankPaymentMachine.work(for: payment) {
      try core.cases.open(work, formerly: nil, by: call.actor, in: tx)
    }
    return .suspended
  }

  @discardableResult
  private func keep(
    _ incoming: IncomingPayment, _ references: BankPayment.References, _ state: BankPaymentState,
    _ account: BankAccount.ID?, _ transfer: LedgerTransfer.ID, _ reason: SuspenseReason?, _ call: Call,
    in tx: any SQLTransaction
  ) throws -> BankPayment {
    let payment = BankPayment(
      id: call.id, tenant: call.tenant, direction: .incoming, amount: incoming.amount, message: call.message,
      place: call.place, references: references, receivedAt: core.world.now(), state: state, account: account,
      transfer: transfer, suspense: reason, returnReason: nil, reversedBy: nil,
      // What is on an account is told by the account's own notes, which are sealed under its people's keys.
      content: state == .suspended ? incoming.content : nil, owesFile: false)
    try BankPaymentStore(tx, vault: core.vault).insert(payment)
    var facts = ["state": state.rawValue, "transfer": transfer.rawValue]
    if let reason { facts["reason"] = reason.rawValue }
    try core.note("payment.received", "payment-\(payment.id)", by: call.actor, facts, in: tx)
    return payment
  }

  /// The account that a payment names: by its number, or by its id, with or without hyphens.
  private func creditor(
    of incoming: IncomingPayment, tenant: Int, in tx: any SQLTransaction
  ) throws -> Result<BankAccount.ID, SuspenseReason> {
    let named = incoming.content.creditorAccount
    let id =
      try BankPayment.id(in: named).map { BankAccount.ID(rawValue: $0.rawValue) }
      ?? named.flatMap {
        try AccountNumberStore(tx).account(named: $0, routing: incoming.creditorMember, tenant: tenant)
      }
    guard let id, let account = try AccountStore(tx).find(id, tenant: tenant) else { return .failure(.unknownAccount) }
    guard account.receives else {
      return .failure(account.account.stop == .closed ? .closedAccount : .inactiveAccount)
    }
    return account.account.currency == incoming.amount.currency ? .success(account.id) : .failure(.otherCurrency)
  }

  // MARK: What comes back

  private func reject(
    _ id: BankPayment.ID?, _ reason: String?, _ call: Call, in tx: any SQLTransaction
  ) throws -> StepOutcome {
    guard let id, var payment = try BankPaymentStore(tx, vault: core.vault).find(id, tenant: call.tenant),
      payment.direction == .outgoing
    else { return .unknown }
    let isTaken = try BankPaymentStore(tx, vault: core.vault).isTaken(
      call.message, place: call.place, tenant: call.tenant)
    guard payment.state == .ordered, !isTaken else { return .repeated }
    guard
      let settlement = try SettlementStore(tx).all(of: call.tenant).first(where: {
        $0.currency == payment.amount.currency
      })
    else { throw Problem.unexpected }
    let isBack = try giveBack(
      &payment, payment.amount, on: .rejected, reason, settlement, call, in: tx)
    // Without an account that takes it, the money waits as a payment that came in.
    guard !isBack else { return .reversed }
    var lost = IncomingPayment(unplaced: payment.amount)
    lost.content.own = payment.id.rawValue
    return try suspend(lost, lost.references(core.vault), .unknownReturn, settlement, call, in: tx)
  }

  private func takeBack(
    _ returned: PaymentReturn, of message: PaymentReturnMessage, _ settlement: SettlementAccount, _ call: Call,
    in tx: any SQLTransaction
  ) throws -> StepOutcome {
    let store = BankPaymentStore(tx, vault: core.vault)
    guard try !store.isTaken(call.message, place: call.place, tenant: call.tenant) else { return .repeated }
    var incoming = IncomingPayment(returned, of: message)
    if let id = Self.payment(of: returned.original), var payment = try store.find(id, tenant: call.tenant),
      payment.direction == .outgoing
    {
      guard payment.reversedBy != Self.place(call) else { return .repeated }
      // Less comes back where a bank on the way took its charge.
      if payment.state == .ordered, returned.amount.currency == payment.amount.currency,
        returned.amount.minorUnits <= payment.amount.minorUnits
      {
        let isBack = try giveBack(
          &payment, returned.amount, on: .cameBack, returned.reasons.first?.code, settlement, call, in: tx)
        if isBack { return .reversed }
        incoming.content.own = payment.id.rawValue
      }
    }
    try LedgerStore(tx).lock([settlement.ledger, settlement.suspense])
    guard let (references, _) = try recognise(incoming, call, in: tx) else { return .repeated }
    return try suspend(incoming, references, .unknownReturn, settlement, call, in: tx)
  }

  private static func place(_ call: Call) -> String { "\(call.message) \(call.place)" }

  /// Puts money that did not arrive back on the account that gave it. The payment is over either way, so that what
  /// the other bank says of it again moves nothing.
  /// - Returns: false when the account does not take it any more; nothing is booked then.
  private func giveBack(
    _ payment: inout BankPayment, _ amount: Money, on event: BankPaymentEvent, _ reason: String?,
    _ settlement: SettlementAccount, _ call: Call, in tx: any SQLTransaction
  ) throws -> Bool {
    guard let account = payment.account, let former = try LedgerStore(tx).transfer(payment.transfer) else {
      throw Problem.unexpected
    }
    try LedgerStore(tx).lock([settlement.ledger, settlement.suspense, account])
    let order = TransferOrder(
      .reversal, tenant: call.tenant, key: "bank-back \(payment.id)", debit: settlement.ledger, credit: account,
      amount: amount, lifecycle: former.lifecycle)
    let isBack =
      switch try ledger.transfer(order, in: tx) {
      case .refused(let refusal): throw Problem(posting: refusal)
      case .declined: false
      case .done: true
      }
    (payment.returnReason, payment.reversedBy, payment.content) = (reason, Self.place(call), nil)
    payment.owesFile = false
    try core.mover.move(
      &payment, on: event, of: BankPaymentMachine(vault: core.vault), by: call.actor,
      facts: ["reason": reason ?? "none", "booked": isBack ? "account" : "suspense"], in: tx)
    return isBack
  }
}
