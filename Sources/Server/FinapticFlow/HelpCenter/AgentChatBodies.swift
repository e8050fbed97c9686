// SPDX-License-Identifier: Apache-2.0

import Conversations
import FinapticWire
import Foundation
import Kit

// Requests and answers of agents' systems. Members are in snake case and read strictly.

enum AgentChatBodies {
  struct Take: Decodable, Sendable {
    /// The agent's id in the system that calls.
    let agent: String
    /// As the customer reads it.
    let display_name: String
    /// Also from another agent.
    let takeover: Bool?
  }

  struct Answer: Decodable, Sendable {
    let agent: String
    let text: String
    /// A UUID; a repetition of it adds no message.
    let message_id: String?
  }

  struct Act: Decodable, Sendable {
    let agent: String
  }

  struct ChatView: Encodable, Sendable {
    let id: String
    let subject: String
    let status: String
    /// Whose it is: the user's id.
    let user_id: String
    let agent: String?
    let agent_name: String?
    let waiting_since: String?
    let created_at: String
    let updated_at: String

    init(_ conversation: Conversation) {
      (id, subject) = (conversation.id.rawValue, conversation.subject)
      (status, user_id) = (conversation.status.wire, conversation.customer)
      (agent, agent_name) = (conversation.agent?.id, conversation.agent?.name)
      waiting_since = conversation.waitingSince?.rfc3339
      (created_at, updated_at) = (conversation.createdAt.rfc3339, conversation.updatedAt.rfc3339)
    }
  }

  struct QueueView: Encodable, Sendable {
    let chats: [ChatView]
  }

  struct DetailView: Encodable, Sendable {
    let chat: ChatView
    /// The oldest first.
    let messages: [FinapticAPI.ChatMessage]
    /// Up to where: the stream goes on from here.
    let position: Int64
  }

  struct SaidView: Encodable, Sendable {
    let message: FinapticAPI.ChatMessage
    let position: Int64
  }
}
