// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A private key of NIST P-256, for agreeing on keys and for signing.
public struct ECPrivateKey: Sendable, Redacted {
  /// Draws that make a scalar; one in 2³² fails.
  private static let drawsMax = 64
  private static let scalarBytes = 32

  let agreement: P256.KeyAgreement.PrivateKey

  /// Reads an unsigned scalar, most significant byte first, of up to 33 bytes: Java writes a leading zero, mobile
  /// devices leave zeros out.
  /// - Throws: `invalidKey` when it is zero, too large or no number.
  public init(_ scalar: Data) throws(PowerAuthError) {
    let significant = scalar.drop { $0 == 0 }
    guard scalar.count <= Self.scalarBytes + 1, !significant.isEmpty, significant.count <= Self.scalarBytes else {
      throw .invalidKey
    }
    let padded = Data(count: Self.scalarBytes - significant.count) + significant
    guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: padded) else { throw .invalidKey }
    agreement = key
  }

  /// A fresh key, drawn until the number is in range.
  public init(_ randomness: Randomness) {
    for _ in 0..<Self.drawsMax {
      guard let key = try? ECPrivateKey(randomness.bytes(Self.scalarBytes)) else { continue }
      self = key
      return
    }
    preconditionFailure("the source of randomness gives no numbers below the order of the curve")
  }

  /// The scalar in 32 bytes, to be sealed at rest.
  public var scalar: Data { agreement.rawRepresentation }
  public var publicKey: ECPublicKey { ECPublicKey(agreement.publicKey) }

  /// The X coordinate of the agreed point (SEC 1 §3.3.1), 32 bytes.
  /// - Throws: `invalidKey` when the two cannot agree.
  func sharedSecret(with key: ECPublicKey) throws(PowerAuthError) -> SharedSecret {
    guard let secret = try? agreement.sharedSecretFromKeyAgreement(with: key.agreement) else { throw .invalidKey }
    return secret
  }

  /// ECDSA with SHA-256, DER.
  public func signature(for data: Data) throws(PowerAuthError) -> Data {
    try ecdsa(data).derRepresentation
  }

  /// ECDSA with SHA-256, `r` and `s` of 32 bytes each (RFC 7518 §3.4).
  func rawSignature(for data: Data) throws(PowerAuthError) -> Data {
    try ecdsa(data).rawRepresentation
  }

  private func ecdsa(_ data: Data) throws(PowerAuthError) -> P256.Signing.ECDSASignature {
    let signature = try? P256.Signing.PrivateKey(rawRepresentation: agreement.rawRepresentation).signature(for: data)
    guard let signature else { throw .invalidKey }
    return signature
  }
}
