// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Storage

/// Rows that `gatehouse-lab bench sealing` seals: as plain as a sealed row of a flow can be.
struct SealBenchStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let column = SealedColumn("bench_letter", "text", of: "owner", tenant: "tenant_id", system: "bench")

  static let migration = Migration(
    "2027-01-01 bench letter",
    """
    CREATE TABLE bench_letter (id TEXT PRIMARY KEY, owner TEXT NOT NULL, tenant_id TEXT NOT NULL, text BLOB NOT NULL);
    """)

  struct Letter: Sendable {
    let id: String
    let owner: String
    let text: Data
  }

  static func context(_ id: String) -> String { "bench_letter.text:\(id)" }

  func insert(_ letter: Letter) throws {
    try tx.execute(
      """
      INSERT INTO bench_letter (id, owner, tenant_id, text)
      VALUES (\(letter.id), \(letter.owner), 'one', \(letter.text))
      """)
  }

  /// Ascending by id.
  func page(after id: String, limit: Int) throws -> [Letter] {
    try tx.query("SELECT id, owner, text FROM bench_letter WHERE id > \(id) ORDER BY id LIMIT \(limit)").map {
      Letter(id: try $0.get("id"), owner: try $0.get("owner"), text: try $0.get("text"))
    }
  }

  /// As the reseal does it: unless the row was changed meanwhile.
  func replace(_ letter: Letter, by text: Data) throws {
    try tx.execute("UPDATE bench_letter SET text = \(text) WHERE id = \(letter.id) AND text = \(letter.text)")
  }

  func clear() throws { try tx.execute("DELETE FROM bench_letter") }
}
