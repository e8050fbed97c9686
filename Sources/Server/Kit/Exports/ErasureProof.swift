import Crypto
import Foundation
import Storage

/// What an erasure destroyed, signed: shown to the person, to a supervisor, and to whoever looks into a copy. It names
/// no person: `subject` is a keyed digest that the installation can make of the person's id.
package struct ErasureProof: Codable, Sendable, Equatable {
  package static let format = "gatehouse-erasure-proof/1"

  package let format: String
  /// Keyed digest of the person's id.
  package let subject: String
  package let tenant: String
  package let reason: String
  /// RFC 3339.
  package let erasedAt: String
  /// The person's key; nil when data keys sealed everything, which an erasure does not reach in copies.
  package let key: DestroyedKey?
  /// From when on no copy can be opened, when no older copy of the epoch key is kept.
  package let unreadableFrom: String?
  /// Sealed values that were deleted, by `table.column`.
  package let values: [String: Int]
  /// Objects that the worker deletes.
  package let objects: Int
  /// Heads of the person's audit chain and of the log's own one, by the digests of their first lines.
  let heads: [AuditCheckpoint.Head]
  /// Of the signing key.
  let keyVersion: String
  /// Ed25519, for those who check the signature without the key ring.
  let publicKey: Data

  /// The proof in JSON, a line feed, and its Ed25519 signature in Base64.
  func signed(by key: Curve25519.Signing.PrivateKey) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let body = try encoder.encode(self)
    return body + Data("\n\(try key.signature(for: body).base64EncodedString())\n".utf8)
  }
}

extension ErasureProof {
  /// - Throws: `Problem` unprocessable for what is no proof of this installation.
  package init(_ document: Data, by vault: Vault) throws {
    guard let end = document.firstIndex(of: UInt8(ascii: "\n")),
      let signature = Data(base64Encoded: document[(end + 1)...].filter { $0 != UInt8(ascii: "\n") }),
      let proof = try? JSONDecoder().decode(Self.self, from: document[..<end]), proof.format == Self.format
    else { throw Problem(.unprocessable, "no-proof", "This is not the proof of an erasure.") }
    guard let key = try? vault.erasureProofKey(proof.keyVersion).key,
      key.publicKey.isValidSignature(signature, for: document[..<end])
    else { throw Problem(.unprocessable, "wrong-signature", "This installation did not sign the proof.") }
    self = proof
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

/// Destroys the keys of persons, and keeps the proofs.
package struct SubjectErasures: Sendable {
  let vault: Vault
  let world: World
  let columns: [SealedColumn]

  package init(_ core: CoreDependencies, columns: [SealedColumn]) {
    (vault, world, self.columns) = (core.vault, core.world, columns)
  }

  /// Counts what is sealed of a person, before it is deleted.
  package func values(of id: String, in tx: any SQLTransaction) throws -> [String: Int] {
    let store = SealedColumnStore(tx)
    return try columns.reduce(into: [:]) { counts, column in
      let count = try store.count(column, of: id)
      if count > 0 { counts[column.name] = count }
    }
  }

  /// Destroys the person's key and keeps the signed proof of it, in the transaction of the erasure.
  /// - Parameter chain: the person's audit chain, which was cut.
  package func destroy(
    _ subject: KeySubject, for reason: ErasureReason, values: [String: Int], objects: Int, chain: String,
    in tx: any SQLTransaction
  ) throws {
    let now = world.now()
    let key = try vault.destroySubjectKey(of: subject.id, in: tx)
    let signing = try vault.erasureProofKey()
    let audit = AuditStore(tx)
    let proof = ErasureProof(
      format: ErasureProof.format, subject: vault.subjectDigest(subject.id),
      tenant: subject.tenant?.description ?? "", reason: reason.rawValue, erasedAt: now.rfc3339, key: key,
      unreadableFrom: key.map { _ in (now + SubjectKeys.epochLength + SubjectKeys.epochKept).rfc3339 },
      values: values, objects: objects,
      heads: try [chain, Audit.ownChain].compactMap { try audit.checkpointHead(of: $0) },
      keyVersion: signing.version, publicKey: signing.key.publicKey.rawRepresentation)
    try ErasureProofStore(tx).insert(proof.signed(by: signing.key), of: proof.subject, at: now)
  }

  /// The signed proof of a person's erasure; nil when there was none.
  package func proof(of id: String, in tx: any SQLTransaction) throws -> Data? {
    try ErasureProofStore(tx).find(vault.subjectDigest(id))
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

  /// A second erasure, after a restore, takes the place of the first one.
  func insert(_ document: Data, of subject: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO erasure_proof (subject, document, erased_at) VALUES (\(subject), \(document), \(now))
      ON CONFLICT (subject) DO UPDATE SET document = excluded.document, erased_at = excluded.erased_at
      """)
  }

  func find(_ subject: String) throws -> Data? {
    try tx.first("SELECT document FROM erasure_proof WHERE subject = \(subject)")?.get("document")
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
