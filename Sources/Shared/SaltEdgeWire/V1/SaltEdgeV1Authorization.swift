// SPDX-License-Identifier: Apache-2.0

extension SaltEdgeV1 {
  /// What is to be confirmed or denied, once decrypted (§4.6).
  public struct Authorization: Codable, Sendable, Equatable {
    /// The authorization.
    public var id: String
    /// Whose key it was encrypted for.
    public var connectionID: String
    /// For people.
    public var title: String
    /// Plain text or HTML.
    public var description: String
    /// To be sent back.
    public var code: String?
    /// RFC 3339 in UTC.
    public var createdAt: String
    /// RFC 3339 in UTC.
    public var expiresAt: String

    /// Creates the value from its members.
    public init(
      id: String, connectionID: String, title: String, description: String, code: String? = nil, createdAt: String,
      expiresAt: String
    ) {
      self.id = id
      self.connectionID = connectionID
      self.title = title
      self.description = description
      self.code = code
      self.createdAt = createdAt
      self.expiresAt = expiresAt
    }

    enum CodingKeys: String, CodingKey {
      case id
      case connectionID = "connection_id"
      case title
      case description
      case code = "authorization_code"
      case createdAt = "created_at"
      case expiresAt = "expires_at"
    }
  }

  /// Confirms or denies (§4.7).
  public struct Decision: Codable, Sendable, Equatable {
    /// False denies.
    public var confirm: Bool
    /// As it was shown; iOS leaves it out when there was none.
    public var code: String?

    /// Creates the value from its members.
    public init(confirm: Bool, code: String? = nil) {
      self.confirm = confirm
      self.code = code
    }

    enum CodingKeys: String, CodingKey {
      case confirm
      case code = "authorization_code"
    }
  }

  /// Answers a decision (§4.7).
  public struct Decided: Codable, Sendable, Equatable {
    /// False when the code is not the right one: the authorization waits still.
    public var success: Bool
    /// The authorization.
    public var id: SaltEdge.TextID

    /// Creates the value from its members.
    public init(success: Bool, id: SaltEdge.TextID) {
      self.success = success
      self.id = id
    }
  }

  /// Answers an instant action (§4.8).
  public struct ActionSubmitted: Codable, Sendable, Equatable {
    /// Whether it was taken.
    public var success: Bool
    /// Whose authorization it is.
    public var connectionID: SaltEdge.TextID?
    /// What has to be confirmed still; nil when it is done.
    public var authorizationID: SaltEdge.TextID?

    /// Creates the value from its members.
    public init(success: Bool, connectionID: SaltEdge.TextID? = nil, authorizationID: SaltEdge.TextID? = nil) {
      self.success = success
      self.connectionID = connectionID
      self.authorizationID = authorizationID
    }

    enum CodingKeys: String, CodingKey {
      case success
      case connectionID = "connection_id"
      case authorizationID = "authorization_id"
    }
  }

  /// Answers the revocation of a consent (§4.9).
  public struct ConsentRevoked: Codable, Sendable, Equatable {
    /// Whether it was revoked.
    public var success: Bool
    /// The consent.
    public var consentID: SaltEdge.TextID

    /// Creates the value from its members.
    public init(success: Bool, consentID: SaltEdge.TextID) {
      self.success = success
      self.consentID = consentID
    }

    enum CodingKeys: String, CodingKey {
      case success
      case consentID = "consent_id"
    }
  }
}
