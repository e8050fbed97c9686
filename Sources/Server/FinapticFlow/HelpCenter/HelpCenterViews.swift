import Conversations
import FinapticWire
import Kit

extension ConversationStatus {
  /// As apps read it.
  var wire: String {
    switch self {
    case .waitingForAgent: "WAITING_FOR_AGENT"
    case .waitingForCustomer: "WAITING_FOR_CUSTOMER"
    case .resolved: "RESOLVED"
    }
  }
}

extension Instant {
  var finaptic: FinapticAPI.Instant { FinapticAPI.Instant(millisecondsSince1970: milliseconds) }
}

extension FinapticAPI.ChatThread {
  init(_ conversation: Conversation, customer: String) {
    self.init(
      id: conversation.id.rawValue, lastUpdated: conversation.updatedAt.finaptic, status: conversation.status.wire,
      subject: conversation.subject, createdAt: conversation.createdAt.finaptic, customerId: customer)
  }
}

extension FinapticAPI.ChatMessage {
  /// - Precondition: a message.
  init(_ entry: ConversationEntry) {
    let role =
      switch entry.role {
      case .customer: "CUSTOMER"
      case .agent: "AGENT"
      case .system: "SYSTEM_MESSAGE"
      }
    self.init(
      id: entry.id.rawValue, participantRole: role,
      displayName: entry.role == .system ? "System" : entry.content.name, content: entry.content.text,
      timestamp: entry.createdAt.finaptic)
  }
}

extension FinapticAPI.ChatEvent {
  init(_ entry: ConversationEntry) {
    self.init(
      id: entry.id.rawValue, type: entry.kind.rawValue.uppercased(), timestamp: entry.createdAt.finaptic,
      displayName: entry.content.name)
  }
}

extension FinapticAPI.ChatEnded {
  init(_ ending: ConversationContact.Ending) { self.init(reason: ending.rawValue.uppercased()) }
}
