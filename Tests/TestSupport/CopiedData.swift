// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Every value of every table, as a backup holds them. Tests ask it what of a person can be read there with the key
/// ring and without the keys of persons.
package struct CopiedData: Sendable {
  private struct Cell: Sendable {
    /// `table.column`.
    let place: String
    let bytes: Data
  }

  private let cells: [Cell]

  /// Columns that the installation's own secrets are in: keys, codes and addresses of systems, and what devices prove
  /// themselves by. They say nothing of a person, and data keys seal them.
  package static let ownSecrets: Set<String> = [
    "activation.sealed_keys", "activation.sealed_server_key", "activation_temporary_key.sealed_private_key",
    "activation_token.sealed_secret", "finaptic_event_endpoint.secret", "oneassist_partner.webhook_secret",
    "powerauth_master_key.sealed_private_key", "powerauth_version.sealed_secret", "saltedge_provider.private_key",
    "saltedge_provider.webhook_secret", "saltedge_service_key.private_key", "signing_key.sealed",
    "staff.sealed_profile",
    "subject_key.wrapped", "webhook_endpoint.former_secret", "webhook_endpoint.secret",
  ]

  /// Answers that colleagues and partners may ask for again, for a day: those about a person are sealed under the
  /// person's key, the rest belongs to the person who asked.
  package static let answersOfOthers: Set<String> = ["idempotency.answer"]

  package static func taken(of database: any SQLDatabase, _ engine: Engine) async throws -> CopiedData {
    try await database.read { tx in
      let columns = try tx.query(engine == .sqlite ? sqliteColumns : postgresColumns).map {
        (table: try $0.get("t", as: String.self), column: try $0.get("c", as: String.self))
      }
      let cells = try columns.flatMap { table, column in
        try tx.query(SQL(stringLiteral: "SELECT \(column) AS v FROM \(table) WHERE \(column) IS NOT NULL")).compactMap {
          try $0.get("v", as: AnyBytes.self).bytes.map { Cell(place: "\(table).\(column)", bytes: $0) }
        }
      }
      return CopiedData(cells: cells)
    }
  }

  /// Columns that hold one of the texts in clear.
  package func places(of texts: [String]) -> Set<String> {
    let wanted = texts.map { Data($0.utf8) }
    return Set(cells.filter { cell in wanted.contains { cell.bytes.range(of: $0) != nil } }.map(\.place))
  }

  /// Columns with a value that a data key sealed: `0x01` and the id of the key.
  package var placesUnderDataKeys: Set<String> {
    Set(
      cells.filter { cell in
        cell.bytes.count > 37 && cell.bytes.first == 1
          && UUID(uuidString: String(decoding: cell.bytes.dropFirst().prefix(36), as: UTF8.self)) != nil
      }.map(\.place))
  }

  /// Ids of all keys of persons that sealed something.
  package var subjectKeys: Set<String> { Set(cells.flatMap { Vault.subjectKeyIDs(of: $0.bytes) }) }

  private static let sqliteColumns: SQL = """
    SELECT m.name AS t, p.name AS c FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, p.cid
    """
  private static let postgresColumns: SQL = """
    SELECT CAST(table_name AS TEXT) AS t, CAST(column_name AS TEXT) AS c FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position
    """

  /// Text and blobs; numbers say nothing here.
  private struct AnyBytes: SQLConvertible {
    let sqlValue: SQLValue

    init(sqlValue: SQLValue) { self.sqlValue = sqlValue }

    var bytes: Data? {
      switch sqlValue {
      case .text(let text): Data(text.utf8)
      case .blob(let data): data
      case .null, .integer, .real: nil
      }
    }
  }
}
