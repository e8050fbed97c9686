// SPDX-License-Identifier: Apache-2.0

/// Bodies of the Authenticator's API v1 (saltedge-authenticator §4).
public enum SaltEdgeV1 {
  /// What a bank says of itself (§4.1).
  public struct Configuration: Codable, Sendable, Equatable {
    /// Base of all later calls.
    public var connectURL: String
    /// Of the bank.
    public var code: String
    /// For people.
    public var name: String
    /// Where its logo is.
    public var logoURL: String?
    /// Where customers find help. Ours always say it, because iOS needs it; others may not (§4.1).
    public var supportEmail: String?
    /// Whether there are consents to list.
    public var managesConsents: Bool?
    /// True when a place must be sent, false when it may be, nil when it is of no use.
    public var requiresGeolocation: Bool?
    /// `1`.
    public var version: String

    /// Creates the value from its members.
    public init(
      connectURL: String, code: String, name: String, logoURL: String? = nil, supportEmail: String? = nil,
      managesConsents: Bool? = nil, requiresGeolocation: Bool? = nil, version: String
    ) {
      self.connectURL = connectURL
      self.code = code
      self.name = name
      self.logoURL = logoURL
      self.supportEmail = supportEmail
      self.managesConsents = managesConsents
      self.requiresGeolocation = requiresGeolocation
      self.version = version
    }

    enum CodingKeys: String, CodingKey {
      case connectURL = "connect_url"
      case code
      case name
      case logoURL = "logo_url"
      case supportEmail = "support_email"
      case managesConsents = "consent_management"
      case requiresGeolocation = "geolocation_required"
      case version
    }
  }

  /// Asks to connect a device (§4.2).
  public struct Connect: Codable, Sendable, Equatable {
    /// SubjectPublicKeyInfo in PEM.
    public var publicKey: String
    /// Where signing in has to end.
    public var returnURL: String
    /// `ios` or `android`.
    public var platform: String
    /// Nil, null and empty are the same.
    public var pushToken: String?
    /// Sent by both apps; of no use.
    public var providerCode: String?
    /// Names who is connecting; nil, null and empty are the same.
    public var connectQuery: String?

    /// Creates the value from its members.
    public init(
      publicKey: String, returnURL: String, platform: String, pushToken: String? = nil, providerCode: String? = nil,
      connectQuery: String? = nil
    ) {
      self.publicKey = publicKey
      self.returnURL = returnURL
      self.platform = platform
      self.pushToken = pushToken
      self.providerCode = providerCode
      self.connectQuery = connectQuery
    }

    enum CodingKeys: String, CodingKey {
      case publicKey = "public_key"
      case returnURL = "return_url"
      case platform
      case pushToken = "push_token"
      case providerCode = "provider_code"
      case connectQuery = "connect_query"
    }
  }

  /// Answers it with either where to sign in or a token (§4.2).
  public struct Connected: Codable, Sendable, Equatable {
    /// The connection.
    public var id: SaltEdge.TextID
    /// A page, or already the end of signing in.
    public var connectURL: String?
    /// When the customer does not have to sign in.
    public var accessToken: String?

    /// Creates the value from its members.
    public init(id: SaltEdge.TextID, connectURL: String? = nil, accessToken: String? = nil) {
      self.id = id
      self.connectURL = connectURL
      self.accessToken = accessToken
    }

    enum CodingKeys: String, CodingKey {
      case id
      case connectURL = "connect_url"
      case accessToken = "access_token"
    }
  }

  /// Answers a revocation (§4.5).
  public struct ConnectionRevoked: Codable, Sendable, Equatable {
    /// Whether it was revoked.
    public var success: Bool
    /// The token that is good for nothing now.
    public var accessToken: String?

    /// Creates the value from its members.
    public init(success: Bool, accessToken: String? = nil) {
      self.success = success
      self.accessToken = accessToken
    }

    enum CodingKeys: String, CodingKey {
      case success
      case accessToken = "access_token"
    }
  }
}
