// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import Storage

/// Books what messages of other banks bring (decision 117).
///
/// A message is taken transfer by transfer, each in one transaction. Its name, and the place of each transfer in it,
/// are rows, so that a message that was cut short is taken up where it ended, and one that comes again books nothing.
package struct IncomingMessages: Sendable {
  let core: CoreDependencies
  let ledger: Ledger

  /// What became of a message.
  package struct Outcome: Sendable, Equatable {
    /// On accounts of customers.
    package var credited = 0
    /// On the suspense account.
    package var suspended = 0
    /// Payments to other banks that came back, or were not taken.
    package var reversed = 0
    /// Came before, in this message or another one: not booked.
    package var repeated = 0
    /// Rejections of payments that are not known here.
    package var unknown = 0
    /// Told by a kind of message that does not book on the account.
    package var told = 0
    /// Requests to give a payment back that wait for a person.
    package var asked = 0

    package init() {}

    mutating func count(_ done: StepOutcome) {
      switch done {
      case .credited: credited += 1
      case .suspended: suspended += 1
      case .reversed: reversed += 1
      case .repeated: repeated += 1
      case .unknown: unknown += 1
      case .told: told += 1
      case .asked: asked += 1
      }
    }
  }

  /// What became of one step.
  enum StepOutcome: Sendable { case credited, suspended, reversed, repeated, unknown, told, asked }

  /// The same of a message in memory.
  package func take(_ bytes: Data, of tenant: Int, by actor: String) async throws -> Outcome {
    try await take(.bytes(bytes), of: tenant, by: actor)
  }

  /// A message that was checked as a whole.
  private struct CheckedMessage {
    let name, definition: String
    let accounts: [SettlementAccount]
    /// Whether all of it was booked before.
    let isDone: Bool
    /// Of the page that is in memory.
    var steps: [Step]
  }

  /// Checks the whole message first, and then books it by pages, each of which is read when the one before is booked:
  /// no more than one is in memory (decision 181).
  /// - Parameter actor: as in the audit log.
  /// - Throws: `MessageFault`; `Problem` not found for the tenant; conflict `message-reused`; unprocessable
  ///   `no-settlement-account` for a currency or an account that the tenant does not settle in, and `not-for-booking`
  ///   for orders, statements and answers to requests to give back. Nothing of it is booked then, unless the fault is
  ///   `unreadable` or `changed`, which a later page can meet. What was booked before is known when the same message
  ///   is taken again.
  package func take(
    _ file: MessageFile, of tenant: Int, by actor: String, pages limit: MessagePage.Limit = .standard
  ) async throws -> Outcome {
    var pages = MessagePages(file, limit: limit)
    var begun = try await begin(&pages, of: tenant)
    let (name, definition) = (begun.name, begun.definition)
    var (outcome, place) = (Outcome(), 0)
    while true {
      if begun.isDone { outcome.repeated += begun.steps.count }
      for step in begun.isDone ? [] : begun.steps {
        // Made outside, so that a transaction that runs again is the same payment.
        let id = BankPayment.ID(rawValue: core.world.randomUUID())
        let call = Call(tenant: tenant, actor: actor, message: name, place: place, id: id)
        outcome.count(try await perform(step, call))
        place += 1
      }
      begun.steps = []
      guard let page = try pages.following() else { break }
      begun.steps = try Self.steps(of: page.message, begun.accounts)
    }
    guard !begun.isDone else { return outcome }
    let counted = outcome
    try await core.database.write(retrying: .outdated) { [core] tx in
      try SettlementStore(tx).finish(name, tenant: tenant, at: core.world.now())
      try core.note(
        "payments.taken", "tenant-\(tenant)", by: actor,
        [
          "definition": definition, "credited": "\(counted.credited)", "suspended": "\(counted.suspended)",
          "reversed": "\(counted.reversed)", "repeated": "\(counted.repeated)",
          "told": "\(counted.told)", "asked": "\(counted.asked)",
        ], in: tx)
    }
    return outcome
  }

  /// Checks the whole message, and notes its name.
  private func begin(_ pages: inout MessagePages, of tenant: Int) async throws -> CheckedMessage {
    var digester = core.vault.digester(for: Self.digestPurpose)
    let page = try pages.first { digester.update($0) }
    let accounts = try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      return try SettlementStore(tx).all(of: tenant)
    }
    for settled in page.settled { _ = try Self.account(settled.currency, number: settled.account, accounts) }
    let steps = try Self.steps(of: page.message, accounts)
    let name = name(of: page.message)
    let isDone = try await note(name, digest: digester.digest, of: tenant)
    return CheckedMessage(
      name: name, definition: page.message.definition, accounts: accounts, isDone: isDone, steps: steps)
  }

  /// Notes the name of a message that was checked as a whole.
  /// - Returns: whether all of it was taken before.
  /// - Throws: `Problem` conflict `message-reused` when another content came under its name.
  func note(_ name: String, digest: String, of tenant: Int) async throws -> Bool {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = SettlementStore(tx)
      guard let isDone = try store.isDone(name, digest: digest, tenant: tenant) else {
        try store.insert(name, digest: digest, tenant: tenant, at: core.world.now())
        return false
      }
      return isDone
    }
  }

  /// Under what a message is known: its kind, its sender and its id.
  func name(of message: PaymentMessage) -> String {
    let parts = [message.definition, Self.sender(of: message), message.id]
    return core.vault.digest(parts.joined(separator: "\u{1F}"), for: "bank message name")
  }

  /// Of the digest of a message's bytes.
  static let digestPurpose = "bank message"

  /// What is done in one transaction.
  enum Step: Sendable {
    case credit(IncomingPayment, SettlementAccount)
    case rejection(BankPayment.ID?, reason: String?)
    case giveBack(PaymentReturn, PaymentReturnMessage, SettlementAccount)
    /// A payment is asked back: a person decides.
    case recall(PaymentRecall.Content)
    /// What another kind of message books.
    case told
  }

  struct Call: Sendable {
    let tenant: Int
    let actor: String
    let message: String
    let place: Int
    let id: BankPayment.ID
  }

  private func perform(_ step: Step, _ call: Call) async throws -> StepOutcome {
    do {
      return try await core.database.write(retrying: .outdated, .readCommitted) { try perform(step, call, in: $0) }
    } catch SQLError.notUnique {
      // Another node took the same payment at the same time; now its row is there.
      return try await core.database.write(retrying: .outdated, .readCommitted) { try perform(step, call, in: $0) }
    }
  }

  private static func account(
    _ currency: String, number: String?, _ accounts: [SettlementAccount]
  ) throws -> SettlementAccount {
    guard
      let found = accounts.first(where: { $0.currency == currency && (number == nil || $0.number == number) })
    else {
      throw Problem(
        .unprocessable, "no-settlement-account", "The tenant does not settle in this currency on this account.")
    }
    return found
  }

  static func steps(of message: PaymentMessage, _ accounts: [SettlementAccount]) throws -> [Step] {
    func account(_ amount: Money, number: String? = nil) throws -> SettlementAccount {
      try Self.account(amount.currency, number: number, accounts)
    }
    func credit(_ payment: IncomingPayment, _ account: SettlementAccount, ifNot other: BookingMessages) -> Step {
      account.books == other ? .told : .credit(payment, account)
    }
    switch message {
    case .creditTransfers(let message):
      return try message.transfers.map {
        credit(IncomingPayment($0, of: message), try account($0.amount), ifNot: .notifications)
      }
    case .notification(let message):
      return try message.notifications.flatMap { notice in
        try notice.entries.filter { $0.status == "BOOK" }.flatMap { entry in
          try IncomingPayment.all(of: entry).map {
            credit($0, try account($0.amount, number: notice.account.text), ifNot: .transfers)
          }
        }
      }
    case .returns(let message):
      return try message.returns.map { .giveBack($0, message, try account($0.amount)) }
    case .statuses(let message): return rejections(message.groups, message.transactions)
    case .orderStatuses(let message):
      // In the order in which they stand, so that pages make no difference.
      return rejections([message.group], [])
        + message.batches.flatMap { batch in
          let isRejected = batch.status == PaymentStatusMessage.rejected
          let whole = Step.rejection(BankPayment.id(in: batch.id), reason: batch.reasons.first?.code)
          return (isRejected ? [whole] : []) + rejections([], batch.transactions)
        }
    case .cancellation(let message):
      guard !accounts.isEmpty else {
        throw Problem(.unprocessable, "no-settlement-account", "The tenant does not settle with other banks.")
      }
      return message.requests.map { .recall(.init($0, from: message.assigner)) }
    case .cancellationAnswer, .paymentOrders, .statement:
      throw Problem(.unprocessable, "not-for-booking", "Messages of this kind are not booked.")
    }
  }

  private static func rejections(
    _ groups: [PaymentStatusMessage.Group], _ transactions: [PaymentStatusMessage.Transaction]
  ) -> [Step] {
    groups.filter { $0.status == PaymentStatusMessage.rejected }.map {
      .rejection(BankPayment.id(in: $0.messageID), reason: $0.reasons.first?.code)
    }
      + transactions.filter { $0.status == PaymentStatusMessage.rejected }.map {
        .rejection(payment(of: $0.original), reason: $0.reasons.first?.code)
      }
  }

  /// The payment of ours that a message names, by the references that we gave it: an order has the instruction's id
  /// where a payment between banks has the transaction's.
  static func payment(of original: OriginalPayment) -> BankPayment.ID? {
    BankPayment.id(in: original.uetr) ?? BankPayment.id(in: original.transactionID)
      ?? BankPayment.id(in: original.instructionID) ?? BankPayment.id(in: original.messageID)
  }

  private static func sender(of message: PaymentMessage) -> String {
    switch message {
    case .creditTransfers(let message): message.instructing?.name ?? message.transfers.first?.debtorAgent.name ?? ""
    case .notification(let message): message.notifications.first?.account.text ?? ""
    case .returns(let message): message.instructing?.name ?? ""
    case .statuses(let message): message.instructing?.name ?? ""
    case .orderStatuses(let message): message.debtorAgent?.name ?? message.initiator ?? ""
    case .cancellation(let message): message.assigner.name
    case .statement(let message): message.statements.first?.account.text ?? ""
    case .cancellationAnswer, .paymentOrders: ""
    }
  }
}
