// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import GatehouseTransport
package import SaltEdgeCore
package import SaltEdgeWire

extension SaltEdge.Ciphertext {
  /// Encrypts for the owner of a key (§4.10).
  /// - Throws: `notSent`.
  package init(
    encrypting plaintext: Data, for recipient: RSAPublicKey, randomness: ClientRandomness
  ) throws(AuthenticatorError) {
    guard
      let payload = try? EncryptedPayload(
        encrypting: plaintext, for: recipient, randomness: Randomness(randomness.bytes))
    else { throw AuthenticatorError(.notSent, .apiRequest) }
    self.init(key: payload.key, iv: payload.iv, data: payload.data)
  }

  /// The text that only this device can read; nil when it is absent or not for this key. No more is told.
  package func text(with key: RSAPrivateKey) -> String? {
    try? EncryptedPayload(key: self.key, iv: iv, data: data).decrypted(with: key)
  }
}
