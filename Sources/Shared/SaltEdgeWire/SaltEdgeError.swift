// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension SaltEdge {
  /// The body of every refusal, without an envelope (§2).
  public struct ErrorBody: Codable, Sendable, Equatable {
    /// What clients switch over.
    public var errorClass: ErrorClass
    /// For people.
    public var message: String

    /// Creates the value from its members.
    public init(errorClass: ErrorClass, message: String) {
      self.errorClass = errorClass
      self.message = message
    }

    enum CodingKeys: String, CodingKey {
      case errorClass = "error_class"
      case message = "error_message"
    }
  }

  /// The classes of §6.
  public struct ErrorClass: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `WrongRequestFormat`.
    public static let wrongRequestFormat = ErrorClass(rawValue: "WrongRequestFormat")
    /// `AccessTokenMissing`.
    public static let accessTokenMissing = ErrorClass(rawValue: "AccessTokenMissing")
    /// `SignatureMissing`.
    public static let signatureMissing = ErrorClass(rawValue: "SignatureMissing")
    /// `SignatureExpired`.
    public static let signatureExpired = ErrorClass(rawValue: "SignatureExpired")
    /// `InvalidSignature`.
    public static let invalidSignature = ErrorClass(rawValue: "InvalidSignature")
    /// `ActionExpired`.
    public static let actionExpired = ErrorClass(rawValue: "ActionExpired")
    /// `ActionClosed`. A bank's, in v2.
    public static let actionClosed = ErrorClass(rawValue: "ActionClosed")
    /// `ConnectionNotFound`.
    public static let connectionNotFound = ErrorClass(rawValue: "ConnectionNotFound")
    /// `ConnectionRevoked`.
    public static let connectionRevoked = ErrorClass(rawValue: "ConnectionRevoked")
    /// `UserNotFound`.
    public static let userNotFound = ErrorClass(rawValue: "UserNotFound")
    /// `AuthorizationNotFound`.
    public static let authorizationNotFound = ErrorClass(rawValue: "AuthorizationNotFound")
    /// `ActionNotFound`.
    public static let actionNotFound = ErrorClass(rawValue: "ActionNotFound")
    /// `ConsentNotFound`.
    public static let consentNotFound = ErrorClass(rawValue: "ConsentNotFound")
    /// `TooManyRequests`. Ours (§16).
    public static let tooManyRequests = ErrorClass(rawValue: "TooManyRequests")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [ErrorClass] = [
      .wrongRequestFormat, .accessTokenMissing, .signatureMissing, .signatureExpired, .invalidSignature,
      .actionExpired, .actionClosed, .connectionNotFound, .connectionRevoked, .userNotFound,
      .authorizationNotFound, .actionNotFound, .consentNotFound, .tooManyRequests,
    ]
  }
}
