// SPDX-License-Identifier: Apache-2.0

/// Bodies between SCA service and bank in the Authenticator's API v2 (saltedge-authenticator §7).
public enum SaltEdgeBank {
  /// Tells the bank of a device that wants to connect (§7.2).
  public struct Connect: Codable, Sendable, Equatable {
    /// The connection.
    public var connectionID: SaltEdge.TextID
    /// Where signing in has to end.
    public var returnURL: String
    /// The device's public key in PEM, for the bank to read.
    public var encryptedPublicKey: SaltEdge.Ciphertext
    /// Names who is connecting.
    public var connectQuery: String?

    /// Creates the value from its members.
    public init(
      connectionID: SaltEdge.TextID, returnURL: String, encryptedPublicKey: SaltEdge.Ciphertext,
      connectQuery: String? = nil
    ) {
      self.connectionID = connectionID
      self.returnURL = returnURL
      self.encryptedPublicKey = encryptedPublicKey
      self.connectQuery = connectQuery
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case returnURL = "return_url"
      case encryptedPublicKey = "enc_rsa_public_key"
      case connectQuery = "connect_query"
    }
  }

  /// Where the customer signs in (§7.2).
  public struct Connecting: Codable, Sendable, Equatable {
    /// A page, or already the end of signing in.
    public var authenticationURL: String

    /// Creates the value from its members.
    public init(authenticationURL: String) {
      self.authenticationURL = authenticationURL
    }

    enum CodingKeys: String, CodingKey {
      case authenticationURL = "authentication_url"
    }
  }

  /// A device's confirmation or denial, as the device signed it (§7.2).
  public struct Decision: Codable, Sendable, Equatable {
    /// Whose device.
    public var connectionID: SaltEdge.TextID
    /// Its body, byte for byte.
    public var originalRequest: String
    /// Its signature header.
    public var originalSignature: String

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.TextID, originalRequest: String, originalSignature: String) {
      self.connectionID = connectionID
      self.originalRequest = originalRequest
      self.originalSignature = originalSignature
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case originalRequest = "original_request"
      case originalSignature = "original_request_jws_signature"
    }
  }

  /// What becomes of the action (§7.2).
  public struct Decided: Codable, Sendable, Equatable {
    /// Whether the action is closed to other devices.
    public var closesAction: Bool

    /// Creates the value from its members.
    public init(closesAction: Bool) {
      self.closesAction = closesAction
    }

    enum CodingKeys: String, CodingKey {
      case closesAction = "close_action"
    }
  }

  /// A device picked up an instant action (§7.2).
  public struct ActionSubmission: Codable, Sendable, Equatable {
    /// Whose device.
    public var connectionID: SaltEdge.TextID
    /// As the device sent it.
    public var accessToken: String

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.TextID, accessToken: String) {
      self.connectionID = connectionID
      self.accessToken = accessToken
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case accessToken = "access_token"
    }
  }

  /// The customer signed in (§7.3).
  public struct Authenticated: Codable, Sendable, Equatable {
    /// The bank's name for them.
    public var userID: SaltEdge.TextID
    /// What the device will send.
    public var accessToken: String
    /// The device's, in PEM.
    public var publicKey: String

    /// Creates the value from its members.
    public init(userID: SaltEdge.TextID, accessToken: String, publicKey: String) {
      self.userID = userID
      self.accessToken = accessToken
      self.publicKey = publicKey
    }

    enum CodingKeys: String, CodingKey {
      case userID = "user_id"
      case accessToken = "access_token"
      case publicKey = "rsa_public_key"
    }
  }

  /// What becomes of something that a bank asked to show (§7.3). The specification says nothing of this answer, and the
  /// published banks read no more of it than that it is JSON.
  public struct Shown: Codable, Sendable, Equatable {
    /// The connections that it does not reach; absent when it reaches all of them.
    public var unreached: [Unreached]?

    /// Creates the value from its members.
    public init(unreached: [Unreached]? = nil) {
      self.unreached = unreached
    }

    enum CodingKeys: String, CodingKey {
      case unreached = "unreached_connections"
    }
  }

  /// A connection that something does not reach, and why.
  public struct Unreached: Codable, Sendable, Equatable {
    /// As the bank named it.
    public var connectionID: SaltEdge.TextID
    /// `ConnectionNotFound` or `ConnectionRevoked`.
    public var errorClass: SaltEdge.ErrorClass
    /// For people.
    public var message: String

    /// Creates the value from its members.
    public init(connectionID: SaltEdge.TextID, errorClass: SaltEdge.ErrorClass, message: String) {
      self.connectionID = connectionID
      self.errorClass = errorClass
      self.message = message
    }

    enum CodingKeys: String, CodingKey {
      case connectionID = "connection_id"
      case errorClass = "error_class"
      case message = "error_message"
    }
  }

  /// The customer did not sign in (§7.3).
  public struct AuthenticationFailed: Codable, Sendable, Equatable {
    /// For people.
    public var message: String?

    /// Creates the value from its members.
    public init(message: String? = nil) {
      self.message = message
    }

    enum CodingKeys: String, CodingKey {
      case message = "fail_message"
    }
  }
}
