// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A customer's open line to a conversation: from starting or resuming it to stopping it, or to its end.
package struct ConversationContact: Sendable, Equatable {
  package typealias ID = Identifier<ConversationContact>

  package enum Ending: String, Sendable, SQLConvertible {
    /// By the customer.
    case stopped
    /// With the conversation.
    case resolved
  }

  package let id: ID
  package let conversation: Conversation.ID
  /// What the customer is called in it.
  package let name: String
  /// The last number when it began: what comes after it is new.
  package let begin: Int64
  /// The last number that belongs to it, and why; nil while it is open.
  package let end: Int64?
  package let ending: Ending?
  package let createdAt: Instant

  package var isOpen: Bool { ending == nil }
}
