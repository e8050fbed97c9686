// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `casework_note`. The words are sealed under the key of the person whom the case is about.
struct CaseNoteStore {
  static let rowsMax = 200

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let sealedColumn = SealedColumn("casework_note", "words", of: "person_id")

  func insert(_ note: CaseNote, on item: Case) throws {
    let sealed = try vault.seal(note.words, as: Self.context(note.id), of: KeySubject(item.person), in: tx)
    try tx.execute(
      """
      INSERT INTO casework_note (id, case_id, person_id, author, words, written_at)
      VALUES (\(note.id), \(item.id), \(item.person), \(note.author), \(sealed), \(note.writtenAt))
      """)
  }

  /// The latest, in the order in which they were written.
  func all(of item: Case.ID) throws -> [CaseNote] {
    try tx.query(
      """
      SELECT id, author, words, written_at FROM casework_note WHERE case_id = \(item)
      ORDER BY written_at DESC, id DESC LIMIT \(Self.rowsMax)
      """
    ).reversed().map { row in
      let id: CaseNote.ID = try row.get("id")
      return CaseNote(
        id: id, author: try row.get("author"),
        words: try vault.open(row.get("words"), as: String.self, context: Self.context(id), in: tx),
        writtenAt: try row.get("written_at"))
    }
  }

  private static func context(_ id: CaseNote.ID) -> String { "casework_note.words:\(id)" }
}
