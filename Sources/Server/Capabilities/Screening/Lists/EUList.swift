// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The EU's consolidated list of persons, groups and entities subject to financial sanctions, XML 1.1, CSV 1.1 and CSV
/// 1.0. The columns of the tables are the attributes of the XML, in CSV 1.0 with shorter names, so that one set of
/// rules reads all.
enum EUList {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    try ListElements.read(file, records: ["sanctionEntity"]) { attributes in
      parsed.version = attributes["generationDate"].map { String($0.prefix(10)) }
    } _: { element throws(ListFault) in
      parsed.drafts.append(draft(element, countries))
      parsed.lines.append(element.line)
    }
    return parsed
  }

  private static func draft(_ element: ListElement, _ countries: CountryNames) -> EntryDraft {
    let reference = element.attribute("euReferenceNumber")
    var draft = EntryDraft(reference.isEmpty ? element.attribute("logicalId") : reference)
    let subject = element.first("subjectType").map(Parts.init)
    draft.kind = kind(subject?["code", "classificationcode"] ?? "")
    for name in element.all("nameAlias") { add(name: Parts(name), to: &draft, countries) }
    for country in element.all("citizenship") { add(citizenship: Parts(country), to: &draft, countries) }
    for birth in element.all("birthdate") { add(birth: Parts(birth), to: &draft) }
    for address in element.all("address") { add(address: Parts(address), to: &draft, countries) }
    for contact in Parts(element).contacts { draft.add(remark: contact, "Contact") }
    for document in element.all("identification") { add(document: Parts(document), to: &draft, countries) }
    for regulation in element.all("regulation") {
      draft.add(programme: regulation.attribute("programme"))
      draft.add(remark: regulation.attribute("numberTitle"), "Regulation")
      draft.add(remark: regulation.attribute("publicationDate"), "Regulation published on")
      draft.add(remark: regulation.attribute("entryIntoForceDate"), "Regulation in force on")
    }
    draft.add(remark: element.attribute("designationDate"), "Listed on")
    draft.add(remark: element.attribute("designationDetails"), "Designation")
    draft.add(remark: element.attribute("unitedNationId"), "United Nations reference")
    for remark in element.all("remark") { draft.add(remark: remark.text, "Remark") }
    // An element that a later edition brings is kept in its own words.
    for (label, text) in element.others(than: knownElements) { draft.add(remark: text, label) }
    return draft
  }

  /// The table has a row for each name, address, birth and document of an entry, and its own columns in each row.
  static func readTable(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    var numbers: [String: Int] = [:]
    try PublishedTable.read(file, dialect: .published(";"), known: known) {
      isHeader($0)
    } lead: { fields in
      if fields.count > 1, fields[0].lowercased() == "filegenerationdate" { parsed.version = isoDay(fields[1]) }
    } _: { row throws(ListFault) in
      let id = row.first("entity_logicalid", "entity_logical_id")
      guard !id.isEmpty else {
        // Of whom it is the row does not tell. A name would be one that is not searched for; without one it is no loss.
        var stray = EntryDraft(row.first("entity_eu_referencenumber", "eu_ref_num"))
        add(row, to: &stray, countries)
        guard !stray.hasName, stray.reference.isEmpty else {
          throw ListFault(file: file.name, line: row.line, reason: "an entry has no reference or no name")
        }
        return parsed.skip(1)
      }
      let number = numbers[id] ?? parsed.drafts.count
      if number == parsed.drafts.count {
        numbers[id] = number
        let reference = row.first("entity_eu_referencenumber", "eu_ref_num")
        parsed.drafts.append(EntryDraft(reference.isEmpty ? id : reference))
        parsed.lines.append(row.line)
        if parsed.version == nil { parsed.version = isoDay(row.first("filegenerationdate", "date_file")) }
      }
      add(row, to: &parsed.drafts[number], countries)
    }
    return parsed
  }

  private static func add(_ row: PublishedTable.Row, to draft: inout EntryDraft, _ countries: CountryNames) {
    if draft.kind == .unspecified {
      draft.kind = kind(row.first("entity_subjecttype", "entity_subjecttype_classificationcode", "subject_type"))
    }
    add(name: Parts(row, "namealias_", "naal_"), to: &draft, countries)
    add(citizenship: Parts(row, "citizenship_", "citi_"), to: &draft, countries)
    add(birth: Parts(row, "birthdate_", "birt_"), to: &draft)
    add(address: Parts(row, "address_", "addr_"), to: &draft, countries)
    add(document: Parts(row, "identification_", "iden_"), to: &draft, countries)
    draft.add(programme: row.first("entity_regulation_programme", "programme"))
    draft.add(remark: row.first("entity_regulation_numbertitle", "leba_numtitle"), "Regulation")
    draft.add(
      remark: row.first("entity_regulation_publicationdate", "leba_publication_date"), "Regulation published on")
    draft.add(remark: row["entity_regulation_entryintoforcedate"], "Regulation in force on")
    draft.add(remark: row["entity_designationdate"], "Listed on")
    draft.add(remark: row["entity_designationdetails"], "Designation")
    draft.add(remark: row["entity_unitednationid"], "United Nations reference")
    draft.add(remark: row["entity_remark"], "Remark")
    // A column that a later edition brings is kept in its own words.
    for (column, text) in row.unknown { draft.add(remark: text, column) }
  }

  /// A part of an entry by the lower-case names of its attributes.
  private struct Parts {
    private let get: (String) -> String
    /// The texts of its remarks.
    let remarks: [String]
    /// Telephone numbers, e-mail addresses and the like, written as the table writes them: `EMAIL[a@example.test]`.
    let contacts: [String]

    init(_ element: ListElement) {
      let attributes = Dictionary(element.attributes.map { ($0.lowercased(), $1) }) { first, _ in first }
      get = { attributes[$0] ?? "" }
      remarks = element.all("remark").map(\.text)
      contacts = element.all("contactInfo").map { "\($0.attribute("key"))[\($0.attribute("value"))]" }
    }

    /// - Parameter first: the prefix of CSV 1.0.
    init(_ row: PublishedTable.Row, _ prefix: String, _ first: String) {
      get = { row.first(prefix + $0, first + $0) }
      remarks = [row[prefix + "remark"]]
      contacts = []
    }

    subscript(_ names: String...) -> String { names.lazy.map(get).first { !$0.isEmpty } ?? "" }

    /// A country by its code, or by its name where the code is not known, as `00`.
    func country(_ countries: CountryNames) -> String {
      let code = self["countryiso2code", "country"]
      return countries.alpha3(code) == nil ? countryName : code
    }

    /// As people write it; empty for `UNKNOWN`, by which the list says that it does not know.
    var countryName: String {
      let name = self["countrydescription", "countryiso2code", "country"]
      return ["00", "UNKNOWN"].contains(name.uppercased()) ? "" : name
    }
  }

  private static func add(name: Parts, to draft: inout EntryDraft, _ countries: CountryNames) {
    let given = [name["firstname"], name["middlename"]]
    let whole = name["wholename"]
    // A name without a mark is strong. The mark `strong` is in the XML only and true for most; of many weak names the
    // remark alone tells, in both forms: `(low quality alias)`.
    let isWeak =
      ListElement.isFalse(name["strong"]) || name.remarks.contains { $0.lowercased().contains("low quality") }
    // Only the parts tell which name is that of the family; the whole is kept where it says something else.
    let isParted = draft.kind == .person && !name["lastname"].isEmpty && !given.joined().isEmpty
    if isParted {
      draft.add(name: EntryDraft.personName(family: name["lastname"], given: given), isWeak: isWeak, countries)
    }
    let parts = (given + [name["lastname"]]).joined(separator: " ")
    if whole.isEmpty, !isParted { draft.add(name: parts, isWeak: isWeak, countries) }
    if !whole.isEmpty, !isParted || words(whole) != words(parts) { draft.add(name: whole, isWeak: isWeak, countries) }
    draft.add(sex: name["gender"])
    draft.add(remark: name["title"], "Title")
    draft.add(remark: name["function"], "Function")
    for remark in name.remarks { draft.add(remark: remark, "Name") }
  }

  private static func words(_ name: String) -> [String] {
    name.lowercased().split(separator: " ").map(String.init).sorted()
  }

  private static func add(citizenship: Parts, to draft: inout EntryDraft, _ countries: CountryNames) {
    draft.add(country: citizenship.country(countries), countries)
    draft.add(remark: citizenship["region"], "Citizenship")
    for remark in citizenship.remarks { draft.add(remark: remark, "Citizenship") }
  }

  private static func add(birth: Parts, to draft: inout EntryDraft) {
    let isApproximate = ListElement.isTrue(birth["circa"])
    let (from, to) = (birth["yearrangefrom"], birth["yearrangeto"])
    let date = birth["birthdate", "date"]
    let parts = partial(birth)
    // What is no date of the calendar, as `1959-00-00`, may be known in parts.
    let isDate = EntryDraft.isDate(date) || parts.isEmpty
    let text = isDate && !date.isEmpty ? date : parts
    if !isDate, !date.isEmpty { draft.add(remark: date, "Date of birth") }
    let calendar = birth["calendartype"].uppercased()
    for text in [text, from.isEmpty || to.isEmpty ? from + to : "\(from)/\(to)"] where !text.isEmpty {
      if calendar.isEmpty || calendar == "GREGORIAN" {
        draft.add(birth: isApproximate ? "circa \(text)" : text)
      } else {
        draft.add(remark: "\(text) (\(calendar.lowercased()))", "Date of birth")
      }
    }
    // A day of an unknown year is no date that could be compared, and is kept as it stands.
    let days = [birth["dayofmonth", "day"], birth["monthofyear", "month"]]
    if text.isEmpty, days.contains(where: { (Int($0) ?? 0) > 0 }) {
      draft.add(remark: "day \(days[0]), month \(days[1]), year unknown", "Date of birth")
    }
    draft.add(placeOfBirth: [birth["place"], birth["city"], birth["region"], birth["zipcode"], birth.countryName])
    for remark in birth.remarks { draft.add(remark: remark, "Date of birth") }
  }

  /// Year, month and day that stand apart, as `YYYY`, `YYYY-MM` or `YYYY-MM-DD`.
  private static func partial(_ birth: Parts) -> String {
    let (year, month, day) = (birth["year"], birth["monthofyear", "month"], birth["dayofmonth", "day"])
    guard !year.isEmpty else { return "" }
    let parts = [month, day].prefix { (Int($0) ?? 0) > 0 }.map { $0.count == 1 ? "0\($0)" : $0 }
    return ([year] + parts).joined(separator: "-")
  }

  private static func add(address: Parts, to draft: inout EntryDraft, _ countries: CountryNames) {
    draft.add(
      address: [
        address["number"], address["street"], address["other"], address["pobox"], address["place"], address["city"],
        address["zipcode"], address["region"], address.countryName,
      ])
    draft.add(remark: address["contactinfo"], "Contact")
    for contact in address.contacts { draft.add(remark: contact, "Contact") }
    for remark in address.remarks { draft.add(remark: remark, "Address") }
    if draft.kind != .person { draft.add(country: address.country(countries), label: "Country", countries) }
  }

  private static func add(document: Parts, to draft: inout EntryDraft, _ countries: CountryNames) {
    var type = document["identificationtypedescription", "typedescription", "identificationtypecode", "typecode"]
    var number = document["number", "latinnumber"]
    let written = number
    if let parts = parts(of: written) {
      number = parts.number
      if !parts.isAll || !parts.type.hasSuffix(type) { draft.add(remark: written, ofDocument: number, "written as") }
      if type.isEmpty { type = parts.type }
    }
    for number in [number, document["latinnumber"]] {
      draft.add(number: number, type: type, country: document.country(countries), countries)
    }
    draft.add(remark: document["nameondocument"], "Name on document")
    draft.add(remark: document["issuedby"], ofDocument: number, "issued by")
    draft.add(remark: document["region"], ofDocument: number, "issued in")
    draft.add(remark: document["issuedate", "issueddate"], ofDocument: number, "issued on")
    draft.add(remark: document["validfrom"], ofDocument: number, "valid from")
    draft.add(remark: document["validto"], ofDocument: number, "valid to")
    // A number that the list itself calls false must not look like one that confirms.
    for (mark, text) in [
      ("diplomatic", "diplomatic"), ("knownexpired", "known expired"), ("knownfalse", "known false"),
      ("reportedlost", "reported lost"), ("revokedbyissuer", "revoked by issuer"),
    ] where ListElement.isTrue(document[mark]) {
      draft.add(remark: text, ofDocument: number)
    }
    for remark in document.remarks { draft.add(remark: remark, ofDocument: number) }
  }

  /// A number with its kind behind it, and perhaps with more: CSV 1.0 has no column for the kind, and writes
  /// `P12 (passport-National passport) [known to be expired](issued in 2005)`.
  /// - Returns: nil for a number without it; `isAll` when nothing more stands there.
  private static func parts(of number: String) -> (number: String, type: String, isAll: Bool)? {
    for open in number.ranges(of: " (") {
      guard let kind = number[open.upperBound...].prefixMatch(of: /([a-z]+-[^()]*)\)/) else { continue }
      let rest = number[kind.range.upperBound...]
      return (String(number[..<open.lowerBound]), String(kind.output.1), rest.allSatisfy(\.isWhitespace))
    }
    return nil
  }

  /// Whether names of columns in lower case are those of CSV 1.1 or of CSV 1.0.
  static func isHeader(_ names: [String]) -> Bool {
    Set(names).isSuperset(of: ["entity_logicalid", "namealias_wholename"])
      || Set(names).isSuperset(of: ["entity_logical_id", "naal_wholename"])
  }

  private static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "person", "p": .person
    case "enterprise", "e": .organisation
    case "vessel", "ship": .vessel
    default: .unspecified
    }
  }

  /// `30/05/2026` as `2026-05-30`; anything else as it is; nil when empty.
  private static func isoDay(_ text: String) -> String? {
    let parts = text.split(separator: "/")
    if parts.count == 3, parts[2].count == 4 { return "\(parts[2])-\(parts[1])-\(parts[0])" }
    return text.isEmpty ? nil : String(text.prefix(10))
  }
}
