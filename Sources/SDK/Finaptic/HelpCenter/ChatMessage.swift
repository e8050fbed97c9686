// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Who wrote a message of a conversation.
public enum ParticipantRole: String, CaseIterable, Codable, Hashable, Sendable {
  case customer = "CUSTOMER"
  case systemMessage = "SYSTEM_MESSAGE"
  case agent = "AGENT"
}

/// A message of a participant.
public struct ChatMessage: Hashable, Codable, Sendable {
  public var id: String
  public var participantRole: ParticipantRole
  public var displayName: String
  public var content: String
  public var timestamp: Date

  /// Creates the value from its members.
  public init(id: String, participantRole: ParticipantRole, displayName: String, content: String, timestamp: Date) {
    (self.id, self.participantRole, self.displayName) = (id, participantRole, displayName)
    (self.content, self.timestamp) = (content, timestamp)
  }
}

/// An action of a participant.
public enum ChatEventType: String, CaseIterable, Codable, Hashable, Sendable {
  case joined = "JOINED"
  case typing = "TYPING"
}

/// Something that happens in a conversation.
public struct ChatEvent: Hashable, Codable, Sendable {
  public var id: String
  public var type: ChatEventType
  public var timestamp: Date
  public var displayName: String

  /// Creates the value from its members.
  public init(id: String, type: ChatEventType, timestamp: Date, displayName: String) {
    (self.id, self.type, self.timestamp) = (id, type, timestamp)
    self.displayName = displayName
  }
}

/// The state of the connection to the other side.
public enum ChatConnectionStatus: String, CaseIterable, Codable, Hashable, Sendable {
  /// Or connecting again.
  case connecting = "CONNECTING"
  case connected = "CONNECTED"
  /// For good.
  case ended = "ENDED"
}
