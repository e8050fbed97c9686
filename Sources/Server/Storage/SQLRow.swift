/// One row of an answer, by column name.
package struct SQLRow: Sendable {
  private let values: [String: SQLValue]

  package init(_ values: [String: SQLValue]) { self.values = values }

  /// - Throws: `SQLError.unreadable` when the column is absent or of another type.
  package func get<Value: SQLConvertible>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
    guard let value = values[column] else { throw SQLError.unreadable("no column \(column)") }
    do { return try Value(sqlValue: value) } catch SQLError.unreadable(let reason) {
      throw SQLError.unreadable("\(column): \(reason)")
    }
  }
}
