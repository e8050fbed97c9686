// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The moves of rows of `conversation`.
///
/// The subject is the whole turn, so that one guarded UPDATE writes the status together with what was said. Whatever a
/// turn says besides its move is added to it before the move.
struct ConversationMachine: StateMachine {
  typealias Move = TransitionTable<ConversationStatus, ConversationEvent, ConversationEffect>.Row

  let vault: Vault
  let world: World

  let flow = "conversation"
  var table: TransitionTable<ConversationStatus, ConversationEvent, ConversationEffect> { conversationFlow }
  var state: WritableKeyPath<ConversationTurn, ConversationStatus> { \.conversation.status }

  func refusal(of event: ConversationEvent, in status: ConversationStatus) -> any Error { Problem.conversationOver }

  func prepare(_ turn: inout ConversationTurn, for move: Move) {
    turn.conversation.updatedAt = world.now()
    for effect in move.effects {
      switch effect {
      case .startWaiting: turn.conversation.waitingSince = world.now()
      case .stopWaiting: turn.conversation.waitingSince = nil
      case .announceClosing: turn.announce(.closed)
      case .release: turn.conversation.agent = nil
      case .endContacts: break
      }
    }
  }

  func save(_ turn: inout ConversationTurn, in tx: any SQLTransaction) throws {
    try ConversationStore(tx, vault).save(turn)
  }

  /// Nothing: the flow whose conversation it is audits what its callers did, such as reading, writing and resolving.
  func auditEntry(for move: Move, of turn: ConversationTurn) -> AuditEntry? { nil }

  /// Nothing: all effects are on the database, in `prepare` and `complete`.
  func owedEffect(_ effect: ConversationEffect, for move: Move, of turn: ConversationTurn) -> OwedEffect? { nil }

  func awaitedWork(for turn: ConversationTurn, in tx: any SQLTransaction) -> AwaitedWork? {
    turn.conversation.awaitedWork
  }

  func complete(_ move: Move, of turn: inout ConversationTurn, by actor: String, in tx: any SQLTransaction) throws {
    guard move.effects.contains(.endContacts) else { return }
    try ConversationContactStore(tx, vault).endAll(
      of: turn.conversation.id, at: turn.conversation.sequence, .resolved)
  }
}
