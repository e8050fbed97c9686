// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import GatehouseApp
import Storage

/// What anybody would take for suggestions: SQLite's full-text index (FTS5), told to keep prefixes too.
struct AddressBaselineStore {
  let tx: any SQLTransaction

  static let migration = Migration(
    "2026-11-22 address baseline",
    """
    CREATE VIRTUAL TABLE address_text USING fts5 (
      line, town, code, tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4');
    """)

  func insert(_ addresses: [KnownAddress]) throws {
    for address in addresses {
      try tx.execute(
        """
        INSERT INTO address_text (line, town, code)
        VALUES (\(address.line1), \(address.locality), \(address.postalCode.description))
        """)
    }
  }

  /// - Returns: the lines of ten at most.
  func search(_ pattern: String) throws -> [String] {
    let words = pattern.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"*" }.joined(separator: " ")
    return try tx.query("SELECT line FROM address_text WHERE address_text MATCH \(words) LIMIT 10")
      .map { try $0.get("line") }
  }
}
