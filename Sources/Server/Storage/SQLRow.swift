// SPDX-License-Identifier: Apache-2.0

/// One row of an answer, by column name.
package struct SQLRow: Sendable {
  /// Shared by the rows of an answer; few enough to be looked through.
  private let columns: [String]
  private let values: [SQLValue]

  /// - Precondition: a value for each column.
  init(_ columns: [String], _ values: [SQLValue]) {
    precondition(columns.count == values.count, "A value for each column.")
    self.columns = columns
    self.values = values
  }

  package init(_ values: [String: SQLValue]) { self.init(Array(values.keys), Array(values.values)) }

  /// - Throws: `SQLError.unreadable` when the column is absent or of another type.
  package func get<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let place = columns.firstIndex(of: column) else { throw SQLError.unreadable("no column \(column)") }
    do { return try Value(sqlValue: values[place]) } catch SQLError.unreadable(let reason) {
      throw SQLError.unreadable("\(column): \(reason)")
    }
  }
}
