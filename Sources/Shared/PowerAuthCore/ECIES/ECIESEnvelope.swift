// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// The three keys of one request and its answer, agreed with an ephemeral key (powerauth.md §4.2).
package struct ECIESEnvelope: Equatable, Sendable, Redacted {
  package static let byteCount = 3 * SecretKey.byteCount

  /// `K_ENC`, `K_MAC` and `K_IV`.
  private let encryption: SecretKey
  private let mac: SecretKey
  private let initialization: SecretKey

  private init(_ bytes: Data) {
    precondition(bytes.count == Self.byteCount, "an envelope has three keys")
    encryption = SecretKey(sixteen: Data(bytes.prefix(16)))
    mac = SecretKey(sixteen: Data(bytes.dropFirst(16).prefix(16)))
    initialization = SecretKey(sixteen: Data(bytes.suffix(16)))
  }

  /// - Parameter ephemeralPublicKey: byte for byte as it was sent.
  /// - Throws: `invalidKey`.
  package init(
    privateKey: ECPrivateKey, publicKey: ECPublicKey, ephemeralPublicKey: Data, parameters: ECIESParameters
  ) throws(PowerAuthError) {
    let secret = try privateKey.sharedSecret(with: publicKey)
    let info = parameters.keyInfo(ephemeralPublicKey: ephemeralPublicKey)
    self.init(X963KDF.derive(secret: secret, sharedInfo: info, count: Self.byteCount))
  }

  /// All 48 bytes, as test vectors list them.
  package var bytes: Data { encryption.bytes + mac.bytes + initialization.bytes }

  func seal(_ plaintext: Data, nonce: Data?, macInfo: Data) -> (encryptedData: Data, mac: Data) {
    let encrypted = AES128CBC.encrypt(plaintext, key: encryption, iv: iv(nonce), padding: .pkcs7)
    return (encrypted, Data(mac.authenticationCode(for: encrypted + macInfo)))
  }

  /// Checks the MAC, then decrypts.
  /// - Throws: `notAuthentic`.
  func open(_ encryptedData: Data, mac: Data, nonce: Data?, macInfo: Data) throws(PowerAuthError) -> Data {
    guard
      HMAC<SHA256>.isValidAuthenticationCode(
        mac, authenticating: encryptedData + macInfo, using: self.mac.symmetric)
    else { throw .notAuthentic }
    return try AES128CBC.decrypt(encryptedData, key: encryption, iv: iv(nonce), padding: .pkcs7)
  }

  /// Zeros without a nonce, in 3.0.
  private func iv(_ nonce: Data?) -> Data {
    nonce.map { initialization.derived(data: $0).bytes } ?? AES128CBC.zeroIV
  }
}
