// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// Entities of the FollowTheMoney model as OpenSanctions publishes them, a JSON object a line: in `entities.ftm.json`
/// sanctions, addresses and documents are lines of their own, in `targets.nested.json` they are within their entity.
enum FollowTheMoney {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var reader = Reader(file: file, countries: countries)
    try lines(of: file) { line, bytes throws(ListFault) in try reader.take(bytes, line: line) }
    return reader.finish()
  }

  private static let lineMax = 16 << 20

  private static func lines(
    of file: ListReader.File, _ take: (Int, Data) throws(ListFault) -> Void
  ) throws(ListFault) {
    var rest = file.bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var line = 0
    while !rest.isEmpty {
      line += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      guard end - rest.startIndex <= lineMax else {
        throw ListFault(file: file.name, line: line, reason: "the line is too long")
      }
      let bytes = rest[rest.startIndex..<end]
      rest = rest[min(end + 1, rest.endIndex)...]
      if bytes.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) { try take(line, Data(bytes)) }
    }
  }

  /// The properties of an entity: texts, or entities within it.
  private struct Properties {
    let all: [String: Any]

    init(_ entity: [String: Any]) { all = entity["properties"] as? [String: Any] ?? [:] }

    /// Sorted: the publisher writes the values of a property from a set, in another order in each file, and an entry
    /// whose values only changed places would count as changed.
    func texts(_ names: String...) -> [String] {
      names.flatMap { name in (all[name] as? [Any] ?? []).compactMap { $0 as? String }.sorted() }
    }

    /// By their identifiers, for the same reason.
    func entities(_ name: String) -> [[String: Any]] {
      let entities = (all[name] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
      return entities.sorted { ($0["id"] as? String ?? "") < ($1["id"] as? String ?? "") }
    }

    /// What stands in properties other than these, with a label: a text, or the caption of an entity within it. The
    /// model grows, and what it says is kept in its own words.
    func others(than known: Set<String>) -> [(label: String, text: String)] {
      all.keys.filter { !known.contains($0) && !Self.timesOfExport.contains($0) }.sorted().flatMap { name in
        let captions = entities(name).compactMap { $0["caption"] as? String ?? $0["id"] as? String }
        return (texts(name) + captions).map { (Self.label(name), $0) }
      }
    }

    /// Each full address, or one of its parts.
    var addresses: [String] {
      let full = texts("full")
      guard full.isEmpty else { return full }
      let parts = ["remarks", "postOfficeBox", "street", "street2", "city", "postalCode", "region", "state", "country"]
        .flatMap { texts($0) }
      return [parts.joined(separator: ", ")]
    }

    /// With every file they would make another entry of each, and open its cases again.
    private static let timesOfExport: Set<String> = ["retrievedAt", "indexUpdatedAt"]

    /// `birthCountry` as `Birth country`.
    private static func label(_ name: String) -> String {
      let words = name.map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
      return words.prefix(1).uppercased() + words.dropFirst()
    }
  }

  private struct Reader {
    let file: String
    let countries: CountryNames
    private var drafts: [EntryDraft] = []
    private var entryLines: [Int] = []
    private var numbers: [String: Int] = [:]
    /// What other lines say of entities that may come later.
    private var sanctions: [(of: String, Properties)] = []
    private var documents: [(of: String, Properties)] = []
    private var addresses: [String: [String]] = [:]
    private var addressesOf: [(of: String, address: String)] = []
    private var latest = ""
    private var skipped: [String: Int] = [:]
    /// A sanction, a document or an address may be of many entities.
    private let limit: TextLimit

    init(file: ListReader.File, countries: CountryNames) {
      (self.file, self.countries, limit) = (file.name, countries, TextLimit(file))
    }

    mutating func take(_ bytes: Data, line: Int) throws(ListFault) {
      let value: Any
      do { value = try JSONSerialization.jsonObject(with: bytes) } catch {
        throw ListFault(file: file, line: line, reason: "the line is not a JSON object")
      }
      guard let entity = value as? [String: Any], let id = entity["id"] as? String, !id.isEmpty,
        let schema = entity["schema"] as? String, entity["properties"] is [String: Any]
      else { throw ListFault(file: file, line: line, reason: "the line is no entity: id, schema, properties") }
      guard drafts.count < ListReader.entriesMax else {
        throw ListFault(file: file, line: line, reason: "the list has too many entries")
      }
      latest = max(latest, entity["last_change"] as? String ?? "")
      let properties = Properties(entity)
      switch schema {
      case "Sanction": sanctions += properties.texts("entity").map { ($0, properties) }
      case "Passport", "Identification": documents += properties.texts("holder").map { ($0, properties) }
      case "Address": addresses[id] = properties.addresses
      case "Person", "Organization", "Company", "PublicBody", "LegalEntity", "Vessel", "Airplane":
        // Who is only named beside a listed one is not listed.
        guard entity["target"] as? Bool != false || !properties.texts("topics").isEmpty else { return }
        guard let draft = draft(id, schema, entity, properties) else {
          return skipped[ListReader.unnamed, default: 0] += 1
        }
        numbers[id] = drafts.count
        drafts.append(draft)
        entryLines.append(line)
      // Ownership, family, positions and the like tie entities together; they are not entries. A listed wallet or
      // security has no name to be searched for.
      default:
        let isListed = entity["target"] as? Bool ?? properties.texts("topics").contains { $0.hasPrefix("sanction") }
        guard isListed else { return }
        let name = schema.filter { $0.isASCII && $0.isLetter }.prefix(64)
        let isNamed = !name.isEmpty && (skipped[String(name)] != nil || skipped.count < Self.schemataMax)
        skipped[isNamed ? String(name) : "other", default: 0] += 1
      }
    }

    /// Schemata that are counted apart.
    private static let schemataMax = 20

    mutating func finish() -> ListReader.Parsed {
      for (id, properties) in sanctions { if let number = numbers[id] { add(sanction: properties, to: number) } }
      for (id, properties) in documents { if let number = numbers[id] { add(document: properties, to: number) } }
      for (id, address) in addressesOf {
        guard let number = numbers[id] else { continue }
        for text in addresses[address] ?? [] { drafts[number].add(address: [text]) }
      }
      return ListReader.Parsed(
        drafts: drafts, version: latest.isEmpty ? nil : String(latest.prefix(10)), lines: entryLines, skipped: skipped)
    }

    private mutating func draft(
      _ id: String, _ schema: String, _ entity: [String: Any], _ properties: Properties
    ) -> EntryDraft? {
      var draft = EntryDraft(id, limit: limit)
      draft.kind = OpenSanctionsTable.kind(ofSchema: schema)
      if let caption = entity["caption"] as? String, properties.texts("name").contains(caption) || caption != id {
        draft.add(name: caption, isMain: true, countries)
      }
      for name in properties.texts("name", "alias", "previousName") { draft.add(name: name, countries) }
      for name in properties.texts("previousName") { draft.note(name: name, called: "fka") }
      for name in properties.texts("weakAlias", "abbreviation") { draft.add(name: name, isWeak: true, countries) }
      if !draft.hasName {
        draft.add(
          name: EntryDraft.personName(
            family: properties.texts("lastName").first ?? "",
            given: Array(properties.texts("firstName").prefix(1) + properties.texts("middleName").prefix(1))),
          countries)
      }
      guard draft.hasName else { return nil }
      for date in properties.texts("birthDate") { draft.add(birth: date) }
      for place in properties.texts("birthPlace") { draft.add(placeOfBirth: [place]) }
      for country in properties.texts("nationality", "citizenship", "country", "jurisdiction", "flag", "mainCountry") {
        draft.add(country: country, label: "Country", countries)
      }
      let sexes = properties.texts("gender")
      if Set(sexes).count == 1 {
        draft.add(sex: sexes[0])
      } else {
        // Two say nothing that a customer could contradict.
        for sex in sexes { draft.add(remark: sex, "Gender") }
      }
      for (name, type) in numberTypes {
        for number in properties.texts(name) { draft.add(number: number, type: type, countries) }
      }
      for address in properties.texts("address") { draft.add(address: [address]) }
      for topic in properties.texts("topics") { draft.add(topic: topic) }
      for programme in properties.texts("programId", "program") { draft.add(programme: programme) }
      for (name, label) in remarks { for text in properties.texts(name) { draft.add(remark: text, label) } }
      for (label, text) in properties.others(than: known) { draft.add(remark: text, label) }
      // Which of a collection's lists name it; the publisher writes them from a set too.
      for list in (entity["datasets"] as? [String] ?? []).sorted() { draft.add(remark: list, "Dataset") }
      addressesOf += properties.texts("addressEntity").map { (id, $0) }
      add(nested: properties, to: &draft)
      return draft
    }

    /// Entities within the entity.
    private func add(nested properties: Properties, to draft: inout EntryDraft) {
      for address in properties.entities("addressEntity") {
        for text in Properties(address).addresses { draft.add(address: [text]) }
      }
      for sanction in properties.entities("sanctions") { add(sanction: Properties(sanction), to: &draft) }
      for document in properties.entities("passports")
        + properties.entities("identification")
      {
        add(document: Properties(document), to: &draft)
      }
    }

    private mutating func add(sanction: Properties, to number: Int) { add(sanction: sanction, to: &drafts[number]) }

    private mutating func add(document: Properties, to number: Int) { add(document: document, to: &drafts[number]) }

    private func add(sanction: Properties, to draft: inout EntryDraft) {
      for programme in sanction.texts("programId", "program") { draft.add(programme: programme) }
      for (name, label) in sanctionRemarks { for text in sanction.texts(name) { draft.add(remark: text, label) } }
      for (label, text) in sanction.others(than: knownOfSanction) {
        draft.add(remark: text, "Sanction, \(label.lowercased())")
      }
    }

    private func add(document: Properties, to draft: inout EntryDraft) {
      let (types, lands) = (document.texts("type"), document.texts("country"))
      for number in document.texts("number") {
        draft.add(number: number, type: types.first ?? "", country: lands.first ?? "", countries)
      }
      let number = document.texts("number").first ?? ""
      // A number has one type and one country; others, and those of a document without a number, are remarks.
      let kept = number.isEmpty ? 0 : 1
      for type in types.dropFirst(kept) { draft.add(remark: type, ofDocument: number, "type") }
      for land in lands.dropFirst(kept) { draft.add(remark: land, ofDocument: number, "issued in") }
      for (name, what) in documentRemarks {
        for text in document.texts(name) { draft.add(remark: text, ofDocument: number, what) }
      }
      for (label, text) in document.others(than: knownOfDocument) {
        draft.add(remark: text, ofDocument: number, label.lowercased())
      }
    }
  }

  private static let sanctionRemarks = [
    ("authority", "Authority"), ("listingDate", "Listed on"), ("startDate", "Listed on"), ("reason", "Reason"),
    ("authorityId", "Reference of the authority"), ("unscId", "United Nations reference"),
  ]

  private static let documentRemarks = [
    ("authority", "issued by"), ("startDate", "issued on"), ("endDate", "expires on"), ("summary", ""),
  ]

  private static let knownOfSanction = Set(sanctionRemarks.map(\.0) + ["entity", "program", "programId"])

  private static let knownOfDocument = Set(documentRemarks.map(\.0) + ["holder", "number", "type", "country"])

  /// Properties of an entry that are read by name.
  private static let known = Set(
    numberTypes.map(\.0) + remarks.map(\.0) + [
      "name", "alias", "previousName", "weakAlias", "abbreviation", "birthDate", "birthPlace", "nationality",
      "citizenship", "country", "jurisdiction", "flag", "mainCountry", "gender", "address", "addressEntity", "topics",
      "program", "programId", "sanctions", "passports", "identification",
    ])

  private static let numberTypes = [
    ("passportNumber", "Passport"), ("idNumber", "Identity number"), ("taxNumber", "Tax number"),
    ("vatCode", "VAT number"), ("registrationNumber", "Registration number"),
    ("socialSecurityNumber", "Social security number"),
    ("innCode", "INN"), ("ogrnCode", "OGRN"), ("okpoCode", "OKPO"), ("kppCode", "KPP"), ("leiCode", "LEI"),
    ("dunsCode", "D-U-N-S"), ("uscCode", "Unified social credit code"), ("uniqueEntityId", "UEI"), ("npiCode", "NPI"),
    ("swiftBic", "SWIFT/BIC"), ("imoNumber", "IMO number"), ("mmsi", "MMSI"), ("callSign", "Call sign"),
    ("serialNumber", "Serial number"), ("icaoCode", "ICAO code"), ("wikidataId", "Wikidata"),
    ("licenseNumber", "Licence number"), ("cageCode", "CAGE"), ("bikCode", "BIK"), ("jibCode", "JIB"),
    ("permId", "PermID"), ("isinCode", "ISIN"), ("cikCode", "CIK"), ("giiNumber", "GIIN"), ("crsNumber", "CRS"),
  ]

  private static let remarks = [
    ("title", "Title"), ("position", "Position"), ("notes", "Remarks"), ("deathDate", "Died on"),
    ("incorporationDate", "Incorporated on"), ("dissolutionDate", "Dissolved on"), ("legalForm", "Legal form"),
    ("sector", "Sector"), ("phone", "Phone"), ("email", "E-mail"), ("website", "Website"), ("type", "Type"),
    ("buildDate", "Built on"), ("tonnage", "Tonnage"), ("pastFlags", "Former flag"), ("ethnicity", "Ethnicity"),
    ("education", "Education"), ("religion", "Religion"), ("political", "Political"), ("fatherName", "Father's name"),
    ("motherName", "Mother's name"), ("createdAt", "Listed on"), ("modifiedAt", "Updated on"),
  ]
}
