// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A published table with a header, perhaps below a line or two about the file, read row by row.
struct PublishedTable {
  /// A row by column name, in lower case.
  struct Row {
    let line: Int
    fileprivate let columns: [String: Int]
    fileprivate let unknownColumns: [(name: String, number: Int)]
    fileprivate let fields: [String]

    /// The trimmed field; empty when the table has no such column.
    subscript(_ column: String) -> String {
      columns[column].map { PublishedTable.trimmed(fields[$0]) } ?? ""
    }

    /// What stands in columns that the reader does not know, with their names, in the table's order: what a later
    /// edition of a list brings.
    var unknown: [(column: String, text: String)] {
      unknownColumns.compactMap { name, number in
        let text = PublishedTable.trimmed(fields[number])
        return text.isEmpty ? nil : (name, text)
      }
    }

    /// The first of these columns in which something stands.
    func first(_ columns: String...) -> String { columns.lazy.map { self[$0] }.first { !$0.isEmpty } ?? "" }
  }

  /// Foundation's way takes every text to UTF-16 and back; few begin or end with a blank.
  static func trimmed(_ text: String) -> String {
    func isPlain(_ byte: UInt8?) -> Bool { byte.map { (0x21...0x7E).contains($0) } ?? true }
    return isPlain(text.utf8.first) && isPlain(text.utf8.last)
      ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Rows above the header at most.
  private static let leadMax = 5

  /// - Parameters:
  ///   - text: the file's text in UTF-8 without a byte order mark; nil for what `scan` takes the file to be.
  ///   - known: the columns that the reader knows, in lower case; nil when others are ignored.
  ///   - isHeader: whether a row, in lower case, is the header.
  ///   - lead: sees the rows above the header.
  static func read(
    _ file: ListReader.File, text: Data? = nil, dialect: CSV.Dialect, known: Set<String>? = nil,
    isHeader: ([String]) -> Bool, lead: ([String]) -> Void = { _ in },
    _ taken: (Row) throws(ListFault) -> Void
  ) throws(ListFault) {
    var columns: [String: Int]?
    var unknown: [(name: String, number: Int)] = []
    var width = 0
    var rows = 0
    var fault: ListFault?
    func take(_ line: Int, _ fields: [String]) -> CSV.Fault? {
      if let columns {
        // Spreadsheets write rows of separators below what they have.
        if fields.allSatisfy({ $0.utf8.allSatisfy { $0 == UInt8(ascii: " ") } }) { return nil }
        rows += 1
        guard fields.count == width || isPadding(fields, width) else { return .ragged(line: line) }
        guard rows <= ListReader.entriesMax else { return .tooLarge }
        let row = Row(line: line, columns: columns, unknownColumns: unknown, fields: fields)
        do throws(ListFault) { try taken(row) } catch {
          fault = error
          return .tooLarge
        }
        return nil
      }
      let names = fields.map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
      if isHeader(names) {
        width = names.count
        columns = Dictionary(zip(names, names.indices)) { first, _ in first }
        unknown = zip(fields, names).enumerated().compactMap { number, name in
          guard let known, !name.1.isEmpty, !known.contains(name.1) else { return nil }
          return (trimmed(name.0), number)
        }
        return nil
      }
      lead(fields)
      rows += 1
      return rows <= leadMax ? nil : .noHeader
    }
    let end =
      text.map { text in text.withUnsafeBytes { CSV.scan($0, dialect: dialect, take) } } ?? scan(file, dialect, take)
    if let fault { throw fault }
    if let end { throw ListFault(end, in: file.name) }
    guard columns != nil else { throw ListFault(.noHeader, in: file.name) }
  }

  /// Reads rows without a header.
  static func scan(
    _ file: ListReader.File, _ dialect: CSV.Dialect, _ take: (Int, [String]) -> CSV.Fault?
  ) -> CSV.Fault? {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let body = file.bytes.starts(with: byteOrderMark) ? file.bytes.dropFirst(3) : file.bytes
    return body.withUnsafeBytes { bytes in
      // Older editions of such tables are in Windows-1252; a byte that is wrong in UTF-8 tells.
      if ListText.isUTF8(bytes) { return CSV.scan(bytes, dialect: dialect, take) }
      guard let text = String(data: body, encoding: .windowsCP1252) else { return .notUTF8 }
      return CSV.scan(Array(text.utf8), dialect: dialect, take)
    }
  }

  /// A separator more at the end of each row, or empty fields fewer, is how some publishers write.
  private static func isPadding(_ fields: [String], _ width: Int) -> Bool {
    fields.count == width + 1 && fields[width].isEmpty
  }
}

extension ListFault {
  /// A fault of a table, in words.
  init(_ fault: CSV.Fault, in file: String) {
    switch fault {
    case .notUTF8: self.init(file: file, reason: "the text is neither UTF-8 nor Windows-1252")
    case .noHeader: self.init(file: file, line: 1, reason: "the header of the table is missing")
    case .strayQuote(let line): self.init(file: file, line: line, reason: "a quote stands within a field")
    case .unclosedQuote(let line): self.init(file: file, line: line, reason: "a quote is not closed")
    case .ragged(let line):
      self.init(file: file, line: line, reason: "the row has not as many fields as the header")
    case .tooLarge: self.init(file: file, reason: "the table has too many rows")
    }
  }
}
