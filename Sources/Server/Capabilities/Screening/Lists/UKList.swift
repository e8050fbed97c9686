// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The lists of the United Kingdom, CSV: OFSI's consolidated list (`ConList.csv`, format of 2022) and the UK Sanctions
/// List of the FCDO. Both have a row for each name of an entry, under almost the same columns.
enum UKList {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    var numbers: [String: Int] = [:]
    try PublishedTable.read(file, dialect: .published(), known: known) {
      $0.contains("name 6") && $0.contains("name 1") && ($0.contains("group id") || $0.contains("unique id"))
    } lead: { fields in
      // `Last Updated,21/09/2026` or `Report Date: 21-Sep-2026`.
      if let text = fields.last(where: { !$0.isEmpty })?.split(separator: ":").last {
        parsed.version = day(String(text))
      }
    } _: { row throws(ListFault) in
      let id = row.first("unique id", "group id")
      guard !id.isEmpty else {
        // As in the EU's table: without a name it is no loss.
        var stray = EntryDraft(id)
        add(row, to: &stray, countries)
        guard !stray.hasName else {
          throw ListFault(file: file.name, line: row.line, reason: "an entry has no reference or no name")
        }
        return parsed.skip(1)
      }
      let number = numbers[id] ?? parsed.drafts.count
      if number == parsed.drafts.count {
        numbers[id] = number
        parsed.drafts.append(EntryDraft(id))
        parsed.lines.append(row.line)
      }
      add(row, to: &parsed.drafts[number], countries)
    }
    return parsed
  }

  private static func add(_ row: PublishedTable.Row, to draft: inout EntryDraft, _ countries: CountryNames) {
    // A row that does not tell says nothing else than the rows before it.
    let type = row.first("group type", "designation type", "individual, entity, ship", "individual/entity/ship")
    if !type.isEmpty { draft.kind = kind(type) }
    let parts = (1...5).map { row["name \($0)"] }
    let isPrimary = ["primary name", "prime alias"].contains(row.first("name type", "alias type").lowercased())
    let isWeak =
      row.first("alias quality", "alias strength").lowercased().hasPrefix("low")
      || row["alias strength"].lowercased() == "weak"
    draft.add(
      name: draft.kind == .person
        ? EntryDraft.personName(family: row["name 6"], given: parts)
        : (parts + [row["name 6"]]).joined(separator: " "), isWeak: isWeak, isMain: isPrimary, countries)
    draft.note(
      name: (parts + [row["name 6"]]).joined(separator: " "), called: row.first("name type", "alias type"))
    draft.add(name: row["name non-latin script"], countries)
    for date in several(row.first("dob", "d.o.b")) { add(birth: date, to: &draft) }
    let towns = several(row["town of birth"])
    let lands = several(row["country of birth"])
    for number in 0..<max(towns.count, lands.count) {
      let land = lands.indices.contains(number) ? lands[number] : lands.count == 1 ? lands[0] : ""
      draft.add(placeOfBirth: [towns.indices.contains(number) ? towns[number] : "", land])
    }
    for country in several(row.first("nationality", "nationality(/ies)")) { draft.add(country: country, countries) }
    for country in several(row.first("current believed flag of ship", "flag of ship")) {
      draft.add(country: country, label: "Flag", countries)
    }
    draft.add(sex: row["gender"])
    addNumbers(row, to: &draft, countries)
    addLabelled(row["other information"], to: &draft, countries)
    let country = row.first("address country", "country")
    draft.add(
      address: (1...6).map { row["address \($0)"].isEmpty ? row["address line \($0)"] : row["address \($0)"] }
        + [row.first("post/zip code", "address postal code"), country])
    if draft.kind != .person { draft.add(country: country, label: "Country", countries) }
    draft.add(programme: row.first("regime name", "regime"))
    for (column, label) in remarks { draft.add(remark: row[column], label) }
    // A column that a later edition brings is kept in its own words.
    for (column, text) in row.unknown { draft.add(remark: text, column) }
  }

  /// Columns that are read above and below.
  private static let known = Set(
    (1...6).flatMap { ["name \($0)", "address \($0)", "address line \($0)"] } + numbers.map(\.column)
      + remarks.map(\.0) + [
        "unique id", "group id", "group type", "designation type", "individual, entity, ship",
        "individual/entity/ship", "name type", "alias type", "alias quality", "alias strength",
        "name non-latin script", "dob", "d.o.b", "town of birth", "country of birth", "nationality",
        "nationality(/ies)", "current believed flag of ship", "flag of ship", "gender", "address country", "country",
        "post/zip code", "address postal code", "regime name", "regime",
      ])

  private static func addNumbers(_ row: PublishedTable.Row, to draft: inout EntryDraft, _ countries: CountryNames) {
    for (column, type) in numbers {
      for number in several(row[column]) { draft.add(number: number, type: type, countries) }
    }
  }

  /// OFSI's list has no columns for these, and writes them among the other information: `(IMO number):9012345.
  /// (Gender):Male`. The whole stays a remark.
  private static func addLabelled(_ text: String, to draft: inout EntryDraft, _ countries: CountryNames) {
    // By bytes: an expression took 5 s of processor time for 10⁵ rows, twice as long as all else.
    let isBracket = { (byte: UInt8) in byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") }
    var rest = text.utf8[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "(")) {
      rest = rest[open...].dropFirst()
      guard let close = rest.firstIndex(where: isBracket) else { return }
      let label = rest[..<close]
      rest = rest[close...]
      guard label.count <= labelMax, rest.starts(with: "):".utf8) else { continue }
      rest = rest.dropFirst(2)
      let value = Substring(rest.prefix { !isBracket($0) }).trimmingCharacters(in: .whitespaces)
      // Sentences may go on behind a value.
      let first = value.prefix { $0 != " " && $0 != "." }
      switch Substring(label).lowercased() {
      case "gender": draft.add(sex: String(first))
      case "imo number": draft.add(number: String(first), type: "IMO number", countries)
      case "business registration number":
        let number = value.trimmingCharacters(in: CharacterSet(charactersIn: " ."))
        draft.add(number: number, type: "Business registration number", countries)
      default: break
      }
    }
  }

  /// Bytes of the longest label that is read.
  private static let labelMax = "business registration number".utf8.count

  private static let numbers: [(column: String, type: String)] = [
    ("passport number", "Passport"), ("national identification number", "National identification number"),
    ("national identifier number", "National identification number"),
    ("business registration number (s)", "Business registration number"),
    ("business registration number(s)", "Business registration number"), ("imo number", "IMO number"),
    ("hull identification number (hin)", "Hull identification number"), ("un reference number", "UN reference"),
    ("ofsi group id", "OFSI group"),
  ]

  /// What is kept as it stands.
  private static let remarks = [
    ("title", "Title"), ("position", "Position"), ("passport details", "Passport"),
    ("passport additional information", "Passport"), ("national identification details", "National identification"),
    ("national identifier additional information", "National identification"),
    ("other information", "Other information"),
    ("uk statement of reasons", "Statement of reasons"), ("sanctions imposed", "Sanctions imposed"),
    ("designation source", "Source"), ("listed on", "Listed on"), ("date designated", "Listed on"),
    ("uk sanctions list date designated", "Listed on the UK Sanctions List"), ("last updated", "Updated on"),
    ("phone number", "Phone"), ("website", "Website"), ("email address", "E-mail"),
    ("type of entity", "Type of entity"),
    ("subsidiaries", "Subsidiaries"), ("parent company", "Parent company"), ("type of ship", "Type of ship"),
    ("tonnage of ship", "Tonnage"), ("length of ship", "Length"), ("year built", "Year built"),
    ("current owner/operator (s)", "Owner or operator"), ("previous owner/operator (s)", "Former owner or operator"),
    ("previous flags", "Former flag"),
  ]

  private static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "individual", "person": .person
    case "entity": .organisation
    case "ship", "vessel": .vessel
    case "aircraft": .aircraft
    default: .unspecified
    }
  }

  /// `21/03/1971`; of `00/03/1971` and `dd/03/1971` the month is known, of `00/00/1971` the year.
  private static func add(birth text: String, to draft: inout EntryDraft) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].count == 4, let year = Int(parts[2]) else { return draft.add(birth: text) }
    let (day, month) = (Int(parts[0]).flatMap { $0 > 0 ? $0 : nil }, Int(parts[1]).flatMap { $0 > 0 ? $0 : nil })
    draft.add(
      birth: PartialDate(year: year, month: month, day: month == nil ? nil : day).flatMap { BirthDate($0) }, text: text)
  }

  /// Several values in one field: `(1) Utopia (2) Atlantis`, or parted by a bar.
  static func several(_ field: String) -> [String] {
    let bars = field.split(separator: "|").map(String.init)
    return bars.flatMap { part -> [String] in
      guard part.contains("(1)") else { return [part.trimmingCharacters(in: .whitespaces)] }
      var rest = part[...]
      var number = 1
      // What stands before the first number is a value too: `AB 12 (1)` is one number, not none.
      var values = [String(rest[..<(rest.firstRange(of: "(1)")?.lowerBound ?? rest.startIndex)])]
        .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " .,;")) }
      while let mark = rest.firstRange(of: "(\(number))") {
        rest = rest[mark.upperBound...]
        number += 1
        let end = rest.firstRange(of: "(\(number))")?.lowerBound ?? rest.endIndex
        values.append(rest[..<end].trimmingCharacters(in: CharacterSet(charactersIn: " .,;")))
      }
      return values
    }.filter { !$0.isEmpty }
  }

  /// `21/09/2026` and `21-Sep-2026` as `2026-09-21`; nil for anything else.
  private static func day(_ text: String) -> String? {
    let text = text.trimmingCharacters(in: .whitespaces)
    let parts = text.split(separator: "/")
    if parts.count == 3, let day = Int(parts[0]), let month = Int(parts[1]), let year = Int(parts[2]) {
      return CalendarDate(year: year, month: month, day: day)?.isoText
    }
    let date = BirthDate(text) ?? BirthDate(text.replacing("-", with: " "))
    return date?.precision == .day ? date?.first.isoText : nil
  }
}
