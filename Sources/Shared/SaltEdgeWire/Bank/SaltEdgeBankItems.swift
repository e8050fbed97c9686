// SPDX-License-Identifier: Apache-2.0

extension SaltEdgeBank {
  /// What one device is to be shown, encrypted for it by the bank (§7.3).
  public struct Item: Codable, Sendable, Equatable {
    /// Whose device.
    public var connectionID: SaltEdge.TextID
    /// Of a consent: until when.
    public var expiresAt: String?
    /// What only the device can read.
    public var payload: SaltEdge.Ciphertext

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.TextID, expiresAt: String? = nil, payload: SaltEdge.Ciphertext) {
      self.connectionID = connectionID
      self.expiresAt = expiresAt
      self.payload = payload
    }

    private enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case expiresAt = "expires_at"
    }

    /// Reads the item and, beside its own members, those of the payload.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      connectionID = try members.decode(SaltEdge.TextID.self, forKey: .connectionID)
      expiresAt = try members.decodeIfPresent(String.self, forKey: .expiresAt)
      payload = try SaltEdge.Ciphertext(from: decoder)
    }

    /// Writes all members side by side.
    public func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(connectionID, forKey: .connectionID)
      try members.encodeIfPresent(expiresAt, forKey: .expiresAt)
      try payload.encode(to: encoder)
    }
  }

  /// Something to confirm, for one device or several (§7.3).
  public struct Action: Codable, Sendable, Equatable {
    /// The bank's name for it.
    public var actionID: SaltEdge.TextID
    /// The bank's name for the customer.
    public var userID: SaltEdge.TextID?
    /// Whether its authorizations are decided independently.
    public var isMultiple: Bool?
    /// RFC 3339, or `2026-11-21 07:22:16 UTC`.
    public var expiresAt: String
    /// One for each device. A bank written in Kotlin sends one object for a list of one, a bank written in Ruby calls
    /// it `authorization` (§7.2).
    public var authorizations: [Item]

    /// Creates the value from its members.
    public init(
      actionID: SaltEdge.TextID, userID: SaltEdge.TextID?, isMultiple: Bool? = nil, expiresAt: String,
      authorizations: [Item]
    ) {
      self.actionID = actionID
      self.userID = userID
      self.isMultiple = isMultiple
      self.expiresAt = expiresAt
      self.authorizations = authorizations
    }

    private enum CodingKeys: String, CodingKey {
      case authorization, authorizations
      case actionID = "action_id"
      case userID = "user_id"
      case isMultiple = "multiple"
      case expiresAt = "expires_at"
    }

    /// Reads any of the three spellings of the list.
    public init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      actionID = try members.decode(SaltEdge.TextID.self, forKey: .actionID)
      userID = try members.decodeIfPresent(SaltEdge.TextID.self, forKey: .userID)
      isMultiple = try members.decodeIfPresent(Bool.self, forKey: .isMultiple)
      expiresAt = try members.decode(String.self, forKey: .expiresAt)
      if let list = try? members.decode([Item].self, forKey: .authorizations) {
        authorizations = list
      } else if let one = try members.decodeIfPresent(Item.self, forKey: .authorizations) {
        authorizations = [one]
      } else {
        authorizations = [try members.decode(Item.self, forKey: .authorization)]
      }
    }

    /// Writes a list.
    public func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(actionID, forKey: .actionID)
      try members.encodeIfPresent(userID, forKey: .userID)
      try members.encodeIfPresent(isMultiple, forKey: .isMultiple)
      try members.encode(expiresAt, forKey: .expiresAt)
      try members.encode(authorizations, forKey: .authorizations)
    }
  }

  /// A consent that the customer gave, for each of their devices (§7.3).
  public struct Consent: Codable, Sendable, Equatable {
    /// The bank's name for it.
    public var consentID: SaltEdge.TextID
    /// The bank's name for the customer.
    public var userID: SaltEdge.TextID?
    /// One for each device.
    public var consents: [Item]

    /// Creates the value from its members.
    public init(consentID: SaltEdge.TextID, userID: SaltEdge.TextID? = nil, consents: [Item]) {
      self.consentID = consentID
      self.userID = userID
      self.consents = consents
    }

    enum CodingKeys: String, CodingKey {
      case consentID = "consent_id"
      case userID = "user_id"
      case consents
    }
  }
}
