// SPDX-License-Identifier: Apache-2.0

/// What to ask `startChat` for.
public struct StartChatRequest: Hashable, Codable, Sendable {
  public var displayName: String
  public var subject: String
  /// The thread to resume; nil for a new one.
  public var contactCaseId: String?

  /// Creates the value from its members.
  public init(displayName: String, subject: String, contactCaseId: String? = nil) {
    (self.displayName, self.subject, self.contactCaseId) = (displayName, subject, contactCaseId)
  }
}

/// What to ask `listChatThreads` for.
public struct ListChatThreadsRequest: Hashable, Codable, Sendable {
  /// Nil for the first page, and at the end.
  public var nextToken: String?

  /// Creates the value from its members.
  public init(nextToken: String? = nil) {
    self.nextToken = nextToken
  }
}

/// What `listChatThreads` answers.
public struct ListChatThreadsResponse: Hashable, Codable, Sendable {
  /// Nil for the first page, and at the end.
  public var nextToken: String?
  public var items: [ChatThread]

  /// Creates the value from its members.
  public init(nextToken: String? = nil, items: [ChatThread]) {
    (self.nextToken, self.items) = (nextToken, items)
  }
}

/// What to ask `listChatHistory` for.
public struct ListChatHistoryRequest: Hashable, Codable, Sendable {
  /// The thread.
  public var contactId: String
  /// Nil for the first page, and at the end.
  public var nextToken: String?

  /// Creates the value from its members.
  public init(contactId: String, nextToken: String? = nil) {
    (self.contactId, self.nextToken) = (contactId, nextToken)
  }
}

/// What `listChatHistory` answers.
public struct ListChatHistoryResponse: Hashable, Codable, Sendable {
  /// Nil for the first page, and at the end.
  public var nextToken: String?
  public var items: [ChatMessage]

  /// Creates the value from its members.
  public init(nextToken: String? = nil, items: [ChatMessage]) {
    (self.nextToken, self.items) = (nextToken, items)
  }
}

/// What to ask `sendMessage` for.
public struct SendMessageRequest: Hashable, Codable, Sendable {
  public var messageContent: String

  /// Creates the value from its members.
  public init(messageContent: String) {
    self.messageContent = messageContent
  }
}
