// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Security)
  import Security

  // Keys of Security are made anew for every use: their type is not known to be Sendable everywhere.

  struct PlatformPublicKey: Sendable {
    private let pkcs1: Data

    init(_ numbers: RSAKeyEncoding.Numbers, pkcs1: Data) throws(SaltEdgeError) {
      self.pkcs1 = pkcs1
      _ = try key()
    }

    func isValidSignature(_ signature: Data, for bytes: Data) -> Bool {
      guard let key = try? key() else { return false }
      return SecKeyVerifySignature(
        key, .rsaSignatureMessagePKCS1v15SHA256, bytes as CFData, signature as CFData, nil)
    }

    func encrypt(_ plaintext: Data) throws(SaltEdgeError) -> Data {
      guard let data = SecKeyCreateEncryptedData(try key(), .rsaEncryptionPKCS1, plaintext as CFData, nil) else {
        throw .invalidKey
      }
      return data as Data
    }

    private func key() throws(SaltEdgeError) -> SecKey {
      let attributes: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
      guard let key = SecKeyCreateWithData(pkcs1 as CFData, attributes as CFDictionary, nil) else { throw .invalidKey }
      return key
    }
  }

  struct PlatformPrivateKey: Sendable {
    private let pkcs1: Data

    init(pkcs1: Data) throws(SaltEdgeError) {
      self.pkcs1 = pkcs1
      _ = try key()
    }

    static func generate(bits: Int) throws(SaltEdgeError) -> Data {
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: bits, kSecAttrIsPermanent: false,
      ]
      guard let key = SecKeyCreateRandomKey(attributes as CFDictionary, nil),
        let pkcs1 = SecKeyCopyExternalRepresentation(key, nil)
      else { throw .invalidKey }
      return pkcs1 as Data
    }

    func signature(for bytes: Data) throws(SaltEdgeError) -> Data {
      let signature = SecKeyCreateSignature(
        try key(), .rsaSignatureMessagePKCS1v15SHA256, bytes as CFData, nil)
      guard let signature else { throw .invalidKey }
      return signature as Data
    }

    /// RSADP (RFC 8017 §5.1.2), padded to the length of the modulus.
    func rawDecrypt(_ ciphertext: Data) throws(SaltEdgeError) -> Data {
      guard let data = SecKeyCreateDecryptedData(try key(), .rsaEncryptionRaw, ciphertext as CFData, nil) else {
        throw .undecryptable
      }
      let bytes = data as Data
      return Data(count: max(0, ciphertext.count - bytes.count)) + bytes
    }

    private func key() throws(SaltEdgeError) -> SecKey {
      let attributes: [CFString: Any] = [
        kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      ]
      guard let key = SecKeyCreateWithData(pkcs1 as CFData, attributes as CFDictionary, nil) else { throw .invalidKey }
      return key
    }
  }
#else
  import Crypto
  import CryptoExtras

  struct PlatformPublicKey: Sendable {
    private let numbers: RSAKeyEncoding.Numbers
    private let verifying: _RSA.Signing.PublicKey

    init(_ numbers: RSAKeyEncoding.Numbers, pkcs1: Data) throws(SaltEdgeError) {
      self.numbers = numbers
      guard let key = try? _RSA.Signing.PublicKey(n: numbers.modulus, e: numbers.exponent) else { throw .invalidKey }
      verifying = key
    }

    func isValidSignature(_ signature: Data, for bytes: Data) -> Bool {
      verifying.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: bytes),
        padding: .insecurePKCS1v1_5)
    }

    func encrypt(_ plaintext: Data) throws(SaltEdgeError) -> Data {
      // swift-crypto's type for encryption is not Sendable, hence made here.
      let key = try? _RSA.Encryption.PublicKey(n: numbers.modulus, e: numbers.exponent)
      guard let ciphertext = try? key?.encrypt(plaintext, padding: ._WEAK_AND_INSECURE_PKCS_V1_5) else {
        throw .invalidKey
      }
      return ciphertext
    }
  }

  struct PlatformPrivateKey: Sendable {
    private let signing: _RSA.Signing.PrivateKey
    private let raw: _RSA.BlindSigning.PrivateKey<SHA384>

    init(pkcs1: Data) throws(SaltEdgeError) {
      guard let signing = try? _RSA.Signing.PrivateKey(derRepresentation: pkcs1),
        let raw = try? _RSA.BlindSigning.PrivateKey<SHA384>(
          derRepresentation: pkcs1, parameters: .RSABSSA_SHA384_PSS_Randomized)
      else { throw .invalidKey }
      (self.signing, self.raw) = (signing, raw)
    }

    static func generate(bits: Int) throws(SaltEdgeError) -> Data {
      guard let key = try? _RSA.Signing.PrivateKey(keySize: .init(bitCount: bits)) else { throw .invalidKey }
      return key.derRepresentation
    }

    func signature(for bytes: Data) throws(SaltEdgeError) -> Data {
      let signature = try? signing.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
      guard let signature else { throw .invalidKey }
      return signature.rawRepresentation
    }

    /// RSADP (RFC 8017 §5.1.2), padded to the length of the modulus.
    ///
    /// swift-crypto's decryption of PKCS #1 v1.5 throws when the padding is wrong, which can be timed. Its raw
    /// operation is only to be had as the signature of a blinded message (RFC 9474 §4.3), which is RSASP1, the same
    /// function; BoringSSL computes it blinded and in constant time.
    func rawDecrypt(_ ciphertext: Data) throws(SaltEdgeError) -> Data {
      guard let message = try? raw.blindSignature(for: ciphertext) else { throw .undecryptable }
      return message.rawRepresentation
    }
  }
#endif
