// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// A column whose values are sealed under keys of persons. A value is sealed for `table.column:id`.
///
/// Most values are of one subject. One that is of two, such as the note of a transfer, is sealed under both keys.
package struct SealedColumn: Sendable {
  let table: SQLColumns
  let column: SQLColumns
  /// What a row is named by: its column `id`, or else another one, or an expression.
  let id: SQLColumns
  /// The column that says whose the row is.
  let subject: SQLColumns
  /// The other subject of a value that is of two; null for a value that is of one.
  let other: SQLColumns?
  /// The column that says of which tenant, where keys of persons are made for rows of this table.
  let tenant: SQLColumns?
  /// The system of these tenants.
  let system: String
  /// Nil where the row itself says whose it is.
  let parent: Parent?
  /// How the rows of a subject are found; nil where the subject is a column with an index, or the parent's.
  let lookUp: LookUp?
  /// Whether proofs count its values. Older rows that are found in another way than those of today are counted with
  /// these.
  let isCounted: Bool

  /// The table whose rows say whose a row is.
  package struct Parent: Sendable {
    let table: SQLColumns
    /// Of the sealed column's table: the `id` of the parent's row.
    let reference: SQLColumns

    package init(_ table: SQLColumns, by reference: SQLColumns) { (self.table, self.reference) = (table, reference) }
  }

  /// The rows of a subject by an index, where an expression says whose a row is: `reference` of the table is one of
  /// those that `id` names in the rows of `table` that have the subject in `subject`.
  package struct LookUp: Sendable {
    let reference: SQLColumns
    let table: SQLColumns
    let id: SQLColumns
    let subject: SQLColumns

    package init(_ reference: SQLColumns, in table: SQLColumns, _ id: SQLColumns, of subject: SQLColumns) {
      (self.reference, self.table, self.id, self.subject) = (reference, table, id, subject)
    }
  }

  /// - Parameters:
  ///   - subject: a column of the table, or of its parent; also an expression where there is no parent.
  ///   - other: the second subject; only where there is no parent.
  ///   - parent: only where no keys are made for rows of this table, and rows are named by `id`.
  ///   - lookUp: only where `subject` is an expression.
  package init(
    _ table: SQLColumns, _ column: SQLColumns, id: SQLColumns = "id", of subject: SQLColumns,
    and other: SQLColumns? = nil, tenant: SQLColumns? = nil, system: String = "", through parent: Parent? = nil,
    by lookUp: LookUp? = nil, isCounted: Bool = true
  ) {
    (self.table, self.column, self.id, self.subject, self.other) = (table, column, id, subject, other)
    (self.tenant, self.system, self.parent, self.lookUp) = (tenant, system, parent, lookUp)
    self.isCounted = isCounted
  }

  package var name: String { "\(table.names).\(column.names)" }
  func context(_ id: String) -> String { "\(name):\(id)" }
}

/// Values of sealed columns, whatever table they are in.
struct SealedColumnStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Value: Sendable {
    let id: String
    let subject: KeySubject
    /// Of a value that is of two.
    var other: KeySubject?
    let sealed: Data

