// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// An RSA private key: a device's, which signs and reads what is for its connection, or a bank's.
public struct RSAPrivateKey: Sendable, Redacted {
  /// What the wire prescribes.
  public static let bitsByDefault = 2048

  public let publicKey: RSAPublicKey
  private let pkcs1: Data
  private let platform: PlatformPrivateKey
  /// Makes up answers for invalid ciphertexts; known only to the holder of the key.
  private let rejectionKey: SymmetricKey

  /// Reads both PEM forms: PKCS #8 and PKCS #1, not encrypted.
  /// - Throws: `malformed` or `tooLong` for what is no PEM, `invalidKey` for what is no usable private key.
  public init(pem text: String) throws(SaltEdgeError) {
    let pem = try PEM(text: text)
    switch pem.label {
    case .privateKey: try self.init(pkcs8: pem.der)
    case .rsaPrivateKey: try self.init(pkcs1: pem.der)
    case .publicKey, .rsaPublicKey: throw .invalidKey
    }
  }

  /// `PrivateKeyInfo` (RFC 5958 §2).
  public init(pkcs8 der: Data) throws(SaltEdgeError) {
    try self.init(pkcs1: RSAKeyEncoding.privatePKCS1(pkcs8: der))
  }

  /// `RSAPrivateKey` with two primes (RFC 8017 §A.1.2).
  public init(pkcs1 der: Data) throws(SaltEdgeError) {
    publicKey = try RSAPublicKey(RSAKeyEncoding.numbers(privatePKCS1: der))
    pkcs1 = Data(der)
    platform = try PlatformPrivateKey(pkcs1: pkcs1)
    rejectionKey = SymmetricKey(data: SHA256.hash(data: Data("implicit rejection".utf8) + pkcs1))
  }

  /// A fresh key, drawn by the platform; takes a good part of a second.
  /// - Throws: `invalidKey` when no key of that size is to be had.
  public static func generate(bits: Int = bitsByDefault) throws(SaltEdgeError) -> RSAPrivateKey {
    guard RSAPublicKey.bits.contains(bits), bits.isMultiple(of: 8) else { throw .invalidKey }
    return try RSAPrivateKey(pkcs1: PlatformPrivateKey.generate(bits: bits))
  }

  /// To be sealed at rest.
  public var pkcs8PEM: String { PEM(.privateKey, der: RSAKeyEncoding.pkcs8(privatePKCS1: pkcs1)).text }
  /// To be sealed at rest.
  public var pkcs1PEM: String { PEM(.rsaPrivateKey, der: pkcs1).text }
  /// To be sealed at rest.
  public var pkcs8DER: Data { RSAKeyEncoding.pkcs8(privatePKCS1: pkcs1) }

  /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2): the same bytes always have the same signature.
  /// - Throws: `invalidKey` when the platform cannot sign with it.
  public func signature(for bytes: Data) throws(SaltEdgeError) -> Data {
    try platform.signature(for: bytes)
  }

  /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2) of a message whose length is known, with implicit rejection: a ciphertext that
  /// is not properly padded, or holds another length, gives bytes that depend on the key and the ciphertext, in the
  /// same time. So a caller does not learn from it whether the padding was right (Bleichenbacher's attack).
  /// - Throws: `undecryptable` when it is no ciphertext of this modulus, which everybody can see.
  package func decrypt(_ ciphertext: Data, count: Int) throws(SaltEdgeError) -> Data {
    precondition(count <= SHA256.Digest.byteCount, "a made up answer has 32 bytes at most")
    let encoded = try rawDecrypt(ciphertext)
    let madeUp = Data(HMAC<SHA256>.authenticationCode(for: Data([UInt8(count)]) + ciphertext, using: rejectionKey))
    return EncryptionPadding.message(in: encoded, count: count, otherwise: madeUp.prefix(count))
  }

  /// RSAES-PKCS1-v1_5 of a message of any length. For devices only, which do not answer the sender of the ciphertext:
  /// unlike the other one this tells wrong padding by its error.
  /// - Throws: `undecryptable`.
  package func decrypt(_ ciphertext: Data) throws(SaltEdgeError) -> Data {
    guard let message = EncryptionPadding.message(in: try rawDecrypt(ciphertext)) else { throw .undecryptable }
    return message
  }

  private func rawDecrypt(_ ciphertext: Data) throws(SaltEdgeError) -> Data {
    guard ciphertext.count == publicKey.modulusBytes else { throw .undecryptable }
    return try platform.rawDecrypt(ciphertext)
  }
}
