// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension StartChatRequest {
  var wire: FinapticAPI.StartChatRequest {
    FinapticAPI.StartChatRequest(displayName: displayName, subject: subject, contactCaseId: contactCaseId)
  }
}

extension ListChatThreadsRequest {
  var wire: FinapticAPI.ListChatThreadsRequest { FinapticAPI.ListChatThreadsRequest(nextToken: nextToken) }
}

extension ListChatHistoryRequest {
  var wire: FinapticAPI.ListChatHistoryRequest {
    FinapticAPI.ListChatHistoryRequest(contactId: contactId, nextToken: nextToken)
  }
}

extension ChatThread {
  init(_ wire: FinapticAPI.ChatThread) throws(FinapticError) {
    guard let status = ChatThreadStatus(rawValue: wire.status) else { throw .unreadable("a thread's status") }
    self.init(
      id: wire.id, lastUpdated: wire.lastUpdated.date, status: status, subject: wire.subject,
      createdAt: wire.createdAt.date, customerId: wire.customerId)
  }
}

extension ChatEvent {
  /// - Returns: nil for what this version does not know.
  init?(_ wire: FinapticAPI.ChatEvent) {
    guard let type = ChatEventType(rawValue: wire.type) else { return nil }
    self.init(id: wire.id, type: type, timestamp: wire.timestamp.date, displayName: wire.displayName)
  }
}

extension ChatMessage {
  /// A speaker whom this version does not know speaks for the system.
  init(_ wire: FinapticAPI.ChatMessage) {
    self.init(
      id: wire.id, participantRole: ParticipantRole(rawValue: wire.participantRole) ?? .systemMessage,
      displayName: wire.displayName, content: wire.content, timestamp: wire.timestamp.date)
  }
}
