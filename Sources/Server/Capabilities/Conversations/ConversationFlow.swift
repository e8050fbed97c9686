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

/// What moves a conversation. Who takes it and who hands it back says nothing, so it moves nothing.
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
