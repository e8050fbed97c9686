// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A point of NIST P-256 that is on the curve and not at infinity.
public struct ECPublicKey: Hashable, Sendable {
  let agreement: P256.KeyAgreement.PublicKey

  init(_ agreement: P256.KeyAgreement.PublicKey) {
    self.agreement = agreement
  }

  /// Reads both forms of SEC 1 §2.3.4: compressed, 33 bytes, and uncompressed, 65 bytes.
  /// - Throws: `invalidKey` for anything else.
  public init(_ bytes: Data) throws(PowerAuthError) {
    let key: P256.KeyAgreement.PublicKey? =
      switch (bytes.count, bytes.first) {
      case (33, 2), (33, 3): try? P256.KeyAgreement.PublicKey(compressedRepresentation: bytes)
      case (65, 4): try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
      default: nil
      }
    guard let key else { throw .invalidKey }
    agreement = key
  }

  /// Base64 of either form.
  public init(base64 text: String) throws(PowerAuthError) {
    guard let bytes = Data(canonicalBase64: text) else { throw .invalidKey }
    try self.init(bytes)
  }

  /// 33 bytes: what devices send.
  public var compressed: Data { agreement.compressedRepresentation }
  /// 65 bytes: what servers send.
  public var uncompressed: Data { agreement.x963Representation }
  /// The affine X coordinate in 32 bytes.
  public var x: Data { Data(agreement.rawRepresentation.prefix(32)) }

  /// Whether a DER signature, ECDSA with SHA-256, is this key's.
  public func isValidSignature(_ signature: Data, for data: Data) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
    return isValid(signature, for: data)
  }

  /// Whether a signature of JOSE, `r` and `s` of 32 bytes each (RFC 7518 §3.4), is this key's.
  func isValidRawSignature(_ signature: Data, for data: Data) -> Bool {
    guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
    return isValid(signature, for: data)
  }

  private func isValid(_ signature: P256.Signing.ECDSASignature, for data: Data) -> Bool {
    guard let key = try? P256.Signing.PublicKey(rawRepresentation: agreement.rawRepresentation) else { return false }
    return key.isValidSignature(signature, for: data)
  }

  public static func == (left: ECPublicKey, right: ECPublicKey) -> Bool {
    left.agreement.rawRepresentation == right.agreement.rawRepresentation
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(agreement.rawRepresentation)
  }
}
