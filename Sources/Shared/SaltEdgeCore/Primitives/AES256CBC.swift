// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// AES-256 in CBC mode with the padding of PKCS #7, as the wire prescribes (specification §4.10). It authenticates
/// nothing.
package enum AES256CBC {
  package static let keyBytes = 32
  package static let ivBytes = AESCBC.blockBytes

  /// - Precondition: the key has 32 bytes and the IV 16.
  package static func encrypt(_ plaintext: Data, key: Data, iv: Data) -> Data {
    precondition(key.count == keyBytes, "AES-256 has a key of 32 bytes")
    return AESCBC.encrypt(plaintext, key: key, iv: iv)
  }

  /// - Precondition: the key has 32 bytes and the IV 16.
  /// - Throws: `undecryptable` when there are no whole blocks or no padding.
  package static func decrypt(_ ciphertext: Data, key: Data, iv: Data) throws(SaltEdgeError) -> Data {
    precondition(key.count == keyBytes, "AES-256 has a key of 32 bytes")
    guard let plaintext = AESCBC.decrypt(ciphertext, key: key, iv: iv) else { throw .undecryptable }
    return plaintext
  }
}
