// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// OFAC's lists in the Advanced Sanctions Data Model (`SDN_ADVANCED.XML`). Everything has a number there and stands in a
/// section of its own: words, places and documents before the parties, sanctions after them.
enum OFACAdvancedList {
  static func read(_ file: ListReader.File, _ countries: CountryNames) throws(ListFault) -> ListReader.Parsed {
    var reader = Reader(file: file, countries: countries)
    let records: Set<String> = [
      "DateOfIssue", "ReferenceValueSets", "Location", "IDRegDocument", "DistinctParty", "SanctionsEntry",
      "ProfileRelationship",
    ]
    try ListElements.read(file, records: records) { element throws(ListFault) in reader.take(element) }
    return reader.parsed
  }

  private struct Reader {
    let countries: CountryNames
    private(set) var parsed = ListReader.Parsed(drafts: [])
    /// The words of each set, by `AliasType` and the like and by number.
    private var words: [String: [String: String]] = [:]
    private var typeOfSubtype: [String: String] = [:]
    private var places: [String: (parts: [String], country: String)] = [:]
    private var documents: [String: [Document]] = [:]
    private var drafts: [String: Int] = [:]

    /// Words and places are named by many parties.
    private let limit: TextLimit

    init(file: ListReader.File, countries: CountryNames) {
      (self.countries, limit) = (countries, TextLimit(file))
    }

    /// A document of an identity, with what the list says of it: a text and what it is, such as `issued by`.
    private struct Document {
      let type: String
      let number: String
      let country: String
      let remarks: [(what: String, text: String)]
    }

    mutating func take(_ element: ListElement) {
      switch element.name {
      case "DateOfIssue": parsed.version = Self.date(element)?.earliest?.isoText
      case "ReferenceValueSets": for set in element.children { take(words: set) }
      case "Location": take(place: element)
      case "IDRegDocument": take(document: element)
      case "DistinctParty":
        for profile in element.all("Profile") {
          take(profile, reference: element.attribute("FixedRef"), comment: element.value("Comment"))
        }
      case "SanctionsEntry": take(sanction: element)
      case "ProfileRelationship": take(relation: element)
      default: break
      }
    }

    private func word(_ set: String, _ number: String) -> String { words[set]?[number] ?? "" }

    private mutating func take(words set: ListElement) {
      for value in set.children {
        words[value.name, default: [:]][value.attribute("ID")] = Self.word(value)
        if value.name == "PartySubType" { typeOfSubtype[value.attribute("ID")] = value.attribute("PartyTypeID") }
      }
    }

    /// A country may have a code and no name, and the text of an area is a code of OFAC's own.
    private static func word(_ value: ListElement) -> String {
      let text = EntryDraft.line(value.text)
      switch value.name {
      case "Country" where text.lowercased() == "undetermined": return ""
      case "Country" where text.isEmpty: return value.attribute("ISO2")
      case "AreaCode" where !value.attribute("Description").isEmpty: return value.attribute("Description")
      default: return text
      }
    }

    private mutating func take(place element: ListElement) {
      let parts = element.all("LocationPart").flatMap { $0.all("LocationPartValue") }.map { $0.value("Value") }
      let country = element.first("LocationCountry").map { word("Country", $0.attribute("CountryID")) } ?? ""
      let area = element.first("LocationAreaCode").map { word("AreaCode", $0.attribute("AreaCodeID")) } ?? ""
      places[element.attribute("ID")] = (parts, country.isEmpty ? area : country)
    }

    private mutating func take(document element: ListElement) {
      var remarks = [("", element.value("Comment")), ("issued by", element.value("IssuingAuthority"))]
      if let place = places[element.attribute("IssuedIn-LocationID")] {
        remarks.append(("issued in", (place.parts + [place.country]).filter { !$0.isEmpty }.joined(separator: ", ")))
      }
      for date in element.all("DocumentDate") {
        let type = word("IDRegDocDateType", date.attribute("IDRegDocDateTypeID"))
        for period in date.all("DatePeriod") { remarks.append((type.lowercased(), Self.text(of: period))) }
      }
      let validity = word("Validity", element.attribute("ValidityID"))
      if !["none", "unknown", "valid"].contains(validity.lowercased()) { remarks.append(("validity", validity)) }
      documents[element.attribute("IdentityID"), default: []].append(
        Document(
          type: word("IDRegDocType", element.attribute("IDRegDocTypeID")), number: element.value("IDRegistrationNo"),
          country: word("Country", element.attribute("IssuedBy-CountryID")), remarks: remarks))
    }

