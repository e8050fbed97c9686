import Foundation
import Kit
import Storage

/// Rows of `rubix_screening_note`: why an officer decided as they did. Sealed, for reasons name people.
package struct ScreeningNoteStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

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
    let sealed = try vault.seal(Data(notes.utf8), context: "rubix_screening_note.notes:\(id)")
    try tx.execute(
      """
      INSERT INTO rubix_screening_note (id, application_id, screening_id, officer_id, notes, created_at)
      VALUES (\(id), \(application), \(screening), \(officer), \(sealed), \(now))
      """)
  }
}
