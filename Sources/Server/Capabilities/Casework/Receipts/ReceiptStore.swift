// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A kept receipt.
package struct CaseReceipt: Sendable, Equatable {
  package typealias ID = Identifier<CaseReceipt>

  package let id: ID
  package let decidedAt: Instant
  package let outcome: String
  package let decidedBy: String
  /// A `SignedDocument` as JSON.
  package let document: Data
}

/// Rows of `casework_receipt`: one for each decision on a case.
package struct ReceiptStore {
  static let rowsMax = 100

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-26 casework receipt",
    """
    CREATE TABLE casework_receipt (
      id TEXT PRIMARY KEY,
      case_id TEXT NOT NULL REFERENCES casework_case (id),
      person_id TEXT NOT NULL,
      outcome TEXT NOT NULL,
      decided_by TEXT NOT NULL,
      decided_at BIGINT NOT NULL,
      document BLOB NOT NULL
    );
    CREATE INDEX casework_receipt_case ON casework_receipt (case_id, decided_at, id);
    CREATE INDEX casework_receipt_person ON casework_receipt (person_id);
    """)

  func insert(_ receipt: CaseReceipt, of item: Case) throws {
    try tx.execute(
      """
      INSERT INTO casework_receipt (id, case_id, person_id, outcome, decided_by, decided_at, document)
      VALUES (\(receipt.id), \(item.id), \(item.person), \(receipt.outcome), \(receipt.decidedBy),
        \(receipt.decidedAt), \(receipt.document))
      """)
  }

  /// Of a case, the latest last.
  func all(of item: Case.ID) throws -> [CaseReceipt] {
    try tx.query(
      """
      SELECT id, outcome, decided_by, decided_at, document FROM casework_receipt WHERE case_id = \(item)
      ORDER BY decided_at, id LIMIT \(Self.rowsMax)
      """
    ).map { row in
      CaseReceipt(
        id: try row.get("id"), decidedAt: try row.get("decided_at"), outcome: try row.get("outcome"),
        decidedBy: try row.get("decided_by"), document: try row.get("document"))
    }
  }

  func deleteAll(of person: String) throws {
    try tx.execute("DELETE FROM casework_receipt WHERE person_id = \(person)")
  }

  static func deleteAll(of cases: [Case.ID], in tx: any SQLTransaction) throws {
    try tx.execute("DELETE FROM casework_receipt WHERE case_id IN \(list: cases)")
  }
}
