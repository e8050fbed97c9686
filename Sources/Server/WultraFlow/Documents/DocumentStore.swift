// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `wultra_document`. The pictures are blobs.
package struct SubmittedDocumentStore {
  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  private static let columns: SQLColumns = """
    id, verification_id, document, side, filename, status, error_code, original_id, has_image, has_portrait,
    created_at
    """

  package static let migration = Migration(
    "2026-11-22 wultra 3 document",
    """
    CREATE TABLE wultra_document (
      id TEXT PRIMARY KEY,
      verification_id TEXT NOT NULL REFERENCES wultra_verification (id),
      document TEXT NOT NULL,
      side TEXT NOT NULL,
      filename BLOB NOT NULL,
      status TEXT NOT NULL,
      error_code TEXT,
      original_id TEXT,
      reading BLOB,
      has_image BIGINT NOT NULL CHECK (has_image IN (0, 1)),
      has_portrait BIGINT NOT NULL CHECK (has_portrait IN (0, 1)),
      created_at BIGINT NOT NULL,
      erased_at BIGINT
    );
    CREATE INDEX wultra_document_verification ON wultra_document (verification_id, created_at, id);
    """)

  /// How many pictures one verification may send, replaced ones included.
  static let documentsMax = 60

  package func insert(_ document: SubmittedDocument) throws {
    try tx.execute(
      """
      INSERT INTO wultra_document (
        id, verification_id, document, side, filename, status, error_code, original_id, has_image, has_portrait,
        created_at)
      VALUES (
        \(document.id), \(document.verification), \(document.document), \(document.side),
        \(try seal(Data(document.filename.utf8), Self.filenameContext(document.id), of: document.verification)),
        \(document.status), \(document.errorCode), \(document.original), \(document.hasImage), 0,
        \(document.createdAt))
      """)
  }

  /// Every picture of a verification, replaced and merely uploaded ones included, in the order in which they came.
  func all(of verification: IdentityVerification.ID) throws -> [SubmittedDocument] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM wultra_document WHERE verification_id = \(verification) AND erased_at IS NULL
      ORDER BY created_at, id LIMIT 200
      """
    ).map(document)
  }

  /// The same with those of which only the row is left, and when that came to be.
  func withErased(
    of verification: IdentityVerification.ID
  ) throws -> [(document: SubmittedDocument, erasedAt: Instant?)] {
    try tx.query(
      """
      SELECT \(Self.columns), erased_at FROM wultra_document
      WHERE verification_id = \(verification) ORDER BY created_at, id LIMIT 200
      """
    ).map { (document: try document($0), erasedAt: try $0.get("erased_at")) }
  }

  /// Documents that count.
  func used(of verification: IdentityVerification.ID) throws -> [SubmittedDocument] {
    try all(of: verification).filter { $0.status != .disposed && $0.status != .uploaded }
  }

  /// Documents that counted then: of what was replaced, what a later picture replaced. Erased ones are gone.
  func used(of verification: IdentityVerification.ID, at then: Instant) throws -> [SubmittedDocument] {
    let before = try all(of: verification).filter { $0.status != .uploaded && $0.createdAt <= then }
    return before.filter { document in
      document.status != .disposed
        || !before.contains {
          $0.document == document.document && $0.side == document.side && $0.createdAt > document.createdAt
        }
    }
  }

  func find(_ id: SubmittedDocument.ID) throws -> SubmittedDocument? {
    try tx.first("SELECT \(Self.columns) FROM wultra_document WHERE id = \(id) AND erased_at IS NULL").map(document)
  }

  /// Compare-and-set on the status that the decision was made on.
  /// - Throws: `SQLError.outdated` when the status is another one meanwhile, or the document was erased.
  func update(_ document: SubmittedDocument, from status: SubmittedDocument.Status) throws {
    let changed = try tx.execute(
      """
      UPDATE wultra_document SET status = \(document.status), document = \(document.document), side = \(document.side),
        error_code = \(document.errorCode), original_id = \(document.original),
        has_portrait = \(document.hasPortrait), created_at = \(document.createdAt)
      WHERE id = \(document.id) AND status = \(status) AND erased_at IS NULL
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func setReading(_ reading: Data, of id: SubmittedDocument.ID) throws {
    let row = try tx.first("SELECT verification_id FROM wultra_document WHERE id = \(id) AND erased_at IS NULL")
    guard let row else { return }
    let sealed = try seal(reading, Self.readingContext(id), of: row.get("verification_id"))
    try tx.execute("UPDATE wultra_document SET reading = \(sealed) WHERE id = \(id) AND erased_at IS NULL")
  }

  /// Nil when nothing was read of it, and once the key of whose it is was destroyed.
  func reading(of id: SubmittedDocument.ID) throws -> Data? {
    try tx.first("SELECT reading FROM wultra_document WHERE id = \(id)")?.get("reading", as: Data?.self)
      .flatMap { try vault.kept($0, context: Self.readingContext(id), in: tx) }
  }

  /// Forgets what a verification's pictures are called and show; the rows stay as evidence that there were some.
  /// - Returns: the pictures whose blobs are to go.
  func erase(of verification: IdentityVerification.ID, at now: Instant) throws -> [SubmittedDocument.ID] {
    let ids: [SubmittedDocument.ID] = try tx.query(
      "SELECT id FROM wultra_document WHERE verification_id = \(verification) AND erased_at IS NULL"
    ).map { try $0.get("id") }
    for id in ids {
      try tx.execute(
        """
        UPDATE wultra_document SET filename = \(Data()), reading = NULL, has_portrait = 0, erased_at = \(now)
        WHERE id = \(id)
        """)
    }
    return ids
  }

  private func document(_ row: SQLRow) throws -> SubmittedDocument {
    let id: SubmittedDocument.ID = try row.get("id")
    return SubmittedDocument(
      id: id, verification: try row.get("verification_id"), document: try row.get("document"),
      side: try row.get("side"),
      filename: try filename(row.get("filename"), of: id),
      status: try row.get("status"), errorCode: try row.get("error_code"), original: try row.get("original_id"),
      hasImage: try row.get("has_image"), hasPortrait: try row.get("has_portrait"),
      createdAt: try row.get("created_at"))
  }

  private func seal(_ plain: Data, _ context: String, of verification: IdentityVerification.ID) throws -> Data {
    try vault.seal(
      plain, context: context, of: IdentityVerificationStore(tx).keySubject(of: verification), in: tx)
  }

  /// Empty once it is erased, or the key of whose it is: the rows are emptied after that key is destroyed.
  private func filename(_ sealed: Data, of id: SubmittedDocument.ID) throws -> String {
    try vault.kept(sealed, context: Self.filenameContext(id), in: tx).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  private static func filenameContext(_ id: SubmittedDocument.ID) -> String { "wultra_document.filename:\(id)" }
  private static func readingContext(_ id: SubmittedDocument.ID) -> String { "wultra_document.reading:\(id)" }
}
