// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// Tables of people or of pairs of names that are screened from the command line, one row after the other, so that a
/// file of any length takes little memory.
package enum ScreenFile {
  /// Why a table cannot be screened. Names lines and columns, no content.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// How a table was written.
  package enum Encoding: Sendable {
    case utf8, utf16
    /// Taken to be: other code pages of Latin letters cannot be told from it.
    case windows1252
  }

  /// Why a row is not searched: without what cannot be read it would be another question than was asked.
  package enum Unreadable: String, Error, Sendable, Hashable, Encodable {
    case name = "unreadable-name"
    case date = "unreadable-date"
    case gender = "unreadable-gender"
  }

  /// Columns that hold the name of a subject, the first of them that a table has.
  package static let nameColumns = ["query_name", "full_name", "name", "name1"]
  static let dateColumns = ["date_of_birth", "dob", "birth_date"]
  static let nationalityColumns = ["nationality", "nationalities", "country", "citizenship"]
  static let documentColumns = ["document_numbers", "document_number"]
  static let kindColumns = ["schema", "kind"]
  static let genderColumns = ["gender", "sex"]
  /// Only persons have these: no name is read from them.
  static let givenNameColumns = ["first_name", "middle_name", "given_name", "given_names", "forename"]

  /// Of each the first that a table has is read.
  private static let columns = [
    nameColumns, ["name1"], ["name2"], dateColumns, nationalityColumns, documentColumns, kindColumns, genderColumns,
  ]

  /// One row of a table by its columns.
  struct Row {
    fileprivate let columns: [String: Int]
    fileprivate let fields: [String]

    func first(_ names: [String]) -> String {
      guard let column = names.lazy.compactMap({ columns[$0] }).first else { return "" }
      return fields[column].trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func has(_ names: [String]) -> Bool { names.contains { columns[$0] != nil } }
  }

  /// Reads the subjects of a table, counted from 0 without the header.
  ///
  /// Columns, of which only a name is required: `query_name`, `full_name` or `name`; `date_of_birth`; `nationality`,
  /// as a code or a name, several parted by semicolons; `gender`; `document_numbers`; `schema` or `kind`. Without the
  /// latter a table with dates of birth, genders or given names is one of persons, and any other may hold both.
  /// - Parameter take: is given a fault for a row whose date or gender is there and cannot be read.
  @discardableResult
  package static func subjects(
    _ bytes: Data, _ take: (_ row: Int, _ subject: Result<Screening.Subject, Unreadable>) throws -> Void
  ) throws -> Encoding {
    try rows(bytes, required: [nameColumns]) { number, row in
      try take(number, Result { () throws(Unreadable) in try subject(row) })
    }
  }

  private static func subject(_ row: Row) throws(Unreadable) -> Screening.Subject {
    guard isReadWhole(row.first(nameColumns)) else { throw .name }
    let isOfPersons = row.has(dateColumns) || row.has(genderColumns) || row.has(givenNameColumns)
    let kind = row.has(kindColumns) ? Self.kind(row.first(kindColumns)) : isOfPersons ? .person : .unspecified
    let born = row.first(dateColumns)
    let date = BirthDate(born)
    guard date != nil || born.isEmpty else { throw .date }
    return Screening.Subject(
      names: [row.first(nameColumns)], dateOfBirth: date, nationalities: values(row.first(nationalityColumns)),
      documentNumbers: values(row.first(documentColumns)), kind: kind, sex: try sex(row.first(genderColumns)))
  }

  /// The matcher cuts longer names, and what is cut away would pass for searched or compared.
  static func isReadWhole(_ name: String) -> Bool { name.unicodeScalars.count <= ListedName.scalarsMax }

  /// - Returns: nil for what is neither, and for what was not asked or told.
  private static func sex(_ text: String) throws(Unreadable) -> WatchList.Sex? {
    switch text.lowercased() {
    case "f", "female": .female
    case "m", "male": .male
    case "", "x", "other", "u", "unknown": nil
    default: throw .gender
    }
  }

  /// Reads pairs of names, counted from 0 without the header: columns `name1` and `name2`, and `schema` or `kind`.
  @discardableResult
  package static func pairs(
    _ bytes: Data, _ take: (_ row: Int, _ one: String, _ other: String, _ kind: WatchList.Kind) throws -> Void
  ) throws -> Encoding {
    try rows(bytes, required: [["name1"], ["name2"]]) { number, row in
      let kind = row.has(kindColumns) ? Self.kind(row.first(kindColumns)) : .unspecified
      try take(number, row.first(["name1"]), row.first(["name2"]), kind)
    }
  }

  /// FollowTheMoney's schemata and the words of our own lists.
  static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "person", "individual": .person
    case "company", "organization", "organisation", "entity", "publicbody": .organisation
    case "vessel", "ship": .vessel
    case "aircraft", "airplane": .aircraft
    default: .unspecified
    }
  }

  private static func values(_ field: String) -> [String] {
    field.split(separator: ";").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
  }

  static func columnName(_ field: String) -> String {
    field.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
  }

  /// Reads a table as spreadsheets export it (`TableText`), or of RFC 4180. A table that is broken anywhere is refused
  /// before the first row is taken: results of a part of it would pass for those of all.
  private static func rows(
    _ bytes: Data, required: [[String]], _ take: (_ number: Int, _ row: Row) throws -> Void
  ) throws -> Encoding {
    let (text, encoding): (Data, Encoding)
    do { (text, encoding) = try TableText.utf8(bytes) } catch {
      throw Fault(description: (error.line.map { "line \($0): " } ?? "") + error.reason)
    }
    let dialect = TableText.dialect(text) { names in
      required.allSatisfy { !Set($0).isDisjoint(with: names) }
    }
    var columns: [String: Int]?
    var (number, width) = (0, 0)
    var thrown: (any Error)?
    let broken = CSV.scan(text, dialect: dialect) { line, fields in
      if width == 0 { width = fields.count }
      return fields.count == width ? nil : .ragged(line: line)
    }
    let fault = CSV.scan(text, dialect: dialect) { line, fields in
      guard let columns else {
        let names = fields.map(columnName)
        let found = Dictionary(zip(names, names.indices)) { first, _ in first }
        for group in required where !group.contains(where: { found[$0] != nil }) {
          thrown = Fault(description: "line \(line): the table has no column \(group.joined(separator: ", "))")
          return .noHeader
        }
        let read = Set(Self.columns.compactMap { group in group.first { found[$0] != nil } })
        if let name = TableText.repeated(names, among: read) {
          thrown = Fault(description: "line \(line): the column \(name) is there twice")
          return .noHeader
        }
        // A table without its columns is told of that, though it may be broken too.
        columns = found
        return broken
      }
      do { try take(number, Row(columns: columns, fields: fields)) } catch {
        thrown = error
        return .tooLarge
      }
      number += 1
      return nil
    }
    if let thrown { throw thrown }
    if let fault { throw Fault(fault) }
    guard columns != nil else { throw Fault(.noHeader) }
    return encoding
  }
}

extension ScreenFile.Fault {
  init(_ fault: CSV.Fault) {
    let told = ListFault(fault, in: "")
    description = (told.line.map { "line \($0): " } ?? "") + told.reason
  }
}
