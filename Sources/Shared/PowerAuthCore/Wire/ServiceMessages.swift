// SPDX-License-Identifier: Apache-2.0

/// Why a device has its signature checked (powerauth.md §8).
public struct ValidateSignatureRequest: Codable, Hashable, Sendable {
  /// `VALIDATE_PASSWORD` or `COUNTER_SYNCHRONIZATION`; any text is accepted.
  public var reason: String

  public init(reason: String) { self.reason = reason }

  public static let validatePassword = ValidateSignatureRequest(reason: "VALIDATE_PASSWORD")
  public static let counterSynchronization = ValidateSignatureRequest(reason: "COUNTER_SYNCHRONIZATION")
}

/// A new token (powerauth.md §7).
public struct CreatedToken: Codable, Hashable, Sendable, Redacted {
  public var tokenId: String
  /// Base64 of 16 bytes.
  public var tokenSecret: String

  public init(tokenId: String, tokenSecret: String) {
    self.tokenId = tokenId
    self.tokenSecret = tokenSecret
  }
}

/// Names a token: the request to remove it, and its answer.
public struct TokenReference: Codable, Hashable, Sendable {
  public var tokenId: String

  public init(tokenId: String) { self.tokenId = tokenId }
}

/// Asks for the vault's key. The reason is text on the wire: a server takes unknown ones for `NOT_SPECIFIED`.
public struct UnlockVaultRequest: Codable, Hashable, Sendable {
  public var reason: String?

  public init(_ reason: VaultUnlockReason) { self.reason = reason.rawValue }

  public var knownReason: VaultUnlockReason { reason.flatMap(VaultUnlockReason.init) ?? .notSpecified }
}

public struct UnlockVaultResponse: Codable, Hashable, Sendable, Redacted {
  /// Base64 of 32 bytes (`SecureVault`).
  public var encryptedVaultEncryptionKey: String

  public init(encryptedVaultEncryptionKey: String) {
    self.encryptedVaultEncryptionKey = encryptedVaultEncryptionKey
  }
}

/// A compact JWT each way: the request for a temporary key, and the key (powerauth.md §4.5).
public struct TemporaryKeyMessage: Codable, Hashable, Sendable {
  public var jwt: String

  public init(jwt: String) { self.jwt = jwt }
}

/// Asks for the server's time, and for what an application's devices may speak. The public protocol sends an empty
/// object.
public struct ServerStatusRequest: Codable, Hashable, Sendable {
  /// Base64 of 16 bytes, as in headers.
  public var applicationKey: String?

  public init(applicationKey: String? = nil) { self.applicationKey = applicationKey }
}

/// What time it is at the server, and what runs there (powerauth.md §4.6).
public struct ServerStatus: Codable, Hashable, Sendable {
  public struct Application: Codable, Hashable, Sendable {
    public var name: String?
    public var displayName: String?
    public var environment: String?
    public var version: String?
    public var buildTime: String?

    public init(
      name: String? = nil, displayName: String? = nil, environment: String? = nil, version: String? = nil,
      buildTime: String? = nil
    ) {
      self.name = name
      self.displayName = displayName
      self.environment = environment
      self.version = version
      self.buildTime = buildTime
    }
  }

  /// Milliseconds since 1970.
  public var serverTime: UInt64
  public var application: Application?
  /// Versions of the protocol that the application's devices may speak, lowest first; the last one is recommended. Nil
  /// when no application was named, or the server keeps no list.
  public var protocolVersions: [String]?

  public init(serverTime: UInt64, application: Application? = nil, protocolVersions: [String]? = nil) {
    self.serverTime = serverTime
    self.application = application
    self.protocolVersions = protocolVersions
  }
}

/// Names a recovery code that a person wrote down (powerauth.md §8).
public struct ConfirmRecoveryRequest: Codable, Hashable, Sendable, Redacted {
  public var recoveryCode: String

  public init(recoveryCode: String) { self.recoveryCode = recoveryCode }
}

public struct ConfirmRecoveryResponse: Codable, Hashable, Sendable {
  public var alreadyConfirmed: Bool

  public init(alreadyConfirmed: Bool) { self.alreadyConfirmed = alreadyConfirmed }
}
