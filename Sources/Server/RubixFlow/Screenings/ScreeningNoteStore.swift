// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `rubix_screening_note`: why an officer decided as they did. Sealed, for reasons name people.
package struct ScreeningNoteStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix screening note",
    """
    CREATE TABLE rubix_screening_note (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      screening_id TEXT NOT NULL,
      officer_id TEXT NOT NULL,
      notes BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    CREATE INDEX rubix_screening_note_application ON rubix_screening_note (application_id, created_at);
    """)

  func insert(
    _ notes: String, id: String, screening: String, of application: Application.ID, by officer: String, at now: Instant
  )
    throws
  {
    let sealed = try vault.seal(
      Data(notes.utf8), context: Self.context(id), of: application.keySubject, in: tx)
    try tx.execute(
      """
      INSERT INTO rubix_screening_note (id, application_id, screening_id, officer_id, notes, created_at)
      VALUES (\(id), \(application), \(screening), \(officer), \(sealed), \(now))
      """)
  }

  /// One note, opened.
  struct Note: Sendable {
    let id: String
    let screening: String
    let officer: String
    let text: String
    let createdAt: Instant
  }

  /// Oldest first.
  func all(of application: Application.ID) throws -> [Note] {
    try tx.query(
      """
      SELECT id, screening_id, officer_id, notes, created_at FROM rubix_screening_note
      WHERE application_id = \(application) ORDER BY created_at, id LIMIT 1000
      """
    ).map { row in
      let id: String = try row.get("id")
      let opened = try vault.open(row.get("notes"), context: Self.context(id), in: tx)
      return Note(
        id: id, screening: try row.get("screening_id"), officer: try row.get("officer_id"),
        text: String(decoding: opened, as: UTF8.self), createdAt: try row.get("created_at"))
    }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_screening_note WHERE application_id = \(application)")
  }

  private static func context(_ id: String) -> String { "rubix_screening_note.notes:\(id)" }
}
