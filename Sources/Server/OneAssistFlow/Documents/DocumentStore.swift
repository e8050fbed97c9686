// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import Storage

extension DocumentName: SQLConvertible {}
extension DocumentStatus: SQLConvertible {}
extension CodeVerdict: SQLConvertible {}

/// A photo that was taken in. Its picture is the blob of the same id.
package struct Photo: Sendable {
  package typealias ID = Identifier<Photo>

  package let id: ID
  package let membership: Membership.ID
  package let name: DocumentName
  /// Never `missing`.
  package var status: DocumentStatus
  /// Why it was refused, in words for the person who takes it again.
  package var reason: String?
  /// Of a photo of the secure screen.
  package var verdict: CodeVerdict?
  let fileDigest: String
  let uploadedAt: Instant
  var version = 0

  /// What its blob is sealed for, so that it opens nowhere else.
  static func context(_ id: ID) -> String { "oneassist_document:\(id)" }
}

/// Rows of `oneassist_document`: photos, which are blobs of the same id.
package struct DocumentStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// A photo that another one took the place of stays until the membership is forgotten: it is evidence.
  package static let migration = Migration(
    "2026-11-22 oneassist 5 document",
    """
    CREATE TABLE oneassist_document (
      id TEXT PRIMARY KEY,
      membership_id TEXT NOT NULL REFERENCES oneassist_membership (id),
      name TEXT NOT NULL,
      status TEXT NOT NULL,
      reason TEXT,
      verdict TEXT,
      file_digest TEXT NOT NULL,
      uploaded_at BIGINT NOT NULL,
      replaced_at BIGINT,
      erased_at BIGINT,
      version BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX oneassist_document_current ON oneassist_document (membership_id, name)
      WHERE replaced_at IS NULL;
    CREATE INDEX oneassist_document_membership ON oneassist_document (membership_id, uploaded_at, id);
    """)

  private static let columns: SQLColumns =
    "id, membership_id, name, status, reason, verdict, file_digest, uploaded_at, version"

  /// - Throws: `SQLError.notUnique` when there is one of that name that was not replaced.
  func insert(_ photo: Photo) throws {
    try tx.execute(
      """
      INSERT INTO oneassist_document
        (id, membership_id, name, status, reason, verdict, file_digest, uploaded_at, version)
      VALUES (\(photo.id), \(photo.membership), \(photo.name), \(photo.status), \(photo.reason), \(photo.verdict),
        \(photo.fileDigest), \(photo.uploadedAt), 0)
      """)
  }

  /// Photos that count, one of a name at most.
  func current(of membership: Membership.ID) throws -> [Photo] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM oneassist_document
      WHERE membership_id = \(membership) AND replaced_at IS NULL ORDER BY uploaded_at, id
      """
    ).map(Self.photo)
  }

  /// Photos that were not erased, replaced ones included, in the order in which they came.
  func all(of membership: Membership.ID) throws -> [(photo: Photo, replacedAt: Instant?)] {
    try tx.query(
      """
      SELECT \(Self.columns), replaced_at FROM oneassist_document
      WHERE membership_id = \(membership) AND erased_at IS NULL
      ORDER BY uploaded_at, id LIMIT 1000
      """
    ).map { (photo: try Self.photo($0), replacedAt: try $0.get("replaced_at")) }
  }

  func current(_ name: DocumentName, of membership: Membership.ID) throws -> Photo? {
    try current(of: membership).first { $0.name == name }
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ photo: Photo) throws {
    let changed = try tx.execute(
      """
      UPDATE oneassist_document SET status = \(photo.status), reason = \(photo.reason), verdict = \(photo.verdict),
        version = version + 1
      WHERE id = \(photo.id) AND version = \(photo.version) AND replaced_at IS NULL
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Ends a photo that another one takes the place of.
  /// - Throws: `SQLError.outdated` when another transaction changed the photo meanwhile.
  func replace(_ photo: Photo, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE oneassist_document SET replaced_at = \(now), version = version + 1
      WHERE id = \(photo.id) AND version = \(photo.version) AND replaced_at IS NULL
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// How many were taken in, those that others replaced included.
  func count(of membership: Membership.ID) throws -> Int {
    try tx.first("SELECT COUNT(*) AS photos FROM oneassist_document WHERE membership_id = \(membership)")
      .map { try $0.get("photos") } ?? 0
  }

  func allIDs(of membership: Membership.ID) throws -> [String] {
    try tx.query(
      "SELECT id FROM oneassist_document WHERE membership_id = \(membership) AND erased_at IS NULL LIMIT 1000"
    ).map { try $0.get("id") }
  }

  /// - Returns: how many.
  func erase(of membership: Membership.ID, at now: Instant) throws -> Int {
    try tx.execute(
      """
      UPDATE oneassist_document SET erased_at = \(now), reason = NULL, file_digest = ''
      WHERE membership_id = \(membership) AND erased_at IS NULL
      """)
  }

  private static func photo(_ row: SQLRow) throws -> Photo {
    Photo(
      id: try row.get("id"), membership: try row.get("membership_id"), name: try row.get("name"),
      status: try row.get("status"), reason: try row.get("reason"), verdict: try row.get("verdict"),
      fileDigest: try row.get("file_digest"), uploadedAt: try row.get("uploaded_at"),
      version: try row.get("version"))
  }
}

/// Which blobs the rows of this flow name.
package enum OneAssistBlobStore {
  /// Ids of photos that were not erased, after one, ascending: for backups.
  package static func kept(after id: String, limit: Int, in tx: any SQLTransaction) throws -> [String] {
    try tx.query(
      "SELECT id FROM oneassist_document WHERE id > \(id) AND erased_at IS NULL ORDER BY id LIMIT \(limit)"
    ).map { try $0.get("id") }
  }

  /// Whose a photo is; nil when its row is gone.
  static func keySubject(of id: String, in tx: any SQLTransaction) throws -> KeySubject? {
    try tx.first("SELECT membership_id FROM oneassist_document WHERE id = \(id)").map {
      KeySubject(try $0.get("membership_id"))
    }
  }

  /// Of these keys, those whose object has to stay.
  package static func referenced(_ keys: [String], in tx: any SQLTransaction) throws -> Set<String> {
    Set(
      try tx.query("SELECT id FROM oneassist_document WHERE id IN \(list: keys) AND erased_at IS NULL").map {
        try $0.get("id")
      })
  }
}
