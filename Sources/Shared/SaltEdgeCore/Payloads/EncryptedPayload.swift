// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What only the owner of a key can read (specification §4.10), on both wires: AES-256-CBC under a key and an IV that
/// are themselves encrypted, each alone, for an RSA key.
///
/// It is not authenticated: anyone who knows the public key can make one.
public struct EncryptedPayload: Hashable, Sendable {
  /// What v1 calls it; v2 does not say.
  public static let algorithm = "AES-256-CBC"
  /// Letters of Base64, line ends included.
  public static let charactersMax = 1 << 20
  private static let keyCharactersMax = 4096

  /// Base64.
  public let key, iv, data: String

  public init(key: String, iv: String, data: String) {
    (self.key, self.iv, self.data) = (key, iv, data)
  }

  /// Encrypts for the owner of a key; Base64 without line ends.
  /// - Throws: `tooLong`, or `invalidKey` when the platform cannot encrypt with it.
  public init(
    encrypting plaintext: Data, for recipient: RSAPublicKey, randomness: Randomness
  ) throws(SaltEdgeError) {
    guard plaintext.count <= Self.charactersMax / 4 * 3 - AES256CBC.ivBytes else { throw .tooLong(.payload) }
    let (key, iv) = (randomness.bytes(AES256CBC.keyBytes), randomness.bytes(AES256CBC.ivBytes))
    self.init(
      key: try recipient.encrypt(key).base64EncodedString(), iv: try recipient.encrypt(iv).base64EncodedString(),
      data: AES256CBC.encrypt(plaintext, key: key, iv: iv).base64EncodedString())
  }

  /// As v2 has it for authorizations that are final or closed: there is nothing to decrypt.
  public static let none = EncryptedPayload(key: "", iv: "", data: "")
  public var isNone: Bool { self == .none }

  /// The plaintext, which is UTF-8 on every wire.
  /// - Throws: `undecryptable`, whatever was wrong with it; `tooLong`.
  public func decrypted(with recipient: RSAPrivateKey) throws(SaltEdgeError) -> String {
    guard data.utf8.count <= Self.charactersMax, max(key.utf8.count, iv.utf8.count) <= Self.keyCharactersMax else {
      throw .tooLong(.payload)
    }
    guard let key = Base64Text.decode(key.utf8, .any), let iv = Base64Text.decode(iv.utf8, .any),
      let ciphertext = Base64Text.decode(data.utf8, .any)
    else { throw .undecryptable }
    let plaintext = try AES256CBC.decrypt(
      ciphertext, key: recipient.decrypt(key, count: AES256CBC.keyBytes),
      iv: recipient.decrypt(iv, count: AES256CBC.ivBytes))
    guard let text = String(validUTF8: plaintext) else { throw .undecryptable }
    return text
  }
}

extension EncryptedPayload: Codable {
  private enum Name: String, CodingKey { case key, iv, data, algorithm }

  /// Reads the three members of either wire; the entity's own are beside them.
  /// - Throws: also `unsupportedAlgorithm`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Name.self)
    let algorithm = try members.decodeIfPresent(String.self, forKey: .algorithm)
    guard algorithm == nil || algorithm == Self.algorithm else { throw SaltEdgeError.unsupportedAlgorithm }
    self.init(
      key: try members.decode(String.self, forKey: .key), iv: try members.decode(String.self, forKey: .iv),
      data: try members.decode(String.self, forKey: .data))
  }

  /// Writes what v2 has. An entity of v1 adds the algorithm.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Name.self)
    try members.encode(key, forKey: .key)
    try members.encode(iv, forKey: .iv)
    try members.encode(data, forKey: .data)
  }
}
