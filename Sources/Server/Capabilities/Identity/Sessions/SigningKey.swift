// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import Storage

/// A key pair that signs access tokens, with the symmetric key that seals the subject inside them.
struct SigningKey: Sendable {
  private static let subjectVersion: UInt8 = 1

  /// The `kid` of its tokens.
  let id: String
  let signing: P256.Signing.PrivateKey
  let subject: SymmetricKey
  let activeFrom: Instant

  static func make(activeFrom: Instant, world: World) throws -> SigningKey {
    while true {
      // All but 2^-32 of the 32-byte strings are valid scalars.
      guard let signing = try? P256.Signing.PrivateKey(rawRepresentation: world.random(32)) else { continue }
      return SigningKey(
        id: world.uuid(), signing: signing, subject: SymmetricKey(data: world.random(32)), activeFrom: activeFrom)
    }
  }

  func seal(_ uuid: UUID, binding: String, nonce: [UInt8]) throws -> String {
    let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
    let box = try AES.GCM.seal(
      bytes, using: subject, nonce: AES.GCM.Nonce(data: nonce), authenticating: Data(binding.utf8))
    return (Data([Self.subjectVersion]) + (box.combined ?? Data())).base64URL
  }

  /// - Returns: nil when the text was changed or belongs to another token.
  func open(_ text: String, binding: String) -> UUID? {
    guard let data = Data(base64URL: text), data.first == Self.subjectVersion,
      let box = try? AES.GCM.SealedBox(combined: data.dropFirst()),
      let bytes = try? AES.GCM.open(box, using: subject, authenticating: Data(binding.utf8)), bytes.count == 16
    else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

/// Rows of `signing_key`.
package struct SigningKeyStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 signing key",
    """
    CREATE TABLE signing_key (
      id TEXT PRIMARY KEY,
      sealed BLOB NOT NULL,
      active_from BIGINT NOT NULL
    );
    """)

  private struct Secrets: Codable {
    let signing: Data
    let subject: Data
  }

  func all(vault: Vault) throws -> [SigningKey] {
    try tx.query("SELECT id, sealed, active_from FROM signing_key ORDER BY active_from, id").map { row in
      let id: String = try row.get("id")
      let secrets = try vault.open(row.get("sealed"), as: Secrets.self, context: "signing_key:\(id)")
      return SigningKey(
        id: id, signing: try P256.Signing.PrivateKey(rawRepresentation: secrets.signing),
        subject: SymmetricKey(data: secrets.subject), activeFrom: try row.get("active_from"))
    }
  }

  func insert(_ key: SigningKey, vault: Vault) throws {
    let secrets = Secrets(
      signing: key.signing.rawRepresentation, subject: key.subject.withUnsafeBytes { Data($0) })
    try tx.execute(
      """
      INSERT INTO signing_key (id, sealed, active_from)
      VALUES (\(key.id), \(try vault.seal(secrets, as: "signing_key:\(key.id)")), \(key.activeFrom))
      """)
  }
}
