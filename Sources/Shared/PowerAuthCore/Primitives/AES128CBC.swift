// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// AES-128 in CBC mode with the protocol's keys and its errors.
enum AES128CBC {
  static let blockBytes = AESCBC.blockBytes
  static let zeroIV = Data(count: blockBytes)

  /// - Precondition: without padding the plaintext is whole blocks.
  static func encrypt(_ plaintext: Data, key: SecretKey, iv: Data = zeroIV, padding: AESCBC.Padding) -> Data {
    AESCBC.encrypt(plaintext, key: key.symmetric, iv: iv, padding: padding)
  }

  /// - Throws: `notAuthentic` when there are no whole blocks, or no padding where there should be some.
  static func decrypt(
    _ ciphertext: Data, key: SecretKey, iv: Data = zeroIV, padding: AESCBC.Padding
  ) throws(PowerAuthError) -> Data {
    guard let plaintext = AESCBC.decrypt(ciphertext, key: key.symmetric, iv: iv, padding: padding) else {
      throw .notAuthentic
    }
    return plaintext
  }
}
