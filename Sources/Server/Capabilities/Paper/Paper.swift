// SPDX-License-Identifier: Apache-2.0

import CPaper
import Foundation

/// A document that is read by eyes and by screen readers, and printed: headings, sentences and tables, drawn as tagged
/// PDF (ISO 32000-1 §14.8) in the direction of its language.
package struct Paper: Sendable {
  package enum Block: Sendable {
    /// - Parameter level: 1 to 3.
    case heading(level: Int, String)
    case paragraph(String)
    /// A name and what it is, on a line of its own.
    case fact(String, Piece)
    case table(Table)
  }

  /// A text that keeps its own direction within the document's.
  package enum Piece: Sendable {
    /// Names and words: in the direction of their first letter.
    case text(String)
    /// Amounts, days and identifiers: from the left.
    case number(String)
  }

  package struct Table: Sendable {
    package struct Column: Sendable {
      package let name: String
      /// Its part of the line, beside those of the other columns.
      package let share: Double
      /// Whether its texts stand at the end of the column, as amounts do.
      package let isAtEnd: Bool

      package init(_ name: String, share: Double, isAtEnd: Bool = false) {
        (self.name, self.share, self.isAtEnd) = (name, share, isAtEnd)
      }
    }

    /// 1 to 8.
    package let columns: [Column]
    /// Each has a piece for each column.
    package let rows: [[Piece]]

    package init(_ columns: [Column], _ rows: [[Piece]]) {
      precondition((1...8).contains(columns.count), "A table has 1 to 8 columns.")
      precondition(rows.allSatisfy { $0.count == columns.count }, "A row has a piece for each column.")
      (self.columns, self.rows) = (columns, rows)
    }
  }

  package let title: String
  package let author: String
  /// BCP 47.
  package let language: String
  /// RFC 3339, in UTC.
  package let createdAt: String
  /// Stands on every page before its number.
  package let footer: String
  package let blocks: [Block]

  package init(
    title: String, author: String, language: String, createdAt: String, footer: String, blocks: [Block]
  ) {
    (self.title, self.author, self.language) = (title, author, language)
    (self.createdAt, self.footer, self.blocks) = (createdAt, footer, blocks)
  }

  /// Whether lines of a language begin at the right.
  package static func isRightToLeft(_ language: String) -> Bool {
    ["ar", "fa", "he", "ur"].contains(language.prefix { $0 != "-" }.lowercased())
  }
}

/// Why a document cannot be drawn.
package enum PaperFault: Error, Sendable, Equatable {
  /// The library's status (`cairo_status_t`).
  case drawing(Int32)
  /// No font of this machine has the letters of headings and names of columns: `fonts-dejavu-core` is missing.
  case noFont
  /// The library wrote a file of another form than this release knows.
  case unknownForm
}

extension Paper {
  /// The document as PDF. The same document is the same bytes on one machine.
  /// - Throws: `PaperFault`.
  package func pdf() throws(PaperFault) -> Data {
    let language = PaperText.plain(language)
    guard
      let paper = cpaper_begin(
        PaperText.plain(title), PaperText.plain(author), language, Self.isRightToLeft(language) ? 1 : 0,
        PaperText.plain(createdAt), PaperText.plain(footer))
    else { throw .drawing(1) }
    for block in blocks { Self.draw(block, on: paper) }
    var (bytes, length, missing, drawn) = (UnsafeMutablePointer<UInt8>?.none, 0, 0, 0)
    let status = cpaper_end(paper, &bytes, &length, &missing, &drawn)
    guard status == 0, let bytes else { throw .drawing(status) }
    let file = Data(bytes: bytes, count: length)
    cpaper_free(bytes)
    guard missing * 2 <= drawn else { throw .noFont }
    return try PaperCompletion.complete(file, title: PaperText.plain(title), language: language)
  }

  private static func draw(_ block: Block, on paper: OpaquePointer) {
    switch block {
    case .heading(let level, let text): cpaper_heading(paper, Int32(level), PaperText.plain(text))
    case .paragraph(let text): cpaper_paragraph(paper, PaperText.plain(text))
    case .fact(let name, let piece):
      cpaper_paragraph(paper, "\(PaperText.plain(name)): \(PaperText.isolated(piece))")
    case .table(let table):
      cpaper_table(
        paper, Int32(table.columns.count), table.columns.map(\.share), table.columns.map { $0.isAtEnd ? 1 : 0 })
      row(table.columns.map { PaperText.plain($0.name) }, on: paper)
      for cells in table.rows { row(cells.map(PaperText.isolated), on: paper) }
      cpaper_table_end(paper)
    }
  }

  private static func row(_ cells: [String], on paper: OpaquePointer) {
    let copies = cells.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) }
    cpaper_row(paper, pointers)
  }
}
