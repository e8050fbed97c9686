import Foundation

/// Rows that one statement reads as a table, all of them bound as one parameter: the text of the statement is the same
/// for any number of rows, so that it is prepared once, and a batch costs one binding instead of one for each value.
///
/// ```swift
/// var rows = SQLRows(.text("id"), .integer("balance"))
/// rows.append(account.id, balance)
/// try tx.execute("UPDATE account SET balance = r.balance FROM \(rows) AS r WHERE account.id = r.id")
/// ```
package struct SQLRows: Sendable {
  package enum Column: Sendable {
    case text(String)
    case integer(String)
  }

  let columns: [Column]
  /// A JSON array (RFC 8259) with an array for each row. Both engines read it, and neither needs more.
  private var array = "["
  package private(set) var count = 0

  package init(_ columns: Column...) { self.columns = columns }

  /// - Precondition: a value for each column; a text, an integer or NULL.
  package mutating func append(_ values: (any SQLConvertible)?...) {
    precondition(values.count == columns.count, "A value for each column.")
    array += count == 0 ? "[" : ",["
    count += 1
    for (index, value) in values.enumerated() {
      if index > 0 { array += "," }
      switch value?.sqlValue ?? .null {
      case .null: array += "null"
      case .integer(let number): array += String(number)
      case .text(let text): append(text)
      case .real, .blob: preconditionFailure("Rows hold texts and integers.")
      }
    }
    array += "]"
  }

  var value: SQLValue { .text(array + "]") }

  private mutating func append(_ text: String) {
    array += "\""
    // Nearly every text is an id; the C library looks through one faster than a loop does.
    if text.withCString({ strcspn($0, Self.escaped) }) == text.utf8.count {
      array += text
    } else {
      for scalar in text.unicodeScalars { append(scalar) }
    }
    array += "\""
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\":
      array += "\\"
      array.unicodeScalars.append(scalar)
    // Left as it is: the engine's door refuses a text with a NUL.
    case "\0": array.unicodeScalars.append(scalar)
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      array += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: array.unicodeScalars.append(scalar)
    }
  }

  /// What JSON does not take as it is (RFC 8259 §7): quotation mark, reverse solidus and the control characters.
  private static let escaped = "\"\\" + String(String.UnicodeScalarView((1..<0x20).compactMap(Unicode.Scalar.init)))
}

extension SQLDialect {
  /// How a table of rows begins and ends around its parameter.
  func frame(_ columns: [SQLRows.Column]) -> (before: String, after: String) {
    let cells = columns.enumerated().map { index, column in cell(index, column) }.joined(separator: ", ")
    return ("(SELECT \(cells) FROM \(rowsOpening)", "\(rowsClosing))")
  }
}
