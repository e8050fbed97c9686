// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Payments
import Storage

/// A request of another bank to give a payment back (camt.056), until a person has answered it (camt.029): decision
/// 130.
package struct PaymentRecall: Sendable, Equatable {
  package typealias ID = Identifier<PaymentRecall>

  package let id: ID
  package let tenant: Int
  /// The message that brought it, and its place there from 0.
  let message: String
  let place: Int
  package let receivedAt: Instant
  package var state: PaymentRecallState
  /// The payment that it is about; nil while its references name none, or several.
  package var payment: BankPayment.ID?
  /// Why it is declined; nil when it is not.
  package var rejection: CancellationRejection?
  /// Nil once the last answer was handed over.
  package var content: Content?
  /// Whether the other bank is still to be told of the state.
  var owesMessage: Bool
  package internal(set) var version: Int64 = 0

  /// Sealed.
  package struct Content: Sendable, Equatable, Codable {
    /// Who asks: a BIC, a clearing number, or a name.
    package var bic: String?
    package var member: String?
    package var name: String?
    package var messageID: String?
    package var messageName: String?
    package var instructionID: String?
    package var endToEndID: String?
    package var transactionID: String?
    package var uetr: String?
    /// In minor units, and its currency.
    package var amount: Int64?
    package var currency: String?
    /// A code of ExternalCancellationReason1Code, or the other bank's own word.
    package var reason: String?

    package var money: Money? {
      guard let amount, let currency else { return nil }
      return Money(amount, currency)
    }
  }

  /// How the other bank is told: the id of the message, up to 35 characters. What is pending has another one than what
  /// is decided.
  var reference: String { id.rawValue.replacing("-", with: "") + (state == .pending ? Self.pendingMark : "") }
  static let pendingMark = "P"
}

package enum PaymentRecallState: String, Sendable, CaseIterable, SQLConvertible {
  /// A person has to decide.
  case open
  /// The same, and the other bank knows that it will take time.
  case pending
  /// The money went back.
  case accepted
  case declined
}

package enum PaymentRecallEvent: String, Sendable, CaseIterable { case postponed, accepted, declined }

/// The life of a request to give a payment back: it is decided once.
/// Diagram: docs/flows/finaptic-recall.mmd.
let paymentRecallFlow: TransitionTable<PaymentRecallState, PaymentRecallEvent, Never> = .init([
  .init(.open, on: .postponed, to: .pending),
  .init(.open, on: .accepted, to: .accepted),
  .init(.open, on: .declined, to: .declined),
  .init(.pending, on: .accepted, to: .accepted),
  .init(.pending, on: .declined, to: .declined),
])

/// The moves of rows of `finaptic_payment_recall`.
struct PaymentRecallMachine: StateMachine {
  typealias State = PaymentRecallState
  typealias Event = PaymentRecallEvent
  typealias Effect = Never

  let vault: Vault

  let flow = "finaptic.recall"
  var table: TransitionTable<State, Event, Effect> { paymentRecallFlow }
  var state: WritableKeyPath<PaymentRecall, PaymentRecallState> { \.state }

  func refusal(of event: PaymentRecallEvent, in state: PaymentRecallState) -> any Error {
    Problem(.conflict, "recall-answered", "This request was answered before.")
  }

  /// Every move is told to the bank that asked.
  func prepare(_ recall: inout PaymentRecall, for move: Move) { recall.owesMessage = true }

  func save(_ recall: inout PaymentRecall, in tx: any SQLTransaction) throws {
    try PaymentRecallStore(tx, vault: vault).advance(recall)
    recall.version += 1
  }

  func auditEntry(for move: Move, of recall: PaymentRecall) -> AuditEntry? {
    var facts = ["state": move.to.rawValue]
    facts["payment"] = recall.payment?.rawValue
    facts["reason"] = recall.rejection?.rawValue
    return AuditEntry(
      "finaptic.recall.\(move.event.rawValue)", chain: "finaptic-recall-\(recall.id)", facts: facts)
  }

  func awaitedWork(for recall: PaymentRecall, in tx: any SQLTransaction) -> AwaitedWork? { Self.work(for: recall) }

  /// What a person has to do about a request.
  static func work(for recall: PaymentRecall) -> AwaitedWork? {
    guard recall.state == .open || recall.state == .pending else { return nil }
    return AwaitedWork(
      "finaptic-recall", tenant: BankAccount.ledgerTenant(recall.tenant), subject: recall.id.rawValue,
      person: recall.id.rawValue)
  }
}
