// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// OFAC's lists in the classic XML (`SDN.XML`, `CONSOLIDATED.XML`, schema `sdnList`).
enum OFACList {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    // The element is spelled like this in the schema.
    try ListElements.read(file, records: ["publshInformation", "sdnEntry"]) { element throws(ListFault) in
      if element.name == "publshInformation" {
        parsed.version = day(element.value("Publish_Date"))
      } else {
        parsed.drafts.append(draft(element, countries))
        parsed.lines.append(element.line)
      }
    }
    return parsed
  }

  private static func draft(_ element: ListElement, _ countries: CountryNames) -> EntryDraft {
    var draft = EntryDraft(element.value("uid"))
    draft.kind = kind(element.value("sdnType"))
    draft.add(name: name(element, draft.kind), isMain: true, countries)
    for alias in element.all("akaList", "aka") {
      draft.add(name: name(alias, draft.kind), isWeak: alias.value("category").lowercased() == "weak", countries)
      draft.note(name: name(alias, draft.kind), called: alias.value("type"))
    }
    for programme in element.all("programList", "program") { draft.add(programme: programme.text) }
    for date in element.all("dateOfBirthList", "dateOfBirthItem") { draft.add(birth: date.value("dateOfBirth")) }
    for place in element.all("placeOfBirthList", "placeOfBirthItem") {
      draft.add(placeOfBirth: [place.value("placeOfBirth")])
    }
    for country in element.all("nationalityList", "nationality") + element.all("citizenshipList", "citizenship") {
      draft.add(country: country.value("country"), countries)
    }
    for id in element.all("idList", "id") {
      add(id: id.value("idNumber"), type: id.value("idType"), country: id.value("idCountry"), to: &draft, countries)
      draft.add(remark: id.value("issueDate"), ofDocument: id.value("idNumber"), "issued on")
      draft.add(remark: id.value("expirationDate"), ofDocument: id.value("idNumber"), "expires on")
    }
    for address in element.all("addressList", "address") {
      draft.add(
        address: ["address1", "address2", "address3", "city", "stateOrProvince", "postalCode", "country"]
          .map(address.value))
      if draft.kind != .person { draft.add(country: address.value("country"), label: "Country", countries) }
    }
    if let vessel = element.first("vesselInfo") {
      draft.add(number: vessel.value("callSign"), type: "Call sign", countries)
      draft.add(country: vessel.value("vesselFlag"), label: "Flag", countries)
      for (name, label) in [
        ("vesselType", "Type of vessel"), ("vesselOwner", "Owner"), ("tonnage", "Tonnage"),
        ("grossRegisteredTonnage", "Gross registered tonnage"),
      ] {
        draft.add(remark: vessel.value(name), label)
      }
    }
    draft.add(remark: element.value("title"), "Title")
    draft.add(remark: element.value("remarks"), "Remarks")
    // An element that a later edition brings is kept in its own words.
    for (label, text) in element.others(than: known) { draft.add(remark: text, label) }
    return draft
  }

  /// Elements that are read, and the publisher's own numbers and marks of order, which are left out.
  private static let known: Set<String> = [
    "uid", "mainEntry", "sdnType", "firstName", "lastName", "title", "remarks", "akaList", "aka", "type", "category",
    "programList", "program", "dateOfBirthList", "dateOfBirthItem", "dateOfBirth", "placeOfBirthList",
    "placeOfBirthItem", "placeOfBirth", "nationalityList", "nationality", "citizenshipList", "citizenship", "country",
    "idList", "id", "idType", "idNumber", "idCountry", "issueDate", "expirationDate", "addressList", "address",
    "address1", "address2", "address3", "city", "stateOrProvince", "postalCode", "vesselInfo", "callSign",
    "vesselType", "vesselFlag", "vesselOwner", "tonnage", "grossRegisteredTonnage",
  ]

  private static func name(_ element: ListElement, _ kind: WatchList.Kind) -> String {
    kind == .person
      ? EntryDraft.personName(family: element.value("lastName"), given: [element.value("firstName")])
      : [element.value("firstName"), element.value("lastName")].joined(separator: " ")
  }

  static func kind(_ text: String) -> WatchList.Kind {
    switch text.lowercased() {
    case "individual": .person
    case "entity": .organisation
    case "vessel": .vessel
    case "aircraft": .aircraft
    default: .unspecified
    }
  }

  /// OFAC keeps sex, websites and notes among the identity numbers.
  static func add(
    id: String, type: String, country: String, to draft: inout EntryDraft, _ countries: CountryNames
  ) {
    if type.lowercased() == "gender" { return draft.add(sex: id) }
    if isNumber(type) {
      draft.add(number: id, type: type, country: country, countries)
    } else {
      let label = type.trimmingCharacters(in: CharacterSet(charactersIn: " :-"))
      draft.add(remark: id, country.isEmpty ? label : "\(label) (\(country))")
    }
  }

  /// Whether what OFAC keeps under a type is a number by which someone is known.
  static func isNumber(_ type: String) -> Bool {
    let words = type.lowercased()
    return ![
      "sanction", "executive order", "website", "email", "e-mail", "date", "type", "nationality", "information",
      "determination", "phone", "fax", "prohibited", "issuer", "model", "operator", "owner", "flag", "tonnage", "year",
    ].contains { words.contains($0) }
  }

  /// `09/26/2026`, as the publisher writes days, as `2026-09-26`.
  private static func day(_ text: String) -> String? {
    let parts = text.split(separator: "/").compactMap { Int($0) }
    guard parts.count == 3 else { return text.isEmpty ? nil : text }
    return CalendarDate(year: parts[2], month: parts[0], day: parts[1])?.isoText
  }
}
