// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Rows that one statement reads as a table or puts into one: the text of the statement is the same for any number of
/// rows, so that it is prepared once, and where the engine is another program all of them go in one trip.
///
/// ```swift
/// var rows = SQLRows(.text("id"), .integer("balance"))
/// rows.append(account.id, balance)
/// try tx.execute(.update("account", to: rows))
/// ```
package struct SQLRows: Sendable {
  package enum Column: Sendable {
    case text(String)
    case integer(String)

    var name: String {
      switch self {
      case .text(let name), .integer(let name): name
      }
    }
  }

  let columns: [Column]
  /// Row after row.
  private(set) var cells: [SQLValue] = []

  package var count: Int { cells.count / columns.count }

  package init(_ columns: Column...) { self.columns = columns }

  /// - Precondition: a value for each column; a text, an integer or NULL.
  package mutating func append(_ values: (any SQLConvertible)?...) {
    precondition(values.count == columns.count, "A value for each column.")
    for value in values {
      let cell = value?.sqlValue ?? .null
      switch cell {
      case .null, .integer, .text: cells.append(cell)
      case .real, .blob: preconditionFailure("Rows hold texts and integers.")
      }
    }
  }

  /// The same of values as the engine stores them, for rows that are written often: no value goes through a box.
  /// - Precondition: as above.
  package mutating func append(cells values: SQLValue...) {
    precondition(values.count == columns.count, "A value for each column.")
    for cell in values {
      switch cell {
      case .null, .integer, .text: cells.append(cell)
      case .real, .blob: preconditionFailure("Rows hold texts and integers.")
      }
    }
  }

  /// Makes room for so many rows more.
  package mutating func reserve(_ count: Int) { cells.reserveCapacity(cells.count + count * columns.count) }

  /// The cells of one row.
  func row(_ number: Int) -> ArraySlice<SQLValue> { cells[number * columns.count..<(number + 1) * columns.count] }

  // MARK: As one parameter

  /// A JSON array (RFC 8259) with an array for each row.
  var json: String {
    var text = "["
    for (place, cell) in cells.enumerated() {
      let isFirst = place % columns.count == 0
      text += isFirst ? (place == 0 ? "[" : "],[") : ","
      switch cell {
      case .integer(let number): text += String(number)
      case .text(let value): text.append(quoted: value, escaping: Self.escapedInJSON) { $0.json }
      case .null, .real, .blob: text += "null"
      }
    }
    return text + (cells.isEmpty ? "]" : "]]")
  }

  /// One column as PostgreSQL writes an array (manual §8.15.2).
  func array(ofColumn column: Int) -> String {
    var text = "{"
    for place in stride(from: column, to: cells.count, by: columns.count) {
      if place > column { text += "," }
      switch cells[place] {
      case .integer(let number): text += String(number)
      case .text(let value): text.append(quoted: value, escaping: Self.escapedInArray) { "\\\($0)" }
      case .null, .real, .blob: text += "NULL"
      }
    }
    return text + "}"
  }

  private static let escapedInArray = "\"\\"
  /// What JSON does not take as it is (RFC 8259 §7): quotation mark, reverse solidus and the control characters.
  private static let escapedInJSON =
    escapedInArray + String(String.UnicodeScalarView((1..<0x20).compactMap(Unicode.Scalar.init)))
}

extension String {
  /// - Parameter escaped: ASCII characters that are not written as they are. A NUL is, because the engine refuses it.
  fileprivate mutating func append(quoted text: String, escaping escaped: String, _ escape: (Unicode.Scalar) -> String)
  {
    self += "\""
    // Nearly every text is an id; the C library looks through one faster than a loop does.
    if text.withCString({ strcspn($0, escaped) }) == text.utf8.count {
      self += text
    } else {
      for scalar in text.unicodeScalars {
        if escaped.unicodeScalars.contains(scalar) {
          self += escape(scalar)
        } else {
          unicodeScalars.append(scalar)
        }
      }
    }
    self += "\""
  }
}

extension Unicode.Scalar {
  /// As JSON escapes it.
  fileprivate var json: String {
    if value >= 0x20 { return "\\\(self)" }
    let digits = String(value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
