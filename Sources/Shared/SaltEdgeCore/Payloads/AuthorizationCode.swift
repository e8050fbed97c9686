// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The code that a device gives back to say *what* it confirmed or denied (specification §4.11): opaque to the device,
/// different for every operation, and bound to the attributes that the customer was shown (dynamic linking,
/// Commission Delegated Regulation (EU) 2018/389, article 5).
public struct AuthorizationCode: Hashable, Sendable, Redacted {
  public static let bytesMax = 4096
  public static let saltBytes = 16

  public let text: String

  /// A code from elsewhere.
  /// - Throws: `malformed` when it is empty, `tooLong`.
  public init(text: String) throws(SaltEdgeError) {
    guard !text.isEmpty else { throw .malformed(.authorizationCode) }
    guard text.utf8.count <= Self.bytesMax else { throw .tooLong(.authorizationCode) }
    self.text = text
  }

  /// The code of an operation: base64url of the SHA-256 of a salt and of every attribute, 43 letters.
  ///
  /// Every name and value stands behind its length, so that no two sets of attributes read alike.
  /// - Parameters:
  ///   - attributes: what the customer is shown and what the bank will do: amount, currency, payee, account, user.
  ///     With them and the salt it can be proved later what the code stood for.
  ///   - salt: 16 unpredictable bytes for this operation alone, kept with it; without them a code could be guessed.
  public init(binding attributes: [String: String], salt: Data) {
    precondition(salt.count == Self.saltBytes, "the salt of a code has 16 bytes")
    var bytes = salt
    for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
      for item in [name, value] {
        withUnsafeBytes(of: UInt64(item.utf8.count).bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: item.utf8)
      }
    }
    text = Base64Text.url(Data(SHA256.hash(data: bytes)))
  }

  /// Whether it is the code of an operation with these attributes.
  public func binds(_ attributes: [String: String], salt: Data) -> Bool {
    matches(AuthorizationCode(binding: attributes, salt: salt).text)
  }

  /// Whether a device gave it back, in a time that does not depend on where they differ.
  public func matches(_ given: String) -> Bool {
    Data(text.utf8).equalsInConstantTime(Data(given.utf8))
  }

  public static func == (left: AuthorizationCode, right: AuthorizationCode) -> Bool { left.matches(right.text) }
}
