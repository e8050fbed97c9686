// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A table of comma-separated values (RFC 4180) with a header row, in UTF-8.
package struct CSV: Sendable {
  /// Why bytes are not such a table. Lines are counted from 1.
  package enum Fault: Error, Equatable {
    case notUTF8
    case noHeader
    /// A quote within an unquoted field, or text after the closing one.
    case strayQuote(line: Int)
    case unclosedQuote(line: Int)
    /// A row that has not as many fields as the header.
    case ragged(line: Int)
    case tooLarge
  }

  /// One row by column name, in lower case.
  package struct Row: Sendable {
    package let line: Int
    fileprivate let columns: [String: Int]
    fileprivate let fields: [String]

    /// The trimmed field; empty when the table has no such column.
    package subscript(_ column: String) -> String {
      columns[column].map { fields[$0].trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
    }
  }

  static let bytesMax = 256 << 20
  static let rowsMax = 2_000_000

  package let columns: Set<String>
  package let rows: [Row]

  package init(_ data: Data) throws(Fault) {
    guard data.count <= Self.bytesMax else { throw .tooLarge }
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let bytes = Array(data.starts(with: byteOrderMark) ? data.dropFirst(3) : data[...])
    guard String(validating: bytes, as: UTF8.self) != nil else { throw .notUTF8 }
    var records = try Self.records(bytes)
    guard let header = records.first else { throw .noHeader }
    records.removeFirst()
    let names = header.fields.map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
    let columns = Dictionary(zip(names, names.indices)) { first, _ in first }
    for record in records where record.fields.count != names.count { throw .ragged(line: record.line) }
    self.columns = Set(names)
    rows = records.map { Row(line: $0.line, columns: columns, fields: $0.fields) }
  }

  private struct Record {
    let line: Int
    let fields: [String]
  }

  private static func records(_ bytes: [UInt8]) throws(Fault) -> [Record] {
    var records: [Record] = []
    let fault = scan(bytes) { line, fields in
      records.append(Record(line: line, fields: fields))
      return records.count <= rowsMax ? nil : .tooLarge
    }
    if let fault { throw fault }
    return records
  }

  /// What separates fields, and what a quote within a field means.
  package struct Dialect: Sendable {
    let separator: UInt8
    /// RFC 4180 knows no quote within an unquoted field and nothing after a closing one; some publishers write both.
    let takesStrayQuotes: Bool

    /// RFC 4180.
    package static let standard = separated(by: ",")

    /// RFC 4180 with another separator, which is ASCII, as spreadsheets write where a comma stands in numbers.
    static func separated(by separator: Character) -> Dialect {
      Dialect(separator: separator.asciiValue ?? UInt8(ascii: ","), takesStrayQuotes: false)
    }

    /// What spreadsheets write, in the order in which it is tried.
    static let ofTables = [standard, separated(by: ";"), separated(by: "\t")]

    /// Of lists, whose publishers do not escape every quote.
    package static func published(_ separator: Character = ",") -> Dialect {
      Dialect(separator: separator.asciiValue ?? UInt8(ascii: ","), takesStrayQuotes: true)
    }
  }

  /// Reads records one after the other, the header first, so that a table need not be in memory. A caller that takes
  /// them counts their fields.
  /// - Parameters:
  ///   - bytes: UTF-8 without a byte order mark; what is not becomes U+FFFD.
  ///   - take: answers why to go no further; nil to go on.
  /// - Returns: why the rest was not read; nil when all was.
  package static func scan<Bytes: RandomAccessCollection<UInt8>>(
    _ bytes: Bytes, dialect: Dialect = .standard, _ take: (_ line: Int, _ fields: [String]) -> Fault?
  ) -> Fault? where Bytes.Index == Int {
    let (quote, comma, cr, lf) = (UInt8(ascii: "\""), dialect.separator, UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    var fields: [String] = []
    var field: [UInt8] = []
    // A line that holds two quotes alone is a record with one empty field. An empty line is skipped.
    var isQuoted = false
    var (line, firstLine, index) = (1, 1, bytes.startIndex)
    while index < bytes.endIndex {
      if bytes[index] == quote, field.isEmpty || !dialect.takesStrayQuotes {
        guard field.isEmpty else { return .strayQuote(line: line) }
        isQuoted = !dialect.takesStrayQuotes
        let opened = line
        index += 1
        while true {
          guard index < bytes.endIndex else { return .unclosedQuote(line: opened) }
          if bytes[index] == quote {
            guard index + 1 < bytes.endIndex, bytes[index + 1] == quote else { break }
            index += 1
          } else if bytes[index] == lf {
            line += 1
          }
          field.append(bytes[index])
          index += 1
        }
        index += 1
        let isEnd = index == bytes.endIndex || [comma, cr, lf].contains(bytes[index])
        guard isEnd || dialect.takesStrayQuotes else { return .strayQuote(line: line) }
      } else if bytes[index] == comma {
        fields.append(String(decoding: field, as: UTF8.self))
        field.removeAll(keepingCapacity: true)
        index += 1
        // A comma that ends the text leaves one more, empty field; the end of the loop takes it.
      } else if bytes[index] == lf || bytes[index] == cr {
        if bytes[index] == cr, index + 1 < bytes.endIndex, bytes[index + 1] == lf { index += 1 }
        index += 1
        if isQuoted || !(fields.isEmpty && field.isEmpty) {
          if let fault = take(firstLine, fields + [String(decoding: field, as: UTF8.self)]) { return fault }
        }
        fields.removeAll(keepingCapacity: true)
        field.removeAll(keepingCapacity: true)
        isQuoted = false
        line += 1
        firstLine = line
      } else {
        field.append(bytes[index])
        index += 1
      }
    }
    guard isQuoted || !(fields.isEmpty && field.isEmpty) else { return nil }
    return take(firstLine, fields + [String(decoding: field, as: UTF8.self)])
  }
}
