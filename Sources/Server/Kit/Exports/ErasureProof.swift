// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// What the erasure of a person destroyed, signed: shown to the person, to a supervisor, and to those who look into a
/// copy. It names no person: digests in it are keyed, and the installation alone can make them of a person's id.
///
/// A flow may keep what it has of one person under several keys, one for each process or membership, and may erase them
/// one after the other: the proof grows by a part for each.
package struct ErasureProof: Codable, Sendable, Equatable {
  package static let format = "gatehouse-erasure-proof/2"

  /// What one key sealed, and what became of it.
  package struct Part: Codable, Sendable, Equatable {
    /// Keyed digest of the id of what the key was for: a person, or one process of a person.
    package let subject: String
    package let tenant: String
    /// Nil when data keys sealed everything, which an erasure does not reach in copies.
    package let key: DestroyedKey?
    /// Sealed values that were deleted, by `table.column`.
    package let values: [String: Int]
    /// Objects that the worker deletes.
    package let objects: Int
  }

  package let format: String
  package let reason: String
  /// RFC 3339, of the last part.
  package let erasedAt: String
  /// From when on no copy can be opened, when no older copy of the epoch key is kept; nil without any key.
  package let unreadableFrom: String?
  /// In the order in which they were erased.
  package let parts: [Part]
  /// Heads of the audit chains about the person and of the log's own one, by the digests of their first lines.
  let heads: [AuditCheckpoint.Head]
  /// SHA-256 of earlier proofs of the same person that this installation could not verify when something more was
  /// erased, in hexadecimal digits: what they state is not in `parts`, and the documents are kept beside this one. Nil
  /// when there was no such proof.
  package let unverified: [String]?
  /// Of the signing key.
  let keyVersion: String
  /// Ed25519, for those who check the signature without the key ring.
  let publicKey: Data

  /// Sealed values of all parts, by `table.column`.
  package var values: [String: Int] { parts.reduce(into: [:]) { $0.merge($1.values, uniquingKeysWith: +) } }
  package var objects: Int { parts.reduce(0) { $0 + $1.objects } }
  package var keys: [DestroyedKey] { parts.compactMap(\.key) }
}

extension ErasureProof {
  /// - Throws: `Problem` unprocessable for what is no proof of this installation.
  package init(_ document: Data, by vault: Vault) throws {
    guard let (body, signature) = SignedLines.parts(of: document), let proof = Self.decoded(body)
    else { throw Problem(.unprocessable, "no-proof", "This is not the proof of an erasure.") }
    guard let key = try? vault.erasureProofKey(proof.keyVersion).key,
      key.publicKey.isValidSignature(signature, for: body)
    else { throw Problem(.unprocessable, "wrong-signature", "This installation did not sign the proof.") }
    self = proof
  }

  static func decoded(_ body: Data) -> ErasureProof? {
    let decoder = JSONDecoder()
    if let first = try? decoder.decode(FirstFormat.self, from: body), first.format == FirstFormat.format {
      return ErasureProof(first)
    }
    guard let proof = try? decoder.decode(Self.self, from: body), proof.format == format else { return nil }
    return proof
  }

  /// As proofs were when there was one key to a person.
  private struct FirstFormat: Codable {
    static let format = "gatehouse-erasure-proof/1"
    let format: String
    let subject: String
    let tenant: String
    let reason: String
    let erasedAt: String
    let key: DestroyedKey?
    let unreadableFrom: String?
    let values: [String: Int]
    let objects: Int
    let heads: [AuditCheckpoint.Head]
    let keyVersion: String
    let publicKey: Data
  }

  private init(_ first: FirstFormat) {
    self.init(
      format: first.format, reason: first.reason, erasedAt: first.erasedAt, unreadableFrom: first.unreadableFrom,
      parts: [
        Part(
          subject: first.subject, tenant: first.tenant, key: first.key, values: first.values, objects: first.objects)
      ],
      heads: first.heads, unverified: nil, keyVersion: first.keyVersion, publicKey: first.publicKey)
  }
}

extension Vault {
  /// - Parameter version: as a proof names it; nil is the one that new ones get.
  func erasureProofKey(_ version: String? = nil) throws -> (version: String, key: Curve25519.Signing.PrivateKey) {
    let derived = try derivedKey(for: "erasure proof", version: version)
    return (
      derived.version, try derived.key.withUnsafeBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    )
  }
}

/// Rows of `erasure_proof`.
package struct ErasureProofStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-24 subject key erasure proof",
    """
    CREATE TABLE erasure_proof (
      subject TEXT PRIMARY KEY,
      document BLOB NOT NULL,
      erased_at BIGINT NOT NULL
    );
    """)

  /// Takes the place of the one before.
  /// - Parameter person: keyed digest of the name under which the flow finds the proof.
  func insert(_ document: Data, of person: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO erasure_proof (subject, document, erased_at) VALUES (\(person), \(document), \(now))
      ON CONFLICT (subject) DO UPDATE SET document = excluded.document, erased_at = excluded.erased_at
      """)
  }

  /// Keeps a document that cannot be verified under a name of its own, so that the next one does not take its place.
  /// - Parameter digest: SHA-256 of the document.
  func setAside(_ document: Data, digest: String, of person: String, at now: Instant) throws {
    try insert(document, of: "\(person) \(digest)", at: now)
  }

  /// A page of all documents, ascending by the digests of the persons, also of those that were set aside.
  func all(after subject: String, limit: Int) throws -> [(subject: String, document: Data)] {
    try tx.query(
      "SELECT subject, document FROM erasure_proof WHERE subject > \(subject) ORDER BY subject LIMIT \(limit)"
    ).map { (try $0.get("subject"), try $0.get("document")) }
  }

  /// A document that was set aside.
  func find(_ person: String, digest: String) throws -> Data? { try find("\(person) \(digest)") }

  func find(_ person: String) throws -> Data? {
    try tx.first("SELECT document FROM erasure_proof WHERE subject = \(person)")?.get("document")
  }
}

extension AuditStore {
  /// The head of a chain, as checkpoints name it; nil when there is no such chain.
  func checkpointHead(of chain: String) throws -> AuditCheckpoint.Head? {
    guard let head = try head(of: chain),
      let first: String = try tx.first("SELECT digest FROM audit_line WHERE chain = \(chain) AND sequence = 1")?.get(
        "digest")
    else { return nil }
    return AuditCheckpoint.Head(chain: first, sequence: head.sequence, digest: head.digest)
  }
}
