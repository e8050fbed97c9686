internal import GatehouseWire

extension StartChatRequest {
  var wire: FinapticWire.StartChatRequest {
    FinapticWire.StartChatRequest(displayName: displayName, subject: subject, contactCaseId: contactCaseId)
  }
}

extension ListChatThreadsRequest {
  var wire: FinapticWire.ListChatThreadsRequest { FinapticWire.ListChatThreadsRequest(nextToken: nextToken) }
}

extension ListChatHistoryRequest {
  var wire: FinapticWire.ListChatHistoryRequest {
    FinapticWire.ListChatHistoryRequest(contactId: contactId, nextToken: nextToken)
  }
}

extension ChatThread {
  init(_ wire: FinapticWire.ChatThread) throws(FinapticError) {
    guard let status = ChatThreadStatus(rawValue: wire.status) else { throw .unreadable("a thread's status") }
    self.init(
      id: wire.id, lastUpdated: wire.lastUpdated.date, status: status, subject: wire.subject,
      createdAt: wire.createdAt.date, customerId: wire.customerId)
  }
}

extension ChatMessage {
  /// A speaker whom this version does not know speaks for the system.
  init(_ wire: FinapticWire.ChatMessage) {
    self.init(
      id: wire.id, participantRole: ParticipantRole(rawValue: wire.participantRole) ?? .systemMessage,
      displayName: wire.displayName, content: wire.content, timestamp: wire.timestamp.date)
  }
}
