// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// `targets.simple.csv` of OpenSanctions: an entity a row, several values parted by semicolons.
enum OpenSanctionsTable {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    var latest = ""
    try PublishedTable.read(file, dialect: .published(), known: known) { names in
      Set(names).isSuperset(of: ["id", "schema", "name"])
    } _: { row throws(ListFault) in
      latest = max(latest, row["last_change"])
      parsed.drafts.append(draft(row, countries))
      parsed.lines.append(row.line)
    }
    parsed.version = latest.isEmpty ? nil : String(latest.prefix(10))
    return parsed
  }

  private static func draft(_ row: PublishedTable.Row, _ countries: CountryNames) -> EntryDraft {
    var draft = EntryDraft(row["id"])
    draft.kind = kind(ofSchema: row["schema"])
    draft.add(name: row["name"], isMain: true, countries)
    for name in values(row["aliases"]) { draft.add(name: name, countries) }
    for date in values(row["birth_date"]) { draft.add(birth: date) }
    for country in values(row["countries"]) { draft.add(country: country, countries) }
    for address in values(row["addresses"]) { draft.add(address: [address]) }
    for number in values(row["identifiers"]) { draft.add(number: number, countries) }
    for programme in values(row["program_ids"]) { draft.add(programme: programme) }
    for sanction in values(row["sanctions"]) { draft.add(remark: sanction, "Sanction") }
    for phone in values(row["phones"]) { draft.add(remark: phone, "Phone") }
    for mail in values(row["emails"]) { draft.add(remark: mail, "E-mail") }
    for dataset in values(row["dataset"]) { draft.add(remark: dataset, "Dataset") }
    draft.add(remark: row["first_seen"], "First seen")
    // Not `last_seen`, the time of the export: with every file all entries would be others, and their cases open again.
    draft.add(remark: row["last_change"], "Changed on")
    // A column that a later edition brings is kept in its own words.
    for (column, text) in row.unknown { draft.add(remark: text, column) }
    return draft
  }

  private static let known: Set<String> = [
    "id", "schema", "name", "aliases", "birth_date", "countries", "addresses", "identifiers", "program_ids",
    "sanctions", "phones", "emails", "dataset", "first_seen", "last_seen", "last_change",
  ]

  /// Of the FollowTheMoney model.
  static func kind(ofSchema schema: String) -> WatchList.Kind {
    switch schema {
    case "Person": .person
    case "Organization", "Company", "PublicBody": .organisation
    case "Vessel": .vessel
    case "Airplane": .aircraft
    default: .unspecified
    }
  }

  private static func values(_ field: String) -> [String] {
    guard field.contains("\"") else { return field.split(separator: ";").map(String.init) }
    // A value that holds a semicolon is quoted within the field.
    var all: [String] = []
    _ = CSV.scan(Array(field.utf8), dialect: .published(";")) { _, fields in
      all += fields
      return nil
    }
    return all
  }
}
