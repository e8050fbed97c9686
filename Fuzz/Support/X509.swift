// SPDX-License-Identifier: Apache-2.0

/// Certificates that are taken unread: who signed a stamp is looked for after it was read.
public struct Certificate: Sendable {
  public enum SignatureAlgorithm: Sendable {
    case sha256WithRSAEncryption, sha384WithRSAEncryption, sha512WithRSAEncryption
    case ecdsaWithSHA256, ecdsaWithSHA384, ecdsaWithSHA512
  }

  public init(derEncoded: [UInt8]) throws {}
}