    private mutating func take(_ profile: ListElement, reference: String, comment: String) {
      let id = profile.attribute("ID")
      var draft = EntryDraft(reference.isEmpty ? id : reference, limit: limit)
      draft.kind = kind(profile.attribute("PartySubTypeID"))
      for identity in profile.all("Identity") {
        let groups = nameParts(identity)
        for alias in identity.all("Alias") {
          add(alias, groups, isPrimaryIdentity(identity), to: &draft)
          if ListElement.isTrue(identity.attribute("False")), let name = names(alias, groups, draft.kind).first {
            draft.add(remark: name, "Name of a false identity")
          }
        }
        for document in documents[identity.attribute("ID")] ?? [] {
          OFACList.add(
            id: document.number, type: document.type, country: document.country, to: &draft, countries)
          for (what, text) in document.remarks { draft.add(remark: text, ofDocument: document.number, what) }
        }
      }
      for feature in profile.all("Feature") { add(feature, to: &draft) }
      draft.add(remark: comment, "Comment")
      drafts[id] = parsed.drafts.count
      parsed.drafts.append(draft)
      parsed.lines.append(profile.line)
    }

    private func isPrimaryIdentity(_ identity: ListElement) -> Bool {
      !ListElement.isFalse(identity.attribute("Primary"))
    }

    /// The published file says what a subtype is by its word, or, where that is `Unknown`, by the type above it. The
    /// numbers are those of every edition so far, for a file without its words.
    private func kind(_ subtype: String) -> WatchList.Kind {
      let known = OFACList.kind(word("PartySubType", subtype))
      if known != .unspecified { return known }
      let above = OFACList.kind(word("PartyType", typeOfSubtype[subtype] ?? ""))
      if above != .unspecified { return above }
      return ["1": .vessel, "2": .aircraft, "3": .organisation, "4": .person][subtype] ?? .unspecified
    }

    /// What part of a name a group holds, such as `Last Name`, by the number of the group.
    private func nameParts(_ identity: ListElement) -> [String: String] {
      var parts: [String: String] = [:]
      for group in identity.all("NamePartGroups", "MasterNamePartGroup").flatMap({ $0.all("NamePartGroup") }) {
        parts[group.attribute("ID")] = word("NamePartType", group.attribute("NamePartTypeID"))
      }
      return parts
    }

    private func add(
      _ alias: ListElement, _ groups: [String: String], _ isPrimary: Bool, to draft: inout EntryDraft
    ) {
      for (number, name) in names(alias, groups, draft.kind).enumerated() {
        draft.add(
          name: name, isWeak: ListElement.isTrue(alias.attribute("LowQuality")),
          isMain: isPrimary && ListElement.isTrue(alias.attribute("Primary")) && number == 0, countries)
        draft.note(name: name, called: word("AliasType", alias.attribute("AliasTypeID")))
      }
    }

    /// A name in each of the scripts in which it is documented.
    private func names(_ alias: ListElement, _ groups: [String: String], _ kind: WatchList.Kind) -> [String] {
      alias.all("DocumentedName").map { documented in
        let parts = documented.all("DocumentedNamePart", "NamePartValue").map { value in
          (type: groups[value.attribute("NamePartGroupID")] ?? "", text: value.text)
        }
        guard kind == .person else { return parts.map(\.text).joined(separator: " ") }
        let family = parts.filter { $0.type == "Last Name" }.map(\.text)
        return EntryDraft.personName(
          family: family.joined(separator: " "), given: parts.filter { $0.type != "Last Name" }.map(\.text))
      }
    }

    private func add(_ feature: ListElement, to draft: inout EntryDraft) {
      let type = word("FeatureType", feature.attribute("FeatureTypeID"))
      for version in feature.all("FeatureVersion") {
        for period in version.all("DatePeriod") { add(period, type, to: &draft) }
        for location in version.all("VersionLocation") {
          let place = places[location.attribute("LocationID")] ?? ([], "")
          switch type.lowercased() {
          case "place of birth": draft.add(placeOfBirth: place.parts + [place.country])
          case "nationality country", "citizenship country", "vessel flag":
            draft.add(country: place.country, label: type, countries)
          case "location":
            draft.add(address: place.parts + [place.country])
            if draft.kind != .person { draft.add(country: place.country, label: "Country", countries) }
          default:
            draft.add(remark: (place.parts + [place.country]).filter { !$0.isEmpty }.joined(separator: ", "), type)
          }
        }
        for detail in version.all("VersionDetail") {
          let text = EntryDraft.line(detail.text)
          add(
            detail: text.isEmpty ? word("DetailReference", detail.attribute("DetailReferenceID")) : text, type,
            to: &draft)
        }
        draft.add(remark: version.value("Comment"), Self.label(type))
      }
    }

