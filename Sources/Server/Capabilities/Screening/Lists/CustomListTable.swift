// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// A table of one's own; `WatchList.init(_:version:countries:)` describes its columns.
enum CustomListTable {
  private static let required = ["ref", "name"]
  private static let read = Set(
    required + [
      "kind", "schema", "aliases", "original_script", "weak_aliases", "dob", "date_of_birth", "birth_date", "pob",
      "nationality", "nationalities", "country", "citizenship", "document_numbers", "document_number", "program",
      "addresses", "topics", "gender", "sex", "listed_on", "remarks",
    ])

  /// Reads a table as spreadsheets export it (`TableText`), or of RFC 4180.
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    let (text, encoding): (Data, ScreenFile.Encoding)
    do { (text, encoding) = try TableText.utf8(file.bytes) } catch {
      throw ListFault(file: file.name, line: error.line, reason: error.reason)
    }
    var parsed = ListReader.Parsed(drafts: [], encoding: encoding)
    var missing: String?
    var repeated: String?
    try PublishedTable.read(file, text: text, dialect: dialect(text) ?? .standard) { names in
      missing = required.first { !names.contains($0) }
      repeated = TableText.repeated(names, among: Self.read)
      // The first row is the header; one that is not shows in what it lacks.
      return true
    } _: { row throws(ListFault) in
      guard missing == nil, repeated == nil else { return }
      guard !row["ref"].isEmpty, !row["name"].isEmpty else {
        throw ListFault(file: file.name, line: row.line, reason: "an entry has no reference or no name")
      }
      parsed.drafts.append(draft(row, countries))
      parsed.lines.append(row.line)
    }
    if let missing { throw ListFault(file: file.name, line: 1, reason: "the column \(missing) is missing") }
    if let repeated { throw ListFault(file: file.name, line: 1, reason: "the column \(repeated) is there twice") }
    return parsed
  }

  /// What parts the fields of a table whose header has the columns of one; nil when it has not.
  static func dialect(_ text: Data) -> CSV.Dialect? {
    CSV.Dialect.ofTables.first { Set(TableText.header(text, $0)).isSuperset(of: required) }
  }

  /// The column that a table lacks whose header has the other one; nil for what is no such table.
  static func missingColumn(_ file: ListReader.File) -> String? {
    let head = Data(TableText.head(file.bytes, ListFormat.headBytes).utf8)
    return CSV.Dialect.ofTables.lazy.compactMap { dialect in
      let names = TableText.header(head, dialect)
      let missing = required.filter { !names.contains($0) }
      return missing.count < required.count ? missing.first : nil
    }.first
  }

  private static func draft(_ row: PublishedTable.Row, _ countries: CountryNames) -> EntryDraft {
    var draft = EntryDraft(row["ref"])
    draft.kind = kind(row.first("kind", "schema"))
    draft.add(name: row["name"], isMain: true, countries)
    for name in values(row["aliases"]) + values(row["original_script"]) { draft.add(name: name, countries) }
    for name in values(row["weak_aliases"]) { draft.add(name: name, isWeak: true, countries) }
    for date in values(row.first("dob", "date_of_birth", "birth_date")) { draft.add(birth: date) }
    for place in values(row["pob"]) { draft.add(placeOfBirth: [place]) }
    for country in values(row.first("nationality", "nationalities", "country", "citizenship")) {
      draft.add(country: country, countries)
    }
    for number in values(row.first("document_numbers", "document_number")) { draft.add(number: number, countries) }
    for programme in values(row["program"]) { draft.add(programme: programme) }
    for address in values(row["addresses"]) { draft.add(address: [address]) }
    for topic in values(row["topics"]) { draft.add(topic: topic) }
    draft.add(sex: row.first("gender", "sex"))
    draft.add(remark: row["listed_on"], "Listed on")
    draft.add(remark: row["remarks"], "Remarks")
    return draft
  }

  private static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "", "person", "individual": .person
    default: ScreenFile.kind(text)
    }
  }

  private static func values(_ field: String) -> [String] {
    // Most fields have one value or none, and a look at the bytes tells that.
    guard field.utf8.contains(UInt8(ascii: ";")) else { return field.isEmpty ? [] : [field] }
    return field.split(separator: ";").map(String.init)
  }
}
