// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An RSA public key: what a bank encrypts for and a device's signatures are checked with.
public struct RSAPublicKey: Hashable, Sendable {
  /// Bits of the modulus: a whole number of bytes. The wire prescribes 2048; more is taken, and bounded, because
  /// checking a signature takes a time that grows with their square.
  public static let bits = 2048...4096
  private static let exponentBytesMax = 4

  /// The numbers in their one spelling, PKCS #1: what equality means.
  private let pkcs1: Data
  private let platform: PlatformPublicKey
  /// Bytes of the modulus, and so of every ciphertext and signature.
  let modulusBytes: Int

  /// Reads both PEM forms: SubjectPublicKeyInfo, as the wire has it, and PKCS #1.
  /// - Throws: `malformed` or `tooLong` for what is no PEM, `invalidKey` for what is no usable public key.
  public init(pem text: String) throws(SaltEdgeError) {
    let pem = try PEM(text: text)
    switch pem.label {
    case .publicKey: try self.init(spki: pem.der)
    case .rsaPublicKey: try self.init(pkcs1: pem.der)
    case .privateKey, .rsaPrivateKey: throw .invalidKey
    }
  }

  /// SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
  public init(spki der: Data) throws(SaltEdgeError) {
    try self.init(pkcs1: RSAKeyEncoding.publicPKCS1(spki: der))
  }

  /// `RSAPublicKey` (RFC 8017 §A.1.1), as an iOS key chain gives it.
  public init(pkcs1 der: Data) throws(SaltEdgeError) {
    try self.init(RSAKeyEncoding.numbers(publicPKCS1: der))
  }

  init(_ numbers: RSAKeyEncoding.Numbers) throws(SaltEdgeError) {
    guard let high = numbers.modulus.first, let low = numbers.modulus.last, !low.isMultiple(of: 2),
      high >= 0x80, Self.bits.contains(numbers.modulus.count * 8),
      numbers.exponent.count <= Self.exponentBytesMax, let exponent = numbers.exponent.last,
      !exponent.isMultiple(of: 2), numbers.exponent != Data([1])
    else { throw .invalidKey }
    pkcs1 = RSAKeyEncoding.publicPKCS1(numbers)
    modulusBytes = numbers.modulus.count
    platform = try PlatformPublicKey(numbers, pkcs1: pkcs1)
  }

  /// SubjectPublicKeyInfo as the wire has it: lines of 64 characters, each ended by a line feed.
  public var pem: String { PEM(.publicKey, der: spkiDER).text }
  public var pkcs1PEM: String { PEM(.rsaPublicKey, der: pkcs1).text }
  public var spkiDER: Data { RSAKeyEncoding.spki(publicPKCS1: pkcs1) }
  public var pkcs1DER: Data { pkcs1 }

  /// Whether it is a signature of this key: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2).
  public func isValidSignature(_ signature: Data, for bytes: Data) -> Bool {
    signature.count == modulusBytes && platform.isValidSignature(signature, for: bytes)
  }

  /// RSAES-PKCS1-v1_5 (RFC 8017 §7.2), one block; its padding is drawn by the platform.
  /// - Throws: `tooLong` when the bytes leave no room for the padding of 11 bytes.
  func encrypt(_ plaintext: Data) throws(SaltEdgeError) -> Data {
    guard plaintext.count <= modulusBytes - EncryptionPadding.bytesMin else { throw .tooLong(.payload) }
    return try platform.encrypt(plaintext)
  }

  public static func == (left: RSAPublicKey, right: RSAPublicKey) -> Bool { left.pkcs1 == right.pkcs1 }

  public func hash(into hasher: inout Hasher) { hasher.combine(pkcs1) }
}
