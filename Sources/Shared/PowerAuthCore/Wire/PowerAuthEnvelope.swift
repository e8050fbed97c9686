// SPDX-License-Identifier: Apache-2.0

/// A request's body: `{"requestObject": …}` (powerauth.md §4.5–§8).
public struct RequestEnvelope<Content> {
  public var requestObject: Content

  public init(_ requestObject: Content) { self.requestObject = requestObject }
}

extension RequestEnvelope: Decodable where Content: Decodable {}
extension RequestEnvelope: Encodable where Content: Encodable {}
extension RequestEnvelope: Sendable where Content: Sendable {}
extension RequestEnvelope: Equatable where Content: Equatable {}

/// Whether an answer is good news.
public enum ResponseStatus: String, Codable, Sendable {
  case ok = "OK"
  case error = "ERROR"
}

/// An answer's body: `{"status": "OK", "responseObject": …}`.
public struct ResponseEnvelope<Content> {
  public var status: ResponseStatus
  public var responseObject: Content

  public init(_ responseObject: Content, status: ResponseStatus = .ok) {
    self.status = status
    self.responseObject = responseObject
  }
}

extension ResponseEnvelope: Decodable where Content: Decodable {}
extension ResponseEnvelope: Encodable where Content: Encodable {}
extension ResponseEnvelope: Sendable where Content: Sendable {}
extension ResponseEnvelope: Equatable where Content: Equatable {}

/// `{}`: where a body has nothing to say.
public struct EmptyObject: Codable, Hashable, Sendable {
  public init() {}
}

/// Why a request was refused (powerauth.md §8). Open: a newer server may know other codes.
public struct PowerAuthFailure: Codable, Hashable, Sendable {
  /// Such as `ERR_AUTHENTICATION`.
  public var code: String
  /// Such as `POWER_AUTH_SIGNATURE_INVALID`; a name, no text for people.
  public var message: String
  /// Which of a recovery code's PUKs is the next one, in the answer to a wrong one.
  public var currentRecoveryPukIndex: Int?

  public init(code: String, message: String, currentRecoveryPukIndex: Int? = nil) {
    self.code = code
    self.message = message
    self.currentRecoveryPukIndex = currentRecoveryPukIndex
  }
}

extension PowerAuthFailure {
  public static let signatureInvalid = PowerAuthFailure(
    code: "ERR_AUTHENTICATION", message: "POWER_AUTH_SIGNATURE_INVALID")
  public static let signatureTypeInvalid = PowerAuthFailure(
    code: "ERR_AUTHENTICATION", message: "POWER_AUTH_SIGNATURE_TYPE_INVALID")
  public static let tokenInvalid = PowerAuthFailure(code: "ERR_AUTHENTICATION", message: "POWER_AUTH_TOKEN_INVALID")
  public static let headerMissing = PowerAuthFailure(
    code: "ERR_AUTHENTICATION", message: "POWER_AUTH_HTTP_HEADER_MISSING")
  public static let requestInvalid = PowerAuthFailure(
    code: "ERR_AUTHENTICATION", message: "POWER_AUTH_REQUEST_INVALID")
  public static let activationInvalid = PowerAuthFailure(
    code: "ERR_ACTIVATION", message: "POWER_AUTH_ACTIVATION_INVALID")
  public static let encryptionFailed = PowerAuthFailure(
    code: "ERR_ENCRYPTION", message: "POWER_AUTH_ENCRYPTION_FAILED")
  /// The message is of this server: networking of another version than its SDK's can be told by it.
  public static let temporaryKeyMissing = PowerAuthFailure(
    code: "ERR_ENCRYPTION", message: "POWER_AUTH_TEMPORARY_KEY_MISSING")
  /// Of this server: the protocol has no name for it.
  public static let versionTooLow = PowerAuthFailure(code: "ERR_VERSION", message: "POWER_AUTH_VERSION_TOO_LOW")
  public static let secureVaultInvalid = PowerAuthFailure(
    code: "ERR_SECURE_VAULT", message: "POWER_AUTH_SECURE_VAULT_INVALID")
  public static let recoveryInvalid = PowerAuthFailure(code: "ERR_RECOVERY", message: "POWER_AUTH_RECOVERY_INVALID")
  public static let upgradeFailed = PowerAuthFailure(code: "ERR_UPGRADE", message: "POWER_AUTH_UPGRADE_FAILED")
  public static let userInfoError = PowerAuthFailure(code: "ERR_USER_INFO", message: "POWER_AUTH_USER_INFO_ERROR")
  public static let temporaryKeyFailure = PowerAuthFailure(
    code: "ERR_TEMPORARY_KEY", message: "POWER_AUTH_TEMPORARY_KEY_FAILURE")
}
