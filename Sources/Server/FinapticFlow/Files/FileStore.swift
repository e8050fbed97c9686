// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_file`.
package struct FileStore {
  let tx: any SQLTransaction

  private static let columns: SQLColumns =
    "id, application_id, expires_at, blob_key"

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 14 file",
    """
    CREATE TABLE finaptic_file (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES finaptic_application (id),
      token_digest TEXT NOT NULL UNIQUE,
      expires_at BIGINT NOT NULL,
      blob_key TEXT UNIQUE,
      uploaded_at BIGINT,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX finaptic_file_application ON finaptic_file (application_id, created_at);
    CREATE INDEX finaptic_file_age ON finaptic_file (created_at, id);
    """)

  func insert(_ file: UploadedFile, token digest: String, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_file (id, application_id, token_digest, expires_at, created_at)
      VALUES (\(file.id), \(file.application), \(digest), \(file.expiresAt), \(now))
      """)
  }

  /// The place of a token, filled or not, whether or not its time is over.
  func find(token digest: String) throws -> UploadedFile? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_file WHERE token_digest = \(digest)")
      .map(Self.file)
  }

  func isFilled(_ id: UploadedFile.ID) throws -> Bool {
    try tx.first("SELECT blob_key FROM finaptic_file WHERE id = \(id) AND blob_key IS NOT NULL") != nil
  }

  /// Of two uploads at once, one.
  /// - Returns: false when it was filled meanwhile, or is gone.
  func fill(_ id: UploadedFile.ID, with blob: String, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_file SET blob_key = \(blob), uploaded_at = \(now)
      WHERE id = \(id) AND uploaded_at IS NULL AND expires_at > \(now)
      """) == 1
  }

  /// A picture of this application that is there.
  func find(_ name: String, of application: OnboardingApplication.ID) throws -> UploadedFile? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_file
      WHERE id = \(name) AND application_id = \(application) AND blob_key IS NOT NULL
      """
    ).map(Self.file)
  }

  func count(of application: OnboardingApplication.ID, since start: Instant) throws -> Int {
    try tx.first(
      """
      SELECT COUNT(*) AS files FROM finaptic_file WHERE application_id = \(application) AND created_at >= \(start)
      """
    )?.get("files") ?? 0
  }

  /// Pictures of applications that are there.
  func filled(of applications: [OnboardingApplication.ID]) throws -> Int {
    try tx.first(
      """
      SELECT COUNT(*) AS files FROM finaptic_file
      WHERE application_id IN \(list: applications) AND blob_key IS NOT NULL
      """)?.get("files") ?? 0
  }

  /// - Parameter failed: those that are passed over.
  func all(
    of application: OnboardingApplication.ID, besides failed: [UploadedFile.ID], limit: Int
  ) throws -> [UploadedFile] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_file
      WHERE application_id = \(application) AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.file)
  }

  /// - Parameter failed: those that are passed over.
  func old(before horizon: Instant, besides failed: [UploadedFile.ID], limit: Int) throws -> [UploadedFile] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_file
      WHERE created_at < \(horizon) AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.file)
  }

  func delete(_ id: UploadedFile.ID) throws {
    try tx.execute("DELETE FROM finaptic_file WHERE id = \(id)")
  }

  private static func file(_ row: SQLRow) throws -> UploadedFile {
    UploadedFile(
      id: try row.get("id"), application: try row.get("application_id"), expiresAt: try row.get("expires_at"),
      blob: try row.get("blob_key"))
  }
}

/// Which objects the rows of this flow name.
package enum FinapticBlobStore {
  /// Keys of what was uploaded, after one, ascending: for backups.
  package static func kept(after key: String, limit: Int, in tx: any SQLTransaction) throws -> [String] {
    try tx.query(
      """
      SELECT blob_key FROM (
        SELECT blob_key FROM (
          SELECT blob_key FROM finaptic_file WHERE blob_key > \(key) ORDER BY blob_key LIMIT \(limit)) AS f
        UNION ALL SELECT blob_key FROM (
          SELECT pdf_key AS blob_key FROM finaptic_statement WHERE pdf_key > \(key)
          ORDER BY pdf_key LIMIT \(limit)) AS p
        UNION ALL SELECT blob_key FROM (
          SELECT message_key AS blob_key FROM finaptic_statement WHERE message_key > \(key)
          ORDER BY message_key LIMIT \(limit)) AS m
      ) AS kept ORDER BY blob_key LIMIT \(limit)
      """
    ).map { try $0.get("blob_key") }
  }

  /// Of these keys, those whose object has to stay.
  package static func referenced(_ keys: [String], in tx: any SQLTransaction) throws -> Set<String> {
    Set(
      try tx.query(
        """
        SELECT blob_key FROM finaptic_file WHERE blob_key IN \(list: keys)
        UNION ALL SELECT pdf_key FROM finaptic_statement WHERE pdf_key IN \(list: keys)
        UNION ALL SELECT message_key FROM finaptic_statement WHERE message_key IN \(list: keys)
        """
      ).map { try $0.get("blob_key") })
  }
}
