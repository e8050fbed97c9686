// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// Money that waits: looked at, answered for, taken, declined (finaptic §8.8). One transaction each.
struct IncomingTransferCommands: Sendable {
  /// Characters of a payment number.
  private static let numberMax = 35

  let core: CoreDependencies
  let ledger: Ledger
  let rules: InteracRules

  /// - Throws: `Problem` invalid transfer; inconsistent customer.
  func look(
    _ request: FinapticAPI.IncomingTransferRequest, for customer: String, of tenant: FinapticTenant,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.IncomingTransferResponse {
    let transfer = try find(request.interacPaymentNumber, for: customer, of: tenant, in: tx)
    return .init(transferDetails: transfer.view(at: core.world.now()))
  }

  /// - Throws: `Problem` of `look`; already cancelled; already accepted; in progress.
  func authenticate(
    _ request: FinapticAPI.AuthenticateIncomingTransferRequest, for customer: String, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> FinapticAPI.AuthenticateIncomingTransferResponse {
    var check = InputCheck()
    let answer = check.text(request.securityAnswer, "securityAnswer", isRequired: true, "A SHA-256 in hexadecimal.") {
      $0.wholeMatch(of: /[0-9A-Fa-f]{64}/) != nil
    }
    var transfer = try find(request.interacPaymentNumber, for: customer, of: tenant, &check, in: tx)
    try requireOpen(transfer)
    guard transfer.status != .authorized else { throw Self.inProgress }
    guard let digest = transfer.answerDigest, let answer else {
      // Nothing is asked: whatever was answered is right.
      return .init(interacPaymentNumber: transfer.number.rawValue, success: true, retryAllowed: false)
    }
    let isRight = core.vault.digest(answer.lowercased(), for: "interac answer") == digest
    if isRight { transfer.customer = customer } else { transfer.wrongAnswers += 1 }
    let isLast = transfer.wrongAnswers >= rules.answersMax
    try move(&transfer, on: isRight ? .answered : isLast ? .answersExhausted : .answeredWrong, by: actor, in: tx)
    return .init(
      interacPaymentNumber: transfer.number.rawValue, success: isRight,
      retryAllowed: transfer.status == .available)
  }

  /// In a transaction that reads what others commit: what it decides by is held first.
  /// - Throws: `Problem` of `look`; already cancelled; already accepted; authentication required; invalid account;
  ///   limits exceeded; failed precondition where the network is not reached.
  func complete(
    _ request: FinapticAPI.CompleteIncomingTransferRequest, for customer: String, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> FinapticAPI.CompleteIncomingTransferResponse {
    var check = InputCheck()
    let (target, memo) = (check.id(request.targetAccountId, "targetAccountId"), check.memo(request.recipientMemo))
    var transfer = try find(request.interacPaymentNumber, for: customer, of: tenant, &check, in: tx)
    try requireOpen(transfer)
    try InteracNotifier.require(of: tenant, core, in: tx)
    guard transfer.answerDigest == nil || transfer.status == .authorized else { throw Self.unanswered }
    let access = AccountAccess(tx, tenant: tenant.id, customer: customer)
    guard let target, let seen = try access.find(.init(rawValue: target)) else {
      throw Problem.interacInvalidAccount("targetAccountId")
    }
    // What one customer takes at once is taken one after the other, so that the sum of the day has all of it. A block or
    // an erasure that was waited for has ended the session.
    guard try !FinapticUserStore.takeIsBlocked(customer: customer, tenant: tenant.id, in: tx) else {
      throw Problem.signInRequired
    }
    // Until this transaction ends, the customer is not taken off the account.
    try LedgerStore(tx).lock([seen.id, InternalAccounts.account(.interac, tenant: tenant.id)])
    guard let account = try access.find(seen.id), account.receives else {
      throw Problem.interacInvalidAccount("targetAccountId")
    }
    // Another one may have taken it while the accounts were waited for.
    transfer = try find(request.interacPaymentNumber, for: customer, of: tenant, in: tx)
    try requireOpen(transfer)
    guard transfer.answerDigest == nil || transfer.status == .authorized else { throw Self.unanswered }
    let now = core.world.now()
    let taken = try IncomingTransferStore(tx, vault: core.vault).taken(by: customer, since: now - .days(1))
    guard transfer.amount.minorUnits <= rules.takenPerDayMax - taken else { throw Self.limitExceeded }
    (transfer.customer, transfer.account, transfer.content.recipientMemo) = (customer, target, memo)
    let booked = try book(transfer, to: account.id, in: tx)
    transfer.transaction = booked.id.rawValue
    try move(&transfer, on: .completed, by: actor, ["account": target], in: tx)
    return .init(
      interacPaymentNumber: transfer.number.rawValue, transactionId: booked.id.rawValue,
      lifecycleTransactionId: booked.lifecycle)
  }

  /// - Throws: `Problem` of `look`; already cancelled; already accepted.
  func decline(
    _ request: FinapticAPI.DeclineIncomingTransferRequest, for customer: String, of tenant: FinapticTenant,
    by actor: String, in tx: any SQLTransaction
  ) throws -> FinapticAPI.DeclineIncomingTransferResponse {
    var check = InputCheck()
    let memo = check.memo(request.recipientMemo)
    var transfer = try find(request.interacPaymentNumber, for: customer, of: tenant, &check, in: tx)
    try requireOpen(transfer)
    (transfer.customer, transfer.content.recipientMemo) = (customer, memo)
    try move(&transfer, on: .declined, by: actor, in: tx)
    return .init(interacPaymentNumber: transfer.number.rawValue)
  }

  /// Sends back what waits for a customer who is erased, also what cannot be opened any more.
  func giveBack(_ number: IncomingTransfer.Number, by actor: String, in tx: any SQLTransaction) throws {
    guard var transfer = try IncomingTransferStore(tx, vault: core.vault).bare(number) else { throw Self.unknown }
    try move(&transfer, on: .declined, by: actor, in: tx)
  }

  // MARK: What all of them look at

  private func find(
    _ name: String?, for customer: String, of tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws -> IncomingTransfer {
    var check = InputCheck()
    return try find(name, for: customer, of: tenant, &check, in: tx)
  }

  private func find(
    _ name: String?, for customer: String, of tenant: FinapticTenant, _ check: inout InputCheck,
    in tx: any SQLTransaction
  ) throws -> IncomingTransfer {
    let transfer = try find(name, of: tenant, &check, in: tx)
    guard transfer.customer == nil || transfer.customer == customer else { throw Self.inconsistent }
    return transfer
  }

  private func find(
    _ name: String?, of tenant: FinapticTenant, _ check: inout InputCheck, in tx: any SQLTransaction
  ) throws -> IncomingTransfer {
    let name = check.text(name, "interacPaymentNumber", max: Self.numberMax, isRequired: true)
    try check.end()
    let found = try name.flatMap {
      try IncomingTransferStore(tx, vault: core.vault).find(.init(rawValue: $0))
    }
    guard let transfer = found, transfer.tenant == tenant.id else { throw Self.unknown }
    return transfer
  }

  /// One that still waits, without a check of its recipient.
  /// - Throws: `Problem` invalid transfer; already accepted; already cancelled.
  func open(_ name: String?, of tenant: FinapticTenant, in tx: any SQLTransaction) throws -> IncomingTransfer {
    var check = InputCheck()
    let transfer = try find(name, of: tenant, &check, in: tx)
    try requireOpen(transfer)
    return transfer
  }

  private func requireOpen(_ transfer: IncomingTransfer) throws {
    switch transfer.status(at: core.world.now()) {
    case .available, .authorized: return
    case .accepted: throw Problem.finaptic(.transInteracAlreadyAccepted, "The money is on an account already.")
    case .canceled: throw Problem.finaptic(.transInteracAlreadyCancelled, "The transfer was cancelled.")
    }
  }

  /// Puts the money onto an account; the same transfer is booked once.
  /// - Throws: `Problem` unavailable when the books decline it, so that the network tries again.
  func book(
    _ transfer: IncomingTransfer, to account: BankAccount.ID, in tx: any SQLTransaction
  ) throws -> LedgerTransfer {
    let order = TransferOrder(
      transfer.kind == .autodeposit ? .autodeposit : .interacPayment, tenant: transfer.tenant,
      key: "interac \(transfer.number)", debit: InternalAccounts.account(.interac, tenant: transfer.tenant),
      credit: account,
      amount: transfer.amount)
    var remittance = transfer.content.remittance
    if remittance == nil { remittance = transfer.content.senderMemo.map { .init(unstructured: .init(data: $0)) } }
    let particulars = BankTransaction.Particulars(
      counterparty: transfer.content.senderName, clearingReference: transfer.number.rawValue, remittance: remittance)
    guard case .done(let booked) = try ledger.transfer(order, note: try particulars.note, in: tx) else {
      throw Problem.unavailable
    }
    return booked
  }

  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  func move(
    _ transfer: inout IncomingTransfer, on event: IncomingTransferEvent, by actor: String,
    _ facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    try core.mover.move(
      &transfer, on: event, of: IncomingTransferMachine(world: core.world, vault: core.vault), by: actor, facts: facts,
      in: tx)
    // What its sender takes back, the network knows.
    guard transfer.endedAt != nil, event != .recalled else { return }
    try InteracNotifier.owe(.transfer, transfer.number.rawValue, of: transfer.tenant, core, in: tx)
  }

  private static let unknown = Problem.finaptic(
    .transInteracInvalidTransfer, "The payment number is not valid.",
    fields: [.init("interacPaymentNumber", "number", "The number of a payment to you.")])
  private static let inconsistent = Problem.finaptic(
    .transInteracInconsistentCustomer, "The payment is another customer's.")
  private static let inProgress = Problem.finaptic(
    .transInteracPreviousTransferInProgress, "The question was answered; complete or decline the transfer.")
  private static let unanswered = Problem.finaptic(
    .transInteracAuthenticationRequired, "Answer the security question first.")
  private static let limitExceeded = Problem.finaptic(
    .transInteracTransferLimitsExceeded, "It is more than you may take within a day.")
}
