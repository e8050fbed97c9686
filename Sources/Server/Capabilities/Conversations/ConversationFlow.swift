// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Whose turn it is (finaptic §8.11).
package enum ConversationStatus: String, Sendable, CaseIterable, SQLConvertible {
  case waitingForAgent
  /// There is something that the customer has not read.
  case waitingForCustomer
  case resolved
}

/// Events of a conversation. Which agent takes it or hands it back does not change its state, so neither is an event.
package enum ConversationEvent: String, Sendable, CaseIterable {
  case customerWrote
  case agentWrote
  /// By the agent who has it.
  case resolved
}

/// What a conversation's moves cause beyond its status, in the same transaction.
package enum ConversationEffect: String, Sendable, CaseIterable {
  /// The customer waits from now on.
  case startWaiting
  case stopWaiting
  /// Adds the system's entry that announces it.
  case announceClosing
  /// Open contacts end, for good.
  case endContacts
  /// No agent holds it any more.
  case release
}

/// The life of a conversation. One that was resolved goes on when the customer writes again.
package let conversationFlow: TransitionTable<ConversationStatus, ConversationEvent, ConversationEffect> = .init([
  .init(.waitingForAgent, on: .customerWrote, to: .waitingForAgent),
  .init(.waitingForAgent, on: .agentWrote, to: .waitingForCustomer, do: .stopWaiting),
  .init(
    .waitingForAgent, on: .resolved, to: .resolved, do: .stopWaiting, .announceClosing, .endContacts, .release),
  .init(.waitingForCustomer, on: .customerWrote, to: .waitingForAgent, do: .startWaiting),
  .init(.waitingForCustomer, on: .agentWrote, to: .waitingForCustomer),
  .init(.waitingForCustomer, on: .resolved, to: .resolved, do: .announceClosing, .endContacts, .release),
  .init(.resolved, on: .customerWrote, to: .waitingForAgent, do: .startWaiting),
])

/// The moves of rows of `conversation`.
///
/// The subject is the whole turn, so that one guarded UPDATE writes the status together with what was said. Whatever a
/// turn says besides its move is added to it before the move.
struct ConversationMachine: StateMachine {
  typealias State = ConversationStatus
  typealias Event = ConversationEvent
  typealias Effect = ConversationEffect

  let vault: Vault
  let world: World

  let flow = "conversation"
  var table: TransitionTable<State, Event, Effect> { conversationFlow }
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
