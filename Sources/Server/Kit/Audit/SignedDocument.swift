// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A text with a signature that others can check without the key ring, when they know the public key from elsewhere.
/// The text stands in the document as it was signed, so that no second spelling of it has to be agreed on.
package struct SignedDocument: Codable, Sendable, Equatable {
  /// Purposes of signing keys; a signature for one purpose does not verify for another.
  package enum Purpose: String, Sendable {
    case decisionReceipt = "decision receipt"
    case ledgerCheckpoint = "ledger checkpoint"
  }

  /// JSON, as it was signed.
  package let signed: String
  /// Ed25519 (RFC 8032) over the bytes of `signed`.
  package let signature: Data
  /// Of the signing key, for those who have the key ring.
  package let keyVersion: String
  /// Ed25519, raw.
  package let publicKey: Data

  enum CodingKeys: String, CodingKey {
    case signed, signature
    case keyVersion = "key_version"
    case publicKey = "public_key"
  }

  package init(_ value: some Encodable, for purpose: Purpose, by vault: Vault) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = try encoder.encode(value)
    let key = try vault.signingKey(for: purpose)
    signed = String(decoding: body, as: UTF8.self)
    (signature, keyVersion) = (try key.key.signature(for: body), key.version)
    publicKey = key.key.publicKey.rawRepresentation
  }

  /// - Throws: `Problem` unprocessable `not-signed` for what is no such document.
  package init(document: Data) throws {
    do { self = try JSONDecoder().decode(Self.self, from: document) } catch {
      throw Problem(.unprocessable, "not-signed", "This is no signed document.")
    }
  }

  /// The document as a file: one line of JSON.
  package var document: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }

  /// Checks with the key ring of the installation that signed.
  /// - Throws: `Problem` unprocessable `wrong-signature`.
  package func verify(for purpose: Purpose, by vault: Vault) throws {
    guard let key = try? vault.signingKey(for: purpose, version: keyVersion).key else { throw Self.wrong }
    try verify(publicKey: key.publicKey.rawRepresentation)
  }

  /// Checks with a public key that is known from elsewhere: the one in the document proves nothing by itself.
  /// - Throws: `Problem` unprocessable `wrong-signature`.
  package func verify(publicKey known: Data) throws {
    guard known == publicKey, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: known),
      key.isValidSignature(signature, for: Data(signed.utf8))
    else { throw Self.wrong }
  }

  private static let wrong = Problem(
    .unprocessable, "wrong-signature", "The document was changed, or another installation signed it.")
}

extension Vault {
  /// - Parameter version: as a document names it; nil is the one that new ones get.
  func signingKey(
    for purpose: SignedDocument.Purpose, version: String? = nil
  ) throws -> (version: String, key: Curve25519.Signing.PrivateKey) {
    let derived = try derivedKey(for: purpose.rawValue, version: version)
    return (
      derived.version, try derived.key.withUnsafeBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    )
  }

  /// The public part of the key that signs by now, for those who check documents without the key ring.
  package func publicKey(for purpose: SignedDocument.Purpose) throws -> Data {
    try signingKey(for: purpose).key.publicKey.rawRepresentation
  }
}
