// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import Storage

/// What happens around a sandbox: cash that is paid in, money that is sent by Interac, aliases that are confirmed
/// (finaptic §11.3).
package struct MoneySimulation: Sendable {
  private static let nameMax = 140
  private static let (questionMax, answerMax) = (40, 64)

  private let core: CoreDependencies
  private let ledger: Ledger
  private let rules: InteracRules
  private let incoming: IncomingTransferCommands
  private let receiver: InteracReceiver
  private let confirmation: RegistrationConfirmation
  private let tenant: FinapticTenant
  /// Whose audit lines these are.
  private let actor: String

  /// - Throws: `Problem` permission denied where customers are real.
  init(
    core: CoreDependencies, ledger: Ledger, policy: FinapticPolicy, incoming: IncomingTransferCommands,
    receiver: InteracReceiver, confirmation: RegistrationConfirmation, tenant: FinapticTenant, by actor: String
  ) throws {
    guard policy.isSandbox, tenant.isSandbox else {
      throw Problem.finaptic(.permissionDenied, "Only a sandbox tenant has its money simulated.")
    }
    (self.core, self.ledger, rules) = (core, ledger, policy.interac)
    (self.incoming, self.receiver, self.confirmation) = (incoming, receiver, confirmation)
    (self.tenant, self.actor) = (tenant, actor)
  }

  // MARK: Deposits

  /// Cash onto an account.
  /// - Parameter key: the same key is the same deposit.
  /// - Throws: `Problem` invalid argument; not found; failed precondition for an account that is not active; aborted.
  package func deposit(_ asked: SimulationBodies.Deposit, key: String) async throws -> SimulationBodies.Booked {
    var check = InputCheck()
    let (account, amount) = (check.id(asked.accountId, "accountId"), check.amount(asked.amount, "amount"))
    let payer = check.text(asked.payerName, "payerName", max: Self.nameMax)
    try check.end()
    let remittance = try RemittanceCheck.kept(asked.remittance)
    guard let account, let amount,
      try await core.database.read({ try AccountStore($0).find(.init(rawValue: account), tenant: tenant.id) }) != nil
    else { throw Problem.notFound }
    let particulars = BankTransaction.Particulars(counterparty: payer, remittance: remittance)
    let order = TransferOrder(
      .deposit, tenant: tenant.id, key: "deposit \(actor) \(key)",
      debit: InternalAccounts.account(.cash, tenant: tenant.id),
      credit: .init(rawValue: account), amount: amount)
    switch try await ledger.transfer(order, note: try particulars.note) {
    case .done(let booked):
      return .init(
        transactionId: booked.id.rawValue, lifecycleTransactionId: booked.lifecycle, accountId: account)
    case .declined: throw Self.inactive
    case .refused(.keyReused): throw Problem.finaptic(.aborted, "This Idempotency-Key was used with another body.")
    case .refused: throw Problem.finapticFields([.init("amount", "range", "An amount that the account can hold.")])
    }
  }

  // MARK: Interac

  /// What a transfer needs before its transaction, so that a second run sends the same one.
  package struct New: Sendable {
    fileprivate let number: IncomingTransfer.Number
    fileprivate let salt: String
  }

  package func new() -> New { New(number: .init(core.world), salt: core.secret()) }

  /// Onto an account when a confirmed registration has the alias; else it waits to be taken.
  /// - Throws: `Problem` invalid argument; not found for an unknown customer; unavailable while the account does not
  ///   book: the network tries again.
  package func send(
    _ asked: SimulationBodies.Transfer, _ new: New, in tx: any SQLTransaction
  ) throws -> SimulationBodies.Sent {
    let (alias, customer) = (try alias(of: asked), try customer(of: asked, in: tx))
    return .init(try receiver.take(try transfer(asked, new, alias, customer), in: tx), at: core.world.now())
  }

  private func alias(of asked: SimulationBodies.Transfer) throws -> InteracAlias {
    try InteracAlias.checked(
      email: asked.aliasEmail, phone: asked.aliasPhoneNumber, path: "", rules: rules)
  }

  private func customer(of asked: SimulationBodies.Transfer, in tx: any SQLTransaction) throws -> String? {
    guard asked.customerId != nil else { return nil }
    var check = InputCheck()
    let id = check.id(asked.customerId, "customerId")
    try check.end()
    guard let id, try FinapticUserStore(tx, vault: core.vault).find(customer: id, tenant: tenant.id) != nil else {
      throw Problem.notFound
    }
    return id
  }

  private func transfer(
    _ asked: SimulationBodies.Transfer, _ new: New, _ alias: InteracAlias, _ customer: String?
  ) throws -> IncomingTransfer {
    var check = InputCheck()
    let amount = check.amount(asked.amount, "amount")
    let sender = check.text(asked.senderName, "senderName", max: Self.nameMax, isRequired: true)
    let memo = check.memo(asked.senderMemo, "senderMemo")
    let question = check.text(asked.securityQuestion, "securityQuestion", max: Self.questionMax)
    let answer = check.text(asked.securityAnswer, "securityAnswer", max: Self.answerMax)
    let hash = answer.flatMap { SecurityAnswer.hash(of: $0, salt: new.salt) }
    if (question == nil) != (answer == nil) {
      check.refuse("securityAnswer", "pair", "A question has an answer.")
    } else if answer != nil, hash == nil {
      check.refuse("securityAnswer", "letters", "Letters of ISO 8859-1, in capitals too.")
    }
    try check.end()
    let remittance = try RemittanceCheck.kept(asked.remittance)
    guard let amount, let sender else { throw Problem.unexpected }
    let now = core.world.now()
    return IncomingTransfer(
      number: new.number, tenant: tenant.id, kind: .regular, customer: customer, status: .available, amount: amount,
      content: .init(
        alias: alias, senderName: sender, senderMemo: memo, question: question, salt: hash == nil ? nil : new.salt,
        remittance: remittance),
      answerDigest: hash.map { core.vault.digest($0, for: "interac answer") }, wrongAnswers: 0, account: nil,
      transaction: nil, expiresAt: now + rules.transferLifetime, createdAt: now, endedAt: nil,
      version: 0)
  }

  /// Its sender takes it back.
  /// - Throws: `Problem` invalid transfer; already accepted; already cancelled.
  package func recall(_ asked: SimulationBodies.Recall, in tx: any SQLTransaction) throws -> SimulationBodies.Sent {
    var transfer = try incoming.open(asked.interacPaymentNumber, of: tenant, in: tx)
    try incoming.move(&transfer, on: .recalled, by: actor, in: tx)
    return .init(transfer, at: core.world.now())
  }

  /// Confirms a registration for the holder of the alias, without the message.
  /// - Throws: `Problem` not found.
  package func confirm(
    _ asked: SimulationBodies.Confirmation, in tx: any SQLTransaction
  ) throws -> FinapticAPI.RegistrationResponse {
    var check = InputCheck()
    let id = check.id(asked.registrationId, "registrationId")
    try check.end()
    let store = RegistrationStore(tx, vault: core.vault)
    guard let id, let found = try store.find(.init(rawValue: id)), found.tenant == tenant.id else {
      throw Problem.notFound
    }
    try confirmation.confirm(found, by: actor, in: tx)
    return .init(registration: found.view)
  }

  private static let inactive = Problem.finaptic(.failedPrecondition, "The account is not active yet.")
}
