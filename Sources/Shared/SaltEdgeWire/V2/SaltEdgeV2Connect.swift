// SPDX-License-Identifier: Apache-2.0

/// Bodies between app and SCA service in the Authenticator's API v2 (saltedge-authenticator §5).
public enum SaltEdgeV2 {
  /// What the service says of a bank (§5.1).
  public struct Configuration: Codable, Sendable, Equatable {
    /// Base of all later calls.
    public var serviceURL: String
    /// `2`.
    public var apiVersion: String
    /// The bank.
    public var providerID: SaltEdge.NumberID
    /// For people.
    public var providerName: String
    /// Where its logo is.
    public var providerLogoURL: String?
    /// Always sent: iOS needs it.
    public var providerSupportEmail: String
    /// SubjectPublicKeyInfo in PEM: what the bank alone shall read is encrypted for it.
    public var providerPublicKey: String
    /// True when a place must be sent, false when it may be, nil when it is of no use.
    public var requiresGeolocation: Bool?

    /// Creates the value from its members.
    public init(
      serviceURL: String, apiVersion: String, providerID: SaltEdge.NumberID, providerName: String,
      providerLogoURL: String? = nil, providerSupportEmail: String, providerPublicKey: String,
      requiresGeolocation: Bool? = nil
    ) {
      self.serviceURL = serviceURL
      self.apiVersion = apiVersion
      self.providerID = providerID
      self.providerName = providerName
      self.providerLogoURL = providerLogoURL
      self.providerSupportEmail = providerSupportEmail
      self.providerPublicKey = providerPublicKey
      self.requiresGeolocation = requiresGeolocation
    }

    enum CodingKeys: String, CodingKey {
      case serviceURL = "sca_service_url"
      case apiVersion = "api_version"
      case providerID = "provider_id"
      case providerName = "provider_name"
      case providerLogoURL = "provider_logo_url"
      case providerSupportEmail = "provider_support_email"
      case providerPublicKey = "provider_public_key"
      case requiresGeolocation = "geolocation_required"
    }
  }

  /// Asks to connect a device (§5.2).
  public struct Connect: Codable, Sendable, Equatable {
    /// The bank.
    public var providerID: SaltEdge.TextID
    /// Where signing in has to end.
    public var returnURL: String
    /// `ios` or `android`.
    public var platform: String
    /// Left out when it is absent.
    public var pushToken: String?
    /// Names to the bank who is connecting.
    public var connectQuery: String?
    /// The device's public key in PEM, for the bank to read.
    public var encryptedPublicKey: SaltEdge.Ciphertext

    /// Creates the value from its members.
    public init(
      providerID: SaltEdge.TextID, returnURL: String, platform: String, pushToken: String? = nil,
      connectQuery: String? = nil, encryptedPublicKey: SaltEdge.Ciphertext
    ) {
      self.providerID = providerID
      self.returnURL = returnURL
      self.platform = platform
      self.pushToken = pushToken
      self.connectQuery = connectQuery
      self.encryptedPublicKey = encryptedPublicKey
    }

    enum CodingKeys: String, CodingKey {
      case providerID = "provider_id"
      case returnURL = "return_url"
      case platform
      case pushToken = "push_token"
      case connectQuery = "connect_query"
      case encryptedPublicKey = "enc_rsa_public_key"
    }
  }

  /// Answers it (§5.2).
  public struct Connected: Codable, Sendable, Equatable {
    /// The connection.
    public var connectionID: SaltEdge.NumberID
    /// A page, or already the end of signing in.
    public var authenticationURL: String

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.NumberID, authenticationURL: String) {
      self.connectionID = connectionID
      self.authenticationURL = authenticationURL
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case authenticationURL = "authentication_url"
    }
  }

  /// A connection as the service knows it (§5.4).
  public struct Connection: Codable, Sendable, Equatable {
    /// The connection.
    public var id: SaltEdge.NumberID
    /// The state of the connection.
    public var status: ConnectionStatus
    /// The device's, once the bank told it.
    public var publicKey: String?
    /// Where to push to.
    public var pushToken: String?
    /// RFC 3339 in UTC.
    public var createdAt: String

    /// Creates the value from its members.
    public init(
      id: SaltEdge.NumberID, status: ConnectionStatus, publicKey: String? = nil, pushToken: String? = nil,
      createdAt: String
    ) {
      self.id = id
      self.status = status
      self.publicKey = publicKey
      self.pushToken = pushToken
      self.createdAt = createdAt
    }

    enum CodingKeys: String, CodingKey {
      case id
      case status
      case publicKey = "public_key"
      case pushToken = "push_token"
      case createdAt = "created_at"
    }
  }

  /// Changes where to push to (§5.4).
  public struct PushTokenUpdate: Codable, Sendable, Equatable {
    /// Empty for nowhere.
    public var pushToken: String

    /// Creates the value from its members.
    public init(pushToken: String) {
      self.pushToken = pushToken
    }

    enum CodingKeys: String, CodingKey {
      case pushToken = "push_token"
    }
  }

  /// Answers an update and a revocation (§5.4).
  public struct ConnectionChanged: Codable, Sendable, Equatable {
    /// The connection.
    public var connectionID: SaltEdge.NumberID

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.NumberID) {
      self.connectionID = connectionID
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
    }
  }
}
