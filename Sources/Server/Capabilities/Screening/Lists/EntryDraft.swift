// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// An entry while its list is read: every format adds what it finds, in any order, as often as it finds it.
struct EntryDraft {
  let reference: String
  var kind = WatchList.Kind.unspecified
  var sex: WatchList.Sex?
  private var main: String?
  private var names = Distinct<String>()
  private var weakNames = Distinct<String>()
  private var births = Distinct<BirthDate>()
  private var places = Distinct<String>()
  private var nationalities: Set<String> = []
  private var identifiers = Distinct<WatchList.IdentityNumber>()
  private var programmes = Distinct<String>()
  private var addresses = Distinct<String>()
  private var topics = Distinct<String>()
  private var remarks = Distinct<String>()

  init(_ reference: String) { self.reference = reference }

  /// Whether any name was added.
  var hasName: Bool { !names.all.isEmpty || !weakNames.all.isEmpty }

  /// - Parameter isMain: the list's own first choice; the last one that is called so counts.
  mutating func add(name: String, isWeak: Bool = false, isMain: Bool = false) {
    let name = Self.line(name)
    guard !name.isEmpty else { return }
    if isMain { main = name }
    if isWeak { weakNames.add(name) } else { names.add(name) }
  }

  /// A date as the list writes it.
  mutating func add(birth text: String) {
    let text = Self.line(text)
    guard !text.isEmpty else { return }
    if let date = BirthDate(text) { births.add(date) } else { remarks.add("Date of birth: \(text)") }
  }

  /// A date in parts. What is no date of the calendar is kept as the list writes it.
  mutating func add(birth date: BirthDate?, text: @autoclosure () -> String) {
    if let date { return births.add(date) }
    let text = Self.line(text())
    if !text.isEmpty { remarks.add("Date of birth: \(text)") }
  }

  /// Parts of a place, from the closest to the widest.
  mutating func add(placeOfBirth parts: [String]) { places.add(line: Self.joined(parts)) }

  mutating func add(address parts: [String]) { addresses.add(line: Self.joined(parts)) }

  /// - Parameter label: what it is called in the remarks when the name of the country is not known.
  mutating func add(country: String, label: String = "Nationality", _ countries: CountryNames) {
    let country = Self.line(country)
    guard !country.isEmpty else { return }
    if let code = countries.alpha3(country) { nationalities.insert(code) } else { remarks.add("\(label): \(country)") }
  }

  mutating func add(number: String, type: String = "", country: String = "", _ countries: CountryNames) {
    let (number, type, country) = (Self.line(number), Self.line(type), Self.line(country))
    guard !number.isEmpty else { return }
    let code = countries.alpha3(country)
    identifiers.add(WatchList.IdentityNumber(type: type, number: number, country: code))
    if code == nil, !country.isEmpty { remarks.add("Issued by: \(country)") }
  }

  mutating func add(programme: String) { programmes.add(line: Self.line(programme)) }

  mutating func add(topic: String) { topics.add(line: Self.line(topic)) }

  mutating func add(remark text: String, _ label: String) {
    let text = Self.line(text)
    if !text.isEmpty { remarks.add("\(label): \(text)") }
  }

  /// What a list says of one of the entry's documents; the number tells which.
  mutating func add(remark text: String, ofDocument number: String, _ what: String = "") {
    add(remark: text, ["Document", Self.line(number), what].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// Notes that a name is a former or a newer one, as lists say with `f.k.a.`, `FKA` or `n.k.a.`.
  mutating func note(name: String, called type: String) {
    switch type.lowercased().filter(\.isLetter) {
    case "fka": add(remark: name, "Formerly known as")
    case "nka": add(remark: name, "Now known as")
    default: break
    }
  }

  mutating func add(sex text: String) {
    switch text.trimmingCharacters(in: .whitespaces).lowercased() {
    case "m", "male": sex = .male
    case "f", "female": sex = .female
    case "", "unknown", "u": break
    default: add(remark: text, "Gender")
    }
  }

  /// - Parameter topic: what it is listed for when the list does not tell.
  /// - Returns: nil without any name.
  func entry(topic: String = "sanction") -> WatchList.Entry? {
    let first = main ?? names.all.first ?? weakNames.all.first
    guard let first else { return nil }
    let strong = [first] + names.all.filter { $0 != first }
    return WatchList.Entry(
      reference: reference, kind: kind, names: strong,
      weakNames: weakNames.all.filter { !names.contains($0) && $0 != first },
      sex: sex, datesOfBirth: births.all, placesOfBirth: places.all, nationalities: nationalities,
      identifiers: identifiers.all, programmes: programmes.all, addresses: addresses.all,
      topics: topics.all.isEmpty ? [topic] : topics.all, remarks: remarks.all)
  }

  /// A person's name whose family name the list tells: `FAMILY, Given`, or the one part that there is.
  static func personName(family: String, given: [String]) -> String {
    let given = given.map(line).filter { !$0.isEmpty }.joined(separator: " ")
    let family = line(family)
    return family.isEmpty || given.isEmpty ? family + given : "\(family), \(given)"
  }

  /// Without blanks at its ends, and with one for each run of them.
  static func line(_ text: String) -> String {
    // Most texts are so already; splitting into characters takes a hundred times as long as looking at the bytes.
    var previous = UInt8(ascii: " ")
    var isLine = true
    for byte in text.utf8 {
      if byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte == 0xE3
        || (byte == 0x20 && previous == 0x20)
      {
        isLine = false
        break
      }
      previous = byte
    }
    if isLine, previous != 0x20 { return text }
    return text.split { $0.isWhitespace || $0 == "\u{0}" }.joined(separator: " ")
  }

  private static func joined(_ parts: [String]) -> String {
    parts.map(line).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// Values in the order of their first coming, each once.
private struct Distinct<Value: Hashable> {
  /// Up to so many a look at each is quicker than a set.
  private static var fewMax: Int { 12 }

  private(set) var all: [Value] = []
  private var seen: Set<Value> = []

  func contains(_ value: Value) -> Bool { seen.isEmpty ? all.contains(value) : seen.contains(value) }

  mutating func add(_ value: Value) {
    guard !contains(value) else { return }
    all.append(value)
    if all.count > Self.fewMax {
      if seen.isEmpty { seen = Set(all) } else { seen.insert(value) }
    }
  }
}

extension Distinct<String> {
  mutating func add(line: String) {
    if !line.isEmpty { add(line) }
  }
}