    var subjects: [KeySubject] { [subject, other].compactMap(\.self) }
  }

  /// A page of the values that a data key sealed, ascending by the ids of their rows.
  func underDataKeys(_ column: SealedColumn, after id: String, limit: Int) throws -> [Value] {
    try rows(underDataKeysOf: column, after: id, limit: limit).map { row in
      let tenant = column.tenant == nil ? nil : TenantID(column.system, try row.get("tenant"))
      let other = try column.other.flatMap { _ in try row.get("other", as: String?.self) }
      return Value(
        id: try row.get("id"), subject: KeySubject(try row.get("subject"), of: tenant),
        other: other.map { KeySubject($0, of: tenant) }, sealed: try row.get("sealed"))
    }
  }

  private func rows(underDataKeysOf column: SealedColumn, after id: String, limit: Int) throws -> [SQLRow] {
    try tx.query(Self.page(column, after: id, limit: limit))
  }

  static func page(_ column: SealedColumn, after id: String, limit: Int) -> SQL {
    guard let parent = column.parent else {
      return """
        SELECT \(column.id) AS id, \(column.subject) AS subject, \(column.other ?? column.id) AS other,
          \(column.tenant ?? column.id) AS tenant, \(column.column) AS sealed
        FROM \(column.table)
        WHERE \(column.id) > \(id) AND substr(\(column.column), 1, 1) = \(Data([1])) AND \(column.subject) IS NOT NULL
        ORDER BY \(column.id) LIMIT \(limit)
        """
    }
    return """
      SELECT child.id AS id, parent.\(column.subject) AS subject, child.id AS tenant, child.\(column.column) AS sealed
      FROM \(column.table) child JOIN \(parent.table) parent ON parent.id = child.\(parent.reference)
      WHERE child.id > \(id) AND substr(child.\(column.column), 1, 1) = \(Data([1]))
        AND parent.\(column.subject) IS NOT NULL
      ORDER BY child.id LIMIT \(limit)
      """
  }

  /// Whether the row is there and still holds the value.
  func isCurrent(_ value: Value, in column: SealedColumn) throws -> Bool {
    try tx.first(
      """
      SELECT 1 AS found FROM \(column.table)
      WHERE \(column.id) = \(value.id) AND \(column.column) = \(value.sealed)
      """) != nil
  }

  /// Puts the newly sealed value in place, unless the row was changed meanwhile.
  func replace(_ value: Value, by sealed: Data, in column: SealedColumn) throws -> Bool {
    try tx.execute(
      """
      UPDATE \(column.table) SET \(column.column) = \(sealed)
      WHERE \(column.id) = \(value.id) AND \(column.column) = \(value.sealed)
      """) == 1
  }

  /// How many values of a person there are. Where a value has to be, an empty one takes the place of what was erased.
  func count(_ column: SealedColumn, of subject: String) throws -> Int {
    try tx.first(Self.counting(column, of: subject))?.get("n") ?? 0
  }

  static func counting(_ column: SealedColumn, of subject: String) -> SQL {
    if let parent = column.parent {
      return """
        SELECT COUNT(*) AS n FROM \(column.table)
        WHERE \(parent.reference) IN (SELECT id FROM \(parent.table) WHERE \(column.subject) = \(subject))
          AND \(column.column) IS NOT NULL AND length(\(column.column)) > 0
        """
    }
    if let lookUp = column.lookUp {
      return """
        SELECT COUNT(*) AS n FROM \(column.table)
        WHERE \(lookUp.reference) IN (SELECT \(lookUp.id) FROM \(lookUp.table) WHERE \(lookUp.subject) = \(subject))
          AND \(column.column) IS NOT NULL AND length(\(column.column)) > 0
        """
    }
    return """
      SELECT COUNT(*) AS n FROM \(column.table)
      WHERE \(column.subject) = \(subject) AND \(column.column) IS NOT NULL
        AND length(\(column.column)) > 0
      """
  }

  /// How many values a person's key sealed, alone or with another one's.
  func count(_ column: SealedColumn, sealedBy key: String) throws -> Int {
    try tx.first(
      """
      SELECT COUNT(*) AS n FROM \(column.table)
      WHERE substr(\(column.column), 2, 36) = \(Data(key.utf8))
        OR substr(\(column.column), 1, 1) = \(Data([Vault.sharedVersion]))
          AND substr(\(column.column), 38, 36) = \(Data(key.utf8))
      """)?.get("n") ?? 0
  }

  // MARK: How far the objects were sealed again

  func position(of walk: String) throws -> String? {
    try tx.first("SELECT position FROM subject_reseal WHERE walk = \(walk)")?.get("position")
  }

  func setPosition(_ position: String, of walk: String) throws {
    try tx.execute(
      """
      INSERT INTO subject_reseal (walk, position) VALUES (\(walk), \(position))
      ON CONFLICT (walk) DO UPDATE SET position = excluded.position
      """)
  }
}