    /// `Additional Sanctions Information -` without what leads to its text.
    private static func label(_ type: String) -> String {
      type.trimmingCharacters(in: CharacterSet(charactersIn: " :-"))
    }

    private func add(detail text: String, _ type: String, to draft: inout EntryDraft) {
      let words = type.lowercased()
      let isNumber = [
        "call sign", "tail number", "serial number", "construction number", "transponder", "mmsi", "registration",
        "digital currency", "swift", "bik", "d-u-n-s", "imo",
      ].contains { words.contains($0) }
      switch words {
      case "gender": draft.add(sex: text)
      // Places and countries may be texts instead of numbers of places.
      case "place of birth": draft.add(placeOfBirth: [text])
      case "nationality country", "citizenship country", "vessel flag":
        draft.add(country: text, label: type, countries)
      case _ where isNumber: draft.add(number: text, type: type, countries)
      default: draft.add(remark: text, Self.label(type))
      }
    }

    /// A period is from somewhere in its start to somewhere in its end.
    private func add(_ period: ListElement, _ type: String, to draft: inout EntryDraft) {
      let (first, last) = Self.ends(of: period)
      let isApproximate = ["Start", "End"].contains {
        ListElement.isTrue(period.first($0)?.attribute("Approximate") ?? "")
      }
      let date = first.flatMap { first in BirthDate(from: first, to: last ?? first, isApproximate: isApproximate) }
      let text = Self.text(of: period)
      if type.lowercased() == "birthdate" {
        draft.add(birth: date, text: text.isEmpty ? "unreadable" : text)
      } else {
        draft.add(remark: text, type)
      }
    }

    /// From when and until when a period may be. One without an end is within what its start may be.
    private static func ends(of period: ListElement) -> (first: PartialDate?, last: PartialDate?) {
      let (start, end) = (period.first("Start"), period.first("End"))
      let last = end?.first("To") ?? end?.first("From") ?? start?.first("To")
      return (start?.first("From").flatMap(date), last.flatMap(date))
    }

    /// The first and the last day of a period, or the one day that it is.
    private static func text(of period: ListElement) -> String {
      let (first, last) = ends(of: period)
      let days = [first?.earliest, last?.latest].compactMap { $0?.isoText }
      return days.count == 2 && days[0] == days[1] ? days[0] : days.joined(separator: "/")
    }

    private static func date(_ element: ListElement) -> PartialDate? {
      func number(_ name: String) -> Int? { Int(element.value(name)).flatMap { $0 > 0 ? $0 : nil } }
      guard let year = number("Year") else { return nil }
      let month = number("Month")
      return PartialDate(year: year, month: month, day: month == nil ? nil : number("Day"))
    }

    private mutating func take(sanction element: ListElement) {
      guard let number = drafts[element.attribute("ProfileID")] else { return }
      for measure in element.all("SanctionsMeasure") {
        let type = word("SanctionsType", measure.attribute("SanctionsTypeID"))
        if type == "Program" || (type.isEmpty && measure.attribute("SanctionsTypeID") == "1") {
          parsed.drafts[number].add(programme: measure.value("Comment"))
        } else {
          parsed.drafts[number].add(remark: measure.value("Comment"), type.isEmpty ? "Measure" : type)
          // Nearly every entry is blocked; another measure may stand without a word.
          if measure.value("Comment").isEmpty, type != "Block" { parsed.drafts[number].add(remark: type, "Measure") }
        }
      }
      for event in element.all("EntryEvent") {
        let day = event.first("Date").flatMap(Self.date)?.earliest?.isoText ?? ""
        parsed.drafts[number].add(remark: day, "Listed on")
        parsed.drafts[number].add(remark: word("LegalBasis", event.attribute("LegalBasisID")), "Legal basis")
        parsed.drafts[number].add(remark: event.value("Comment"), "Listed")
      }
    }

    private mutating func take(relation element: ListElement) {
      let (from, to) = (drafts[element.attribute("From-ProfileID")], drafts[element.attribute("To-ProfileID")])
      guard let from, let to else { return }
      let word = word("RelationType", element.attribute("RelationTypeID"))
      let isFormer = ListElement.isTrue(element.attribute("Former"))
      let type = (word.isEmpty ? "Linked to" : word) + (isFormer ? " (former)" : "")
      parsed.drafts[from].add(remark: parsed.drafts[to].reference, type)
      parsed.drafts[from].add(remark: element.value("Comment"), type)
    }
  }
}
