// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// An entry while its list is read: every format adds what it finds, in any order, as often as it finds it.
struct EntryDraft {
  /// Bytes of text of one entry, as much as of one record in XML.
  static let textMax = 1 << 20
  /// Labels are columns and properties of the file too, and a long one would come again with each text.
  private static let labelMax = 128
  private static let numberInLabelMax = 64

  let reference: String
  /// Whether more is said of the entry than is kept. A list with such an entry is refused.
  private(set) var isTooLarge = false
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
  private var textCount: Int
  private let limit: TextLimit?

  /// - Parameter limit: of all entries of the file, where one text of it may be said of many entries.
  init(_ reference: String, limit: TextLimit? = nil) {
    self.reference = reference
    self.limit = limit
    textCount = reference.utf8.count
  }

  /// Whether any name was added.
  var hasName: Bool { !names.all.isEmpty || !weakNames.all.isEmpty }

  /// - Parameter isMain: the list's own first choice; the last one that is called so counts.
  mutating func add(
    name: String, isWeak: Bool = false, isMain: Bool = false, _ countries: CountryNames
  ) {
    let name = Self.line(name)
    guard !name.isEmpty else { return }
    if isMain { main = name }
    // As it is listed, and each of the names in it.
    for name in [name] + BracketedName.names(in: name, countries) {
      count(name, isNew: isWeak ? weakNames.add(name) : names.add(name))
    }
  }

  /// A date as the list writes it.
  mutating func add(birth text: String) {
    let text = Self.line(text)
    guard !text.isEmpty else { return }
    if let date = Self.date(text) {
      births.add(date)
    } else {
      add(remark: text, "Date of birth")
    }
  }

  private static func date(_ text: String) -> BirthDate? { BirthDate(text) ?? BirthDate(day(text)) }

  /// Whether a text is a date of birth that could be compared.
  static func isDate(_ text: String) -> Bool { date(line(text)) != nil }

  /// Without the zone and the midnight that `xs:date` and `xs:dateTime` may have: `1971-03-04+01:00` is a day. Another
  /// time of day than midnight may belong to the day before or after, and stays.
  private static func day(_ text: String) -> String {
    text.replacing(/(\d{4}-\d\d-\d\d)(?:T00:00(?::00(?:\.0+)?)?)?(?:Z|[+-]\d\d:\d\d)?/) { $0.output.1 }
  }

  /// A date in parts. What is no date of the calendar is kept as the list writes it.
  mutating func add(birth date: BirthDate?, text: @autoclosure () -> String) {
    if let date { births.add(date) } else { add(remark: text(), "Date of birth") }
  }

  /// Parts of a place, from the closest to the widest.
  mutating func add(placeOfBirth parts: [String]) {
    let place = joined(parts)
    if accepts(place) { count(place, isNew: places.add(place)) }
  }

  mutating func add(address parts: [String]) {
    let address = joined(parts)
    if accepts(address) { count(address, isNew: addresses.add(address)) }
  }

  /// - Parameter label: what it is called in the remarks when the name of the country is not known.
  mutating func add(country: String, label: String = "Nationality", _ countries: CountryNames) {
    let country = isFull ? "" : Self.line(country)
    guard !country.isEmpty else { return }
    if let code = countries.alpha3(country) { nationalities.insert(code) } else { add(remark: country, label) }
  }

  mutating func add(number: String, type: String = "", country: String = "", _ countries: CountryNames) {
    guard !isFull else { return }
    let (number, type, country) = (Self.line(number), Self.line(type), Self.line(country))
    guard !number.isEmpty, accepts(number), type.isEmpty || accepts(type) else { return }
    let code = countries.alpha3(country)
    let isNew = identifiers.add(WatchList.IdentityNumber(type: type, number: number, country: code))
    count(number, isNew: isNew)
    count(type, isNew: isNew)
    if code == nil { add(remark: country, "Issued by") }
  }

  mutating func add(programme: String) {
    let programme = Self.line(programme)
    if accepts(programme) { count(programme, isNew: programmes.add(programme)) }
  }

  mutating func add(topic: String) {
    let topic = Self.line(topic)
    if accepts(topic) { count(topic, isNew: topics.add(topic)) }
  }

  mutating func add(remark text: String, _ label: String) {
    guard !isFull else { return }
    let text = Self.line(text)
    guard accepts(text) else { return }
    let remark = "\(Self.beginning(of: Self.line(label), Self.labelMax)): \(text)"
    count(remark, isNew: remarks.add(remark))
  }

  /// What a list says of one of the entry's documents; the number tells which.
  mutating func add(remark text: String, ofDocument number: String, _ what: String = "") {
    guard !text.isEmpty, !isFull else { return }
    let number = Self.beginning(of: Self.line(number), Self.numberInLabelMax)
    add(remark: text, ["Document", number, what].filter { !$0.isEmpty }.joined(separator: " "))
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

  private func joined(_ parts: [String]) -> String {
    isFull ? "" : parts.map(Self.line).filter { !$0.isEmpty }.joined(separator: ", ")
  }

  private static func beginning(of text: String, _ max: Int) -> String {
    text.utf8.count <= max ? text : String(text.prefix(max))
  }

  /// Whether no more is kept: then nothing more is copied either.
  private var isFull: Bool { isTooLarge || limit?.isSpent == true }

  /// Whether a text is kept. What is said of many entries counts for each, and each time that it is said. Names are
  /// said of one entry only.
  private mutating func accepts(_ text: String) -> Bool {
    guard !text.isEmpty else { return false }
    limit?.spend(text.utf8.count)
    if limit?.isSpent == true || text.utf8.count > Self.textMax { isTooLarge = true }
    return !isTooLarge
  }

  /// Tables repeat texts in each row of an entry; one that is there counts once.
  private mutating func count(_ text: String, isNew: Bool) {
    guard isNew else { return }
    textCount += text.utf8.count
    if textCount > Self.textMax { isTooLarge = true }
  }
}

/// How much text the entries of a file may have together. In some forms a text is said of many entries by their
/// numbers, so that a small file could ask for any memory.
final class TextLimit {
  /// Times the bytes of the file, above what small files have.
  private static let timesMax = 16
  private static let atLeast = 64 << 20

  private var left: Int

  init(_ file: ListReader.File) { left = Self.atLeast + Self.timesMax * file.bytes.count }

  var isSpent: Bool { left < 0 }

  func spend(_ count: Int) { left -= count }
}

/// Values in the order of their first coming, each once.
private struct Distinct<Value: Hashable> {
  /// Up to so many a look at each is quicker than a set.
  private static var fewMax: Int { 12 }

  private(set) var all: [Value] = []
  private var seen: Set<Value> = []

  func contains(_ value: Value) -> Bool { seen.isEmpty ? all.contains(value) : seen.contains(value) }

  /// - Returns: whether it was not there.
  @discardableResult
  mutating func add(_ value: Value) -> Bool {
    guard !contains(value) else { return false }
    all.append(value)
    if all.count > Self.fewMax {
      if seen.isEmpty { seen = Set(all) } else { seen.insert(value) }
    }
    return true
  }
}
