// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Whose turn it is in a conversation.
public enum ChatThreadStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case waitingForAgent = "WAITING_FOR_AGENT"
  /// There is something unread.
  case waitingForCustomer = "WAITING_FOR_CUSTOMER"
  case resolved = "RESOLVED"
}

/// A conversation.
public struct ChatThread: Hashable, Codable, Sendable {
  public var id: String
  public var lastUpdated: Date
  public var status: ChatThreadStatus
  public var subject: String
  public var createdAt: Date
  public var customerId: String

  /// Creates the value from its members.
  public init(
    id: String, lastUpdated: Date, status: ChatThreadStatus, subject: String, createdAt: Date, customerId: String
  ) {
    (self.id, self.lastUpdated, self.status) = (id, lastUpdated, status)
    (self.subject, self.createdAt, self.customerId) = (subject, createdAt, customerId)
  }
}
