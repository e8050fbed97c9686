// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The consolidated list of the United Nations Security Council, XML.
enum UNList {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var parsed = ListReader.Parsed(drafts: [])
    try ListElements.read(file, records: ["INDIVIDUAL", "ENTITY"]) { attributes in
      parsed.version = attributes["dateGenerated"].map { String($0.prefix(10)) }
    } _: { element throws(ListFault) in
      parsed.drafts.append(draft(element, countries))
      parsed.lines.append(element.line)
    }
    return parsed
  }

  private static func draft(_ element: ListElement, _ countries: CountryNames) -> EntryDraft {
    let reference = element.value("REFERENCE_NUMBER")
    var draft = EntryDraft(reference.isEmpty ? element.value("DATAID") : reference)
    draft.kind = element.name == "INDIVIDUAL" ? .person : .organisation
    // The list does not tell which of the parts is a family name.
    let parts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"].map(element.value)
    draft.add(name: parts.joined(separator: " "), isMain: true)
    draft.add(name: element.value("NAME_ORIGINAL_SCRIPT"))
    draft.add(sex: element.value("GENDER"))
    draft.add(programme: element.value("UN_LIST_TYPE"))
    let prefix = element.name
    for alias in element.all("\(prefix)_ALIAS") { add(alias, to: &draft) }
    for nationality in element.all("NATIONALITY") + element.all("NATIONALITY2") {
      for value in values(nationality) { draft.add(country: value, countries) }
    }
    for date in element.all("\(prefix)_DATE_OF_BIRTH") { add(birth: date, to: &draft) }
    for place in element.all("\(prefix)_PLACE_OF_BIRTH") {
      draft.add(placeOfBirth: ["CITY", "STATE_PROVINCE", "COUNTRY"].map(place.value))
      draft.add(remark: place.value("NOTE"), "Place of birth")
    }
    for document in element.all("\(prefix)_DOCUMENT") { add(document: document, to: &draft, countries) }
    for address in element.all("\(prefix)_ADDRESS") {
      draft.add(address: ["STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY"].map(address.value))
      draft.add(remark: address.value("NOTE"), "Address")
      if draft.kind != .person { draft.add(country: address.value("COUNTRY"), label: "Country", countries) }
    }
    for (label, list) in [("Title", "TITLE"), ("Designation", "DESIGNATION"), ("Updated on", "LAST_DAY_UPDATED")] {
      for value in element.all(list).flatMap(values) { draft.add(remark: value, label) }
    }
    draft.add(remark: element.value("LISTED_ON"), "Listed on")
    draft.add(remark: element.value("SUBMITTED_BY"), "Submitted by")
    draft.add(remark: element.value("SUBMITTED_ON"), "Submitted on")
    draft.add(remark: element.value("DELISTED_ON"), "Delisted on")
    draft.add(remark: element.value("COMMENTS1"), "Comments")
    return draft
  }

  /// A list of values, or the one that stands alone, as that of `NATIONALITY2` does.
  private static func values(_ list: ListElement) -> [String] {
    let values = list.all("VALUE").map(\.text)
    return values.isEmpty ? [list.text] : values
  }

  private static func add(_ alias: ListElement, to draft: inout EntryDraft) {
    let quality = alias.value("QUALITY").lowercased()
    for name in alias.value("ALIAS_NAME").split(separator: ";") {
      draft.add(name: String(name), isWeak: quality == "low")
      draft.note(name: String(name), called: quality)
    }
    draft.add(birth: alias.value("DATE_OF_BIRTH"))
    draft.add(placeOfBirth: ["CITY_OF_BIRTH", "COUNTRY_OF_BIRTH"].map(alias.value))
    draft.add(remark: alias.value("NOTE"), "Alias")
  }

  /// `TYPE_OF_DATE` is EXACT, APPROXIMATELY or BETWEEN; a year may stand alone.
  private static func add(birth element: ListElement, to draft: inout EntryDraft) {
    let isApproximate = element.value("TYPE_OF_DATE").uppercased().hasPrefix("APPROX")
    let (from, to) = (element.value("FROM_YEAR"), element.value("TO_YEAR"))
    let day = element.value("DATE").split(separator: "T").first.map(String.init) ?? ""
    let texts =
      [day, element.value("YEAR")].filter { !$0.isEmpty }.prefix(1)
      + (from.isEmpty || to.isEmpty ? [] : ["\(from)/\(to)"])
    for text in texts { draft.add(birth: isApproximate ? "circa \(text)" : text) }
    if from.isEmpty != to.isEmpty { draft.add(birth: isApproximate ? "circa \(from + to)" : from + to) }
    draft.add(remark: element.value("NOTE"), "Date of birth")
  }

  private static func add(document: ListElement, to draft: inout EntryDraft, _ countries: CountryNames) {
    let types = ["TYPE_OF_DOCUMENT", "TYPE_OF_DOCUMENT2"].map(document.value).filter { !$0.isEmpty }
    let lands = ["ISSUING_COUNTRY", "COUNTRY_OF_ISSUE"].map(document.value).filter { !$0.isEmpty }
    let number = document.value("NUMBER")
    draft.add(number: number, type: types.first ?? "", country: lands.first ?? "", countries)
    for (label, name) in [
      ("issued on", "DATE_OF_ISSUE"), ("expires on", "DATE_OF_EXPIRY"), ("issued in", "CITY_OF_ISSUE"),
      ("note", "NOTE"),
    ] {
      draft.add(remark: document.value(name), ofDocument: number, label)
    }
    if types.count > 1, types[1] != types[0] { draft.add(remark: types[1], ofDocument: number, "type") }
    if lands.count > 1, lands[1] != lands[0] { draft.add(remark: lands[1], ofDocument: number, "issued in") }
  }
}
