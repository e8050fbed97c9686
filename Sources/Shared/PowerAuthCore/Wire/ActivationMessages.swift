// SPDX-License-Identifier: Apache-2.0

/// How a device says who it is to be activated for (powerauth.md §3.2).
public enum ActivationType: String, Codable, Sendable {
  case code = "CODE"
  case custom = "CUSTOM"
  case recovery = "RECOVERY"
  case direct = "DIRECT"
}

/// The outer layer of an activation. Not wrapped in `requestObject`.
public struct ActivationRequest: Codable, Hashable, Sendable {
  public var type: ActivationType
  /// `code`, or `recoveryCode` and `puk`, or what the application's own provider reads.
  public var identityAttributes: [String: String]
  public var customAttributes: [String: JSONValue]?
  /// The inner layer, an `ActivationDevice`, encrypted with `EncryptorIdentifier.activationLayer2`.
  public var activationData: ECIESRequest

  public init(
    type: ActivationType, identityAttributes: [String: String], customAttributes: [String: JSONValue]? = nil,
    activationData: ECIESRequest
  ) {
    self.type = type
    self.identityAttributes = identityAttributes
    self.customAttributes = customAttributes
    self.activationData = activationData
  }
}

/// The inner layer of an activation: the device and its key.
public struct ActivationDevice: Codable, Hashable, Sendable {
  /// Base64 of the compressed point, 33 bytes.
  public var devicePublicKey: String
  public var activationName: String?
  public var extras: String?
  /// The server's additional activation OTP, where it asks for one.
  public var activationOtp: String?
  /// Such as `iOS`.
  public var platform: String?
  /// Such as `iPhone12,3`.
  public var deviceInfo: String?
  public var externalId: String?

  public init(
    devicePublicKey: String, activationName: String? = nil, extras: String? = nil, activationOtp: String? = nil,
    platform: String? = nil, deviceInfo: String? = nil, externalId: String? = nil
  ) {
    self.devicePublicKey = devicePublicKey
    self.activationName = activationName
    self.extras = extras
    self.activationOtp = activationOtp
    self.platform = platform
    self.deviceInfo = deviceInfo
    self.externalId = externalId
  }
}

/// The outer layer of the answer.
public struct ActivationResponse: Codable, Hashable, Sendable {
  /// The inner layer, an `ActivatedDevice`, encrypted.
  public var activationData: ECIESResponse
  public var customAttributes: [String: JSONValue]?
  /// Claims about the user, as OpenID Connect names them.
  public var userInfo: [String: JSONValue]?

  public init(
    activationData: ECIESResponse, customAttributes: [String: JSONValue]? = nil, userInfo: [String: JSONValue]? = nil
  ) {
    self.activationData = activationData
    self.customAttributes = customAttributes
    self.userInfo = userInfo
  }
}

/// The inner layer of the answer: what the device derives its keys from.
public struct ActivatedDevice: Codable, Hashable, Sendable {
  public var activationId: String
  /// Base64 of the uncompressed point, 65 bytes.
  public var serverPublicKey: String
  /// Base64 of the 16 bytes that the counter starts from.
  public var ctrData: String
  public var activationRecovery: ActivationRecovery?

  public init(
    activationId: String, serverPublicKey: String, ctrData: String, activationRecovery: ActivationRecovery? = nil
  ) {
    self.activationId = activationId
    self.serverPublicKey = serverPublicKey
    self.ctrData = ctrData
    self.activationRecovery = activationRecovery
  }
}

/// What lets a person activate another device when this one is lost.
public struct ActivationRecovery: Codable, Hashable, Sendable, Redacted {
  public var recoveryCode: String
  public var puk: String

  public init(recoveryCode: String, puk: String) {
    self.recoveryCode = recoveryCode
    self.puk = puk
  }
}

/// Asks how an activation stands (powerauth.md §6).
public struct ActivationStatusRequest: Codable, Hashable, Sendable {
  public var activationId: String
  /// Base64 of 16 random bytes; from 3.1 on.
  public var challenge: String?

  public init(activationId: String, challenge: String?) {
    self.activationId = activationId
    self.challenge = challenge
  }
}

public struct ActivationStatusResponse: Codable, Hashable, Sendable {
  public var activationId: String
  /// Base64 of the 32 bytes that only the device can read.
  public var encryptedStatusBlob: String
  /// Base64 of 16 bytes; from 3.1 on.
  public var nonce: String?
  /// Free; the flags of an activation are `activationFlags`.
  public var customObject: [String: JSONValue]?

  public init(
    activationId: String, encryptedStatusBlob: String, nonce: String?, customObject: [String: JSONValue]? = nil
  ) {
    self.activationId = activationId
    self.encryptedStatusBlob = encryptedStatusBlob
    self.nonce = nonce
    self.customObject = customObject
  }
}

/// Names an activation: the answer to its removal.
public struct ActivationReference: Codable, Hashable, Sendable {
  public var activationId: String

  public init(activationId: String) { self.activationId = activationId }
}

public struct RenameActivationRequest: Codable, Hashable, Sendable {
  public var activationName: String

  public init(activationName: String) { self.activationName = activationName }
}

/// What an activation is called.
public struct ActivationDetail: Codable, Hashable, Sendable {
  public var activationId: String
  public var activationName: String?

  public init(activationId: String, activationName: String?) {
    self.activationId = activationId
    self.activationName = activationName
  }
}
