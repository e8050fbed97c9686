// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// One thing that was said or done in a conversation, at its place.
package struct ConversationEntry: Sendable, Equatable {
  package typealias ID = Identifier<ConversationEntry>

  package enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    case message
    /// An agent takes part from now on.
    case joined
    /// The customer ended their contact.
    case left
    case typing
  }

  package enum Role: String, Sendable, CaseIterable, SQLConvertible {
    case customer, agent, system
  }

  /// What is personal about it.
  package struct Content: Sendable, Equatable, Codable {
    /// Whose entry it is, as they are called in the conversation; of a notice whom it is about.
    package let name: String
    /// Of a message only.
    package let text: String
    /// What the system says; nil for what people say.
    package let notice: ConversationNotice?

    package init(name: String, text: String = "", notice: ConversationNotice? = nil) {
      (self.name, self.text, self.notice) = (name, text, notice)
    }
  }

  package let conversation: Conversation.ID
  /// Its place in the conversation, from 1 on. Places of what does not last stay empty.
  package let sequence: Int64
  package let id: ID
  package let kind: Kind
  package let role: Role
  package let content: Content
  /// Under which its author sends it again; nil where that does not happen.
  package let clientID: String?
  package let createdAt: Instant
}

/// What the system says in a conversation. Each reader reads it in a language of their own.
package enum ConversationNotice: String, Sendable, Codable, CaseIterable {
  /// An agent takes part from now on.
  case joined
  /// An agent put the conversation back into the queue.
  case left
  case closed

  /// In English, as it is kept.
  /// - Parameter name: the agent's.
  func text(_ name: String) -> String {
    switch self {
    case .joined: "\(name) joined the conversation."
    case .left: "\(name) left the conversation."
    case .closed: "The conversation was closed."
    }
  }
}
