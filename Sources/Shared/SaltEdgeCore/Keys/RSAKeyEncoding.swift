// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How RSA keys are written, with and without the wrapping that says that they are RSA keys.
package enum RSAKeyEncoding {
  /// `rsaEncryption` with NULL parameters (RFC 3279 §2.3.1).
  private static let algorithm =
    DERReader.value(.objectIdentifier, [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01])
    + DERReader.value(.null, [UInt8]())

  struct Numbers: Sendable {
    let modulus, exponent: Data
  }

  /// The public numbers of a public key of PKCS #1: `SEQUENCE { modulus, publicExponent }`.
  static func numbers(publicPKCS1 der: Data) throws(SaltEdgeError) -> Numbers {
    var outer = DERReader(der)
    var key = DERReader(try outer.read(.sequence))
    try outer.finish()
    let numbers = Numbers(modulus: Data(try key.readUnsigned()), exponent: Data(try key.readUnsigned()))
    try key.finish()
    return numbers
  }

  /// The public numbers of a private key of PKCS #1 with two primes:
  /// `SEQUENCE { 0, modulus, publicExponent, privateExponent, p, q, dp, dq, qInverse }`.
  static func numbers(privatePKCS1 der: Data) throws(SaltEdgeError) -> Numbers {
    var outer = DERReader(der)
    var key = DERReader(try outer.read(.sequence))
    try outer.finish()
    guard try key.readUnsigned().isEmpty else { throw .invalidKey }
    let numbers = Numbers(modulus: Data(try key.readUnsigned()), exponent: Data(try key.readUnsigned()))
    for _ in 0..<6 { _ = try key.readUnsigned() }
    try key.finish()
    return numbers
  }

  static func publicPKCS1(_ numbers: Numbers) -> Data {
    DERReader.value(.sequence, unsigned(numbers.modulus) + unsigned(numbers.exponent))
  }

  /// `SEQUENCE { algorithm, BIT STRING { 0 unused bits, PKCS #1 } }`
  static func publicPKCS1(spki der: Data) throws(SaltEdgeError) -> Data {
    var outer = DERReader(der)
    var info = DERReader(try outer.read(.sequence))
    try outer.finish()
    guard try info.read(.sequence).elementsEqual(algorithm) else { throw .invalidKey }
    let bits = try info.read(.bitString)
    try info.finish()
    guard bits.first == 0 else { throw .invalidKey }
    return Data(bits.dropFirst())
  }

  package static func spki(publicPKCS1 der: Data) -> Data {
    DERReader.value(.sequence, DERReader.value(.sequence, algorithm) + DERReader.value(.bitString, Data([0]) + der))
  }

  /// `SEQUENCE { 0, algorithm, OCTET STRING { PKCS #1 }, attributes? }`
  static func privatePKCS1(pkcs8 der: Data) throws(SaltEdgeError) -> Data {
    var outer = DERReader(der)
    var info = DERReader(try outer.read(.sequence))
    try outer.finish()
    guard try info.readUnsigned().isEmpty, try info.read(.sequence).elementsEqual(algorithm) else {
      throw .invalidKey
    }
    let key = try info.read(.octetString)
    if info.isNext(.attributes) { _ = try info.read(.attributes) }
    try info.finish()
    return Data(key)
  }

  static func pkcs8(privatePKCS1 der: Data) -> Data {
    DERReader.value(
      .sequence,
      DERReader.value(.integer, [0]) + DERReader.value(.sequence, algorithm) + DERReader.value(.octetString, der))
  }

  private static func unsigned(_ magnitude: Data) -> Data {
    let isPositive = magnitude.first.map { $0 < 0x80 } ?? false
    return DERReader.value(.integer, isPositive ? magnitude : Data([0]) + magnitude)
  }
}
