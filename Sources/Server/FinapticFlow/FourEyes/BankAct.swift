// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a bank does by itself that takes a second person: it was asked for, waits for the word of the second, and is
/// carried out once.
struct BankAct: Sendable, Equatable {
  typealias ID = Identifier<BankAct>

  /// What is done; where it needs a second person always or from an amount on, `FourEyesPolicy` says.
  enum Action: String, Sendable, CaseIterable, SQLConvertible {
    case posting, reversal, hold, release, terms, unfreeze, freeze, close
    /// Postings of one call that together are more than one moves.
    case batch
    case blockCard = "block-card"
    case unblockCard = "unblock-card"
    case unblockUser = "unblock-user"
    case erase
    /// Of payments between banks.
    case assign, dismiss, send, recall
    case sendBack = "send-back"
    /// Of cards: money that waits is booked on an account; a customer gets disputed money for the time being.
    case settleCard = "settle-card"
    /// The bank gives up what it paid by a card for a customer, or keeps what no customer can be given.
    case writeOffCard = "write-off-card"
    case creditDispute = "credit-dispute"
  }

  /// Two persons, or two programs, or one of each.
  static let rule = FourEyes(maker: "post:money", checker: "approve:money")

  let id: ID
  let tenant: Int
  /// Of maker and call: under it the maker asks again when the second person has agreed.
  let key: String
  let action: Action
  /// The id of what it is done to.
  let subject: String
  /// Keyed digest of what was asked for, so that under one key nothing else is asked for.
  let digest: String
  /// Who asked, and carries it out.
  let maker: String
  /// The request for the second person's word.
  let approval: String
  var state: BankActState
  let askedAt: Instant
  var version: Int64
}

/// Under which key a maker asks, and asks again when the second person has agreed.
package enum ActKey: Sendable {
  /// Of the maker and the call.
  case call(String)
  /// At the command line: the id of the second person's approval; nil asks for one.
  case command(approval: String?)
  /// At a page, where the same form is sent again, and of a batch: the call itself.
  case desk
}

enum BankActState: String, Sendable, CaseIterable, SQLConvertible { case awaiting, carriedOut }

enum BankActEvent: String, Sendable, CaseIterable { case carriedOut }

/// The life of an act of a bank: nothing is carried out without the second person.
/// Diagram: docs/flows/finaptic-bank-act.mmd.
let bankActFlow: TransitionTable<BankActState, BankActEvent, Never> = .init([
  .init(.awaiting, on: .carriedOut, to: .carriedOut).under(BankAct.rule)
])

/// The moves of rows of `finaptic_bank_act`.
struct BankActMachine: StateMachine {
  typealias State = BankActState
  typealias Event = BankActEvent
  typealias Effect = Never

  /// What is about to be done, on its subject as it is now.
  let present: BoundAct
  /// The audit chain that the line of the move belongs to.
  let chain: String

  let flow = "finaptic.bankAct"
  var table: TransitionTable<State, Event, Effect> { bankActFlow }
  var state: WritableKeyPath<BankAct, BankActState> { \.state }

  func save(_ act: inout BankAct, in tx: any SQLTransaction) throws {
    try BankActStore(tx).save(act)
    act.version += 1
  }

  func auditEntry(for move: Move, of act: BankAct) -> AuditEntry? {
    AuditEntry(
      "finaptic.act.\(move.event.rawValue)", chain: "finaptic-\(chain)",
      facts: ["action": act.action.rawValue, "maker": act.maker, "approval": act.approval])
  }

  func boundAct(of event: BankActEvent, on act: BankAct) -> BoundAct? { present }
}
