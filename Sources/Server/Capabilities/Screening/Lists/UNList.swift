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
    draft.add(name: parts.joined(separator: " "), isMain: true, countries)
    draft.add(name: element.value("NAME_ORIGINAL_SCRIPT"), countries)
    draft.add(sex: element.value("GENDER"))
    draft.add(programme: element.value("UN_LIST_TYPE"))
    let prefix = element.name
    for alias in element.all("\(prefix)_ALIAS") { add(alias, to: &draft, countries) }
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
    // An element that a later edition brings is kept in its own words.
    for (label, text) in element.others(than: known) { draft.add(remark: text, label) }
    return draft
  }

  /// Elements that are read, and the publisher's own numbers, sort keys and kind of list, which are left out.
  private static let known: Set<String> = [
    "DATAID", "VERSIONNUM", "SORT_KEY", "SORT_KEY_LAST_MOD", "LIST_TYPE", "VALUE", "REFERENCE_NUMBER", "FIRST_NAME",
    "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME", "NAME_ORIGINAL_SCRIPT", "GENDER", "UN_LIST_TYPE", "NATIONALITY",
    "NATIONALITY2", "TITLE", "DESIGNATION", "LAST_DAY_UPDATED", "LISTED_ON", "SUBMITTED_BY", "SUBMITTED_ON",
    "DELISTED_ON", "COMMENTS1", "INDIVIDUAL_ALIAS", "ENTITY_ALIAS", "QUALITY", "ALIAS_NAME", "DATE_OF_BIRTH",
    "CITY_OF_BIRTH", "COUNTRY_OF_BIRTH", "NOTE", "INDIVIDUAL_DATE_OF_BIRTH", "ENTITY_DATE_OF_BIRTH", "TYPE_OF_DATE",
    "DATE", "YEAR", "FROM_YEAR", "TO_YEAR", "INDIVIDUAL_PLACE_OF_BIRTH", "ENTITY_PLACE_OF_BIRTH", "CITY",
    "STATE_PROVINCE", "COUNTRY", "INDIVIDUAL_ADDRESS", "ENTITY_ADDRESS", "STREET", "ZIP_CODE", "INDIVIDUAL_DOCUMENT",
    "ENTITY_DOCUMENT", "TYPE_OF_DOCUMENT", "TYPE_OF_DOCUMENT2", "NUMBER", "ISSUING_COUNTRY", "COUNTRY_OF_ISSUE",
    "DATE_OF_ISSUE", "DATE_OF_EXPIRY", "CITY_OF_ISSUE",
  ]

  /// A list of values, or the one that stands alone, as that of `NATIONALITY2` does.
  private static func values(_ list: ListElement) -> [String] {
    let values = list.all("VALUE").map(\.text)
    return values.isEmpty ? [list.text] : values
  }

  private static func add(_ alias: ListElement, to draft: inout EntryDraft, _ countries: CountryNames) {
    let quality = alias.value("QUALITY").lowercased()
    let names = alias.value("ALIAS_NAME")
    for name in names.split(separator: ";") {
      draft.add(name: String(name), isWeak: quality == "low", countries)
      draft.note(name: String(name), called: quality)
    }
    if BracketedName.Letters(names) == .other {
      for name in readings(alias.value("NOTE"), countries) {
        draft.add(name: name, isWeak: quality == "low", countries)
      }
    }
    draft.add(birth: alias.value("DATE_OF_BIRTH"))
    draft.add(placeOfBirth: ["CITY_OF_BIRTH", "COUNTRY_OF_BIRTH"].map(alias.value))
    draft.add(remark: alias.value("NOTE"), "Alias")
  }

  /// How an alias in other than Latin letters is read, as its note may say: `Tamsyn Okavelloe; Tamsin al-Okavello`.
  /// - Returns: none when the note says anything else, such as `previously listed as`.
  private static func readings(_ note: String, _ countries: CountryNames) -> [String] {
    let readings = note.split(separator: ";").map { EntryDraft.line(String($0)) }.filter { !$0.isEmpty }
    let isNames = readings.allSatisfy { reading in
      let words = reading.split(separator: " ")
      guard wordsOfRemarks.isDisjoint(with: words.map { $0.lowercased() }) else { return false }
      return (2...8).contains(words.count) && words.allSatisfy(isOfName) && words[0].first?.isUppercase == true
        && BracketedName.Letters(reading) == .latin && countries.alpha3(reading) == nil
    }
    return isNames ? readings : []
  }

  /// Which words tell a remark from a name where both are written with capitals, as in `PREVIOUSLY LISTED AS`. Words of
  /// which names are made, such as `Korean`, `Quality` and `Alias`, are not among them: a name that is not searched for
  /// is worse than a remark that is.
  private static let wordsOfRemarks: Set<String> = [
    "also", "birth", "cyrillic", "deceased", "died", "formerly", "killed", "known", "language", "listed", "name",
    "previously", "reported", "reportedly", "script", "spelling", "transliteration", "unknown", "used", "variant",
  ]

  /// Whether a word may be part of a name: one with a capital, or a particle such as `bin` and `al-`.
  private static func isOfName(_ word: Substring) -> Bool {
    guard word.allSatisfy({ $0.isLetter || "-'’`.,".contains($0) }) else { return false }
    if word.first?.isUppercase == true { return true }
    return ["bin", "ibn", "bint", "ben", "al", "el", "ul", "ur", "ould", "abu"].contains(word)
      || word.prefixMatch(of: /\p{Ll}{1,4}-\p{Lu}/) != nil
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
    // Where nothing else is said, the note may be the date: `Nov. 1973`.
    let note = element.value("NOTE")
    let noted = isApproximate ? "circa \(note)" : note
    if texts.isEmpty, from.isEmpty, to.isEmpty, BirthDate(noted) != nil {
      draft.add(birth: noted)
    } else {
      draft.add(remark: note, "Date of birth")
    }
  }

  /// The number behind what it is, as in `national identity card (tazkira) number 44103-525`: with the words, no
  /// customer's number would be the same.
  /// - Returns: all of the text when it is anything else.
  private static func number(in written: String) -> String {
    // A number has no small letter, so that the last one ends the words. An expression that looked for the number from
    // each place took the square of a long text's length.
    guard let last = written.lastIndex(where: { $0.isLetter && $0.isLowercase }) else { return written }
    let words = written[...last].split(separator: " ", omittingEmptySubsequences: false)
    guard let end = words.last, ["number", "no"].contains(end.lowercased()),
      words.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isLetter || "()".contains($0) } })
    else { return written }
    var rest = written[written.index(after: last)...]
    if end.count == 2, rest.first == "." { rest.removeFirst() }
    let number = rest.drop { " :".contains($0) }
    guard number.startIndex > rest.startIndex, number.contains(where: \.isNumber) else { return written }
    return String(number)
  }

  private static func add(document: ListElement, to draft: inout EntryDraft, _ countries: CountryNames) {
    let types = ["TYPE_OF_DOCUMENT", "TYPE_OF_DOCUMENT2"].map(document.value).filter { !$0.isEmpty }
    let lands = ["ISSUING_COUNTRY", "COUNTRY_OF_ISSUE"].map(document.value).filter { !$0.isEmpty }
    let written = document.value("NUMBER")
    let number = self.number(in: written)
    draft.add(number: number, type: types.first ?? "", country: lands.first ?? "", countries)
    if number != written { draft.add(remark: written, ofDocument: number, "written as") }
    if number.isEmpty {
      draft.add(remark: types.first ?? "", ofDocument: number, "type")
      draft.add(remark: lands.first ?? "", ofDocument: number, "issued in")
    }
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
