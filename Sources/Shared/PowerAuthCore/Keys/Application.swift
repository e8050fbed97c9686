// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `APP_KEY`: the public name of a version of an app, 16 random bytes that travel as Base64 text.
public struct ApplicationKey: Hashable, Sendable, CustomStringConvertible {
  /// 24 characters; what headers and associated data hold.
  public let text: String

  /// - Throws: `malformed` unless the text is the Base64 of 16 bytes.
  public init(text: String) throws(PowerAuthError) {
    guard Data(canonicalBase64: text)?.count == 16 else { throw .malformed(.applicationKey) }
    self.text = text
  }

  public init(_ randomness: Randomness) {
    text = randomness.bytes(16).base64EncodedString()
  }

  public var bytes: Data { Data(base64Encoded: text) ?? Data() }
  public var description: String { text }
}

/// `APP_SECRET`: 16 random bytes that every copy of an app holds. Signatures and ECIES take its Base64 text, temporary
/// keys its bytes (powerauth.md §2).
public struct ApplicationSecret: Equatable, Sendable, Redacted {
  /// 24 characters.
  public let text: String
  public let key: SecretKey

  /// - Throws: `malformed` unless the text is the Base64 of 16 bytes.
  public init(text: String) throws(PowerAuthError) {
    guard let bytes = Data(canonicalBase64: text), let key = try? SecretKey(bytes) else {
      throw .malformed(.applicationSecret)
    }
    self.text = text
    self.key = key
  }

  public init(_ randomness: Randomness) {
    key = SecretKey(randomness)
    text = key.bytes.base64EncodedString()
  }

  public static func == (left: ApplicationSecret, right: ApplicationSecret) -> Bool { left.key == right.key }
}

/// The name of an activation: a UUID. Its letters are kept as they were sent, because MACs cover them.
public struct ActivationIdentifier: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// - Throws: `malformed` unless the text is a UUID in 36 characters.
  public init(text: String) throws(PowerAuthError) {
    guard isUUID(text) else { throw .malformed(.activationIdentifier) }
    self.text = text
  }

  public var description: String { text }
}

/// Whether a text is a UUID in its usual form (RFC 9562 §4), letters of either case.
func isUUID(_ text: String) -> Bool {
  let characters = Array(text.utf8)
  guard characters.count == 36 else { return false }
  return characters.enumerated().allSatisfy { place, character in
    switch place {
    case 8, 13, 18, 23: character == UInt8(ascii: "-")
    default: Character(UnicodeScalar(character)).isHexDigit
    }
  }
}
