// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// A table of one's own; `WatchList.init(_:version:countries:)` describes its columns.
enum CustomListTable {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    var missing: String?
    try PublishedTable.read(file, dialect: .standard) { names in
      missing = ["ref", "name"].first { !names.contains($0) }
      // The first row is the header; one that is not shows in what it lacks.
      return true
    } _: { row throws(ListFault) in
      guard missing == nil else { return }
      guard !row["ref"].isEmpty, !row["name"].isEmpty else {
        throw ListFault(file: file.name, line: row.line, reason: "an entry has no reference or no name")
      }
      parsed.drafts.append(draft(row, countries))
      parsed.lines.append(row.line)
    }
    if let missing { throw ListFault(file: file.name, line: 1, reason: "the column \(missing) is missing") }
    return parsed
  }

  private static func draft(_ row: PublishedTable.Row, _ countries: CountryNames) -> EntryDraft {
    var draft = EntryDraft(row["ref"])
    draft.kind = kind(row["kind"])
    draft.add(name: row["name"], isMain: true)
    for name in values(row["aliases"]) + values(row["original_script"]) { draft.add(name: name) }
    for name in values(row["weak_aliases"]) { draft.add(name: name, isWeak: true) }
    for date in values(row["dob"]) { draft.add(birth: date) }
    for place in values(row["pob"]) { draft.add(placeOfBirth: [place]) }
    for country in values(row["nationality"]) { draft.add(country: country, countries) }
    for number in values(row["document_numbers"]) { draft.add(number: number, countries) }
    for programme in values(row["program"]) { draft.add(programme: programme) }
    for address in values(row["addresses"]) { draft.add(address: [address]) }
    for topic in values(row["topics"]) { draft.add(topic: topic) }
    draft.add(sex: row["gender"])
    draft.add(remark: row["listed_on"], "Listed on")
    draft.add(remark: row["remarks"], "Remarks")
    return draft
  }

  private static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "", "person", "individual": .person
    case "entity", "organisation", "organization", "company": .organisation
    case "vessel", "ship": .vessel
    case "aircraft": .aircraft
    default: .unspecified
    }
  }

  private static func values(_ field: String) -> [String] { field.split(separator: ";").map(String.init) }
}
