// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// A new conversation, or an old one by its id.
  public struct StartChatRequest: Codable, Sendable, Hashable {
    public var displayName: String?
    public var subject: String?
    /// The thread to resume.
    public var contactCaseId: String?

    /// Creates the value from its members.
    public init(displayName: String? = nil, subject: String? = nil, contactCaseId: String? = nil) {
      (self.displayName, self.subject, self.contactCaseId) = (displayName, subject, contactCaseId)
    }

    enum CodingKeys: String, CodingKey {
      case subject
      case displayName = "display_name"
      case contactCaseId = "contact_case_id"
    }
  }

  /// The open conversation.
  public struct StartChatResponse: Codable, Sendable, Hashable {
    /// The thread.
    public var contactId: String
    /// Stands for this participant in the calls of the conversation.
    public var chatToken: String
    /// What was said before, newest first.
    public var messages: [ChatMessage]?
    /// The place up to which that is so: events after it are new.
    public var position: Int64?

    /// Creates the value from its members.
    public init(contactId: String, chatToken: String, messages: [ChatMessage]? = nil, position: Int64? = nil) {
      (self.contactId, self.chatToken) = (contactId, chatToken)
      (self.messages, self.position) = (messages, position)
    }

    enum CodingKeys: String, CodingKey {
      case messages, position
      case contactId = "contact_id"
      case chatToken = "chat_token"
    }
  }

  /// What the calls take that need nothing but the open conversation.
  public struct ChatRequest: Codable, Sendable, Hashable {
    public var chatToken: String?

    /// Creates the value from its members.
    public init(chatToken: String? = nil) {
      self.chatToken = chatToken
    }

    enum CodingKeys: String, CodingKey {
      case chatToken = "chat_token"
    }
  }

  /// Something to say.
  public struct SendMessageRequest: Codable, Sendable, Hashable {
    public var chatToken: String?
    public var messageContent: String?
    /// A UUID under which the same words can be sent again: they are said once.
    public var clientMessageId: String?

    /// Creates the value from its members.
    public init(chatToken: String? = nil, messageContent: String? = nil, clientMessageId: String? = nil) {
      (self.chatToken, self.messageContent, self.clientMessageId) = (chatToken, messageContent, clientMessageId)
    }

    enum CodingKeys: String, CodingKey {
      case chatToken = "chat_token"
      case messageContent = "message_content"
      case clientMessageId = "client_message_id"
    }
  }

  /// What was said, once the server has it.
  public struct SendMessageResponse: Codable, Sendable, Hashable {
    public var message: ChatMessage
    /// Its place among the events of the conversation.
    public var position: Int64?

    /// Creates the value from its members.
    public init(message: ChatMessage, position: Int64? = nil) {
      (self.message, self.position) = (message, position)
    }
  }

  /// The last event of a conversation's stream.
  public struct ChatEnded: Codable, Sendable, Hashable {
    /// `STOPPED` by the customer, or `RESOLVED`.
    public var reason: String

    /// Creates the value from its members.
    public init(reason: String) {
      self.reason = reason
    }
  }

  /// `GET`: what happens in an open conversation, as server-sent events.
  public static let chatEventsPath = basePath + "/helpCenter/events"
  /// Stands for the participant where there is no body.
  public static let chatTokenHeader = "X-Chat-Token"
  /// Kinds of the stream's events.
  public static let (chatMessageEvent, chatEndedEvent) = ("message", "ended")
  /// Kinds of the stream's events that carry a `ChatEvent`.
  public static let (chatJoinedEvent, chatTypingEvent) = ("joined", "typing")

  /// A page of threads.
  public struct ListChatThreadsRequest: Codable, Sendable, Hashable {
    public var nextToken: String?

    /// Creates the value from its members.
    public init(nextToken: String? = nil) {
      self.nextToken = nextToken
    }

    enum CodingKeys: String, CodingKey {
      case nextToken = "next_token"
    }
  }

  /// A page of what was said in a thread.
  public struct ListChatHistoryRequest: Codable, Sendable, Hashable {
    public var contactId: String?
    public var nextToken: String?

    /// Creates the value from its members.
    public init(contactId: String? = nil, nextToken: String? = nil) {
      (self.contactId, self.nextToken) = (contactId, nextToken)
    }

    enum CodingKeys: String, CodingKey {
      case contactId = "contact_id"
      case nextToken = "next_token"
    }
  }

  /// Last changed first.
  public struct ChatThreadsResponse: Codable, Sendable, Hashable {
    public var nextToken: String?
    public var items: [ChatThread]

    /// Creates the value from its members.
    public init(nextToken: String? = nil, items: [ChatThread]) {
      (self.nextToken, self.items) = (nextToken, items)
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextToken = "next_token"
    }
  }

  /// A conversation.
  public struct ChatThread: Codable, Sendable, Hashable {
    public var id: String
    public var lastUpdated: Instant
    /// `WAITING_FOR_AGENT`, `WAITING_FOR_CUSTOMER` or `RESOLVED`.
    public var status: String
    public var subject: String
    public var createdAt: Instant
    public var customerId: String

    /// Creates the value from its members.
    public init(
      id: String, lastUpdated: Instant, status: String, subject: String, createdAt: Instant, customerId: String
    ) {
      (self.id, self.lastUpdated, self.status) = (id, lastUpdated, status)
      (self.subject, self.createdAt, self.customerId) = (subject, createdAt, customerId)
    }

    enum CodingKeys: String, CodingKey {
      case id, status, subject
      case lastUpdated = "last_updated"
      case createdAt = "created_at"
      case customerId = "customer_id"
    }
  }

  /// Newest first.
  public struct ChatHistoryResponse: Codable, Sendable, Hashable {
    public var nextToken: String?
    public var items: [ChatMessage]

    /// Creates the value from its members.
    public init(nextToken: String? = nil, items: [ChatMessage]) {
      (self.nextToken, self.items) = (nextToken, items)
    }

    enum CodingKeys: String, CodingKey {
      case items
      case nextToken = "next_token"
    }
  }

  /// A message of a participant.
  public struct ChatMessage: Codable, Sendable, Hashable {
    public var id: String
    /// `CUSTOMER`, `SYSTEM_MESSAGE` or `AGENT`.
    public var participantRole: String
    public var displayName: String
    public var content: String
    public var timestamp: Instant

    /// Creates the value from its members.
    public init(id: String, participantRole: String, displayName: String, content: String, timestamp: Instant) {
      (self.id, self.participantRole, self.displayName) = (id, participantRole, displayName)
      (self.content, self.timestamp) = (content, timestamp)
    }

    enum CodingKeys: String, CodingKey {
      case id, content, timestamp
      case participantRole = "participant_role"
      case displayName = "display_name"
    }
  }

  /// An action of a participant.
  public struct ChatEvent: Codable, Sendable, Hashable {
    public var id: String
    /// `JOINED` or `TYPING`.
    public var type: String
    public var timestamp: Instant
    public var displayName: String

    /// Creates the value from its members.
    public init(id: String, type: String, timestamp: Instant, displayName: String) {
      (self.id, self.type, self.timestamp) = (id, type, timestamp)
      self.displayName = displayName
    }

    enum CodingKeys: String, CodingKey {
      case id, type, timestamp
      case displayName = "display_name"
    }
  }

  /// Where to send pushes for a device.
  public struct RegisterChannelRequest: Codable, Sendable, Hashable {
    public var deviceId: String?
    public var registrationId: String?

    /// Creates the value from its members.
    public init(deviceId: String? = nil, registrationId: String? = nil) {
      (self.deviceId, self.registrationId) = (deviceId, registrationId)
    }

    enum CodingKeys: String, CodingKey {
      case deviceId = "device_id"
      case registrationId = "registration_id"
    }
  }
}
