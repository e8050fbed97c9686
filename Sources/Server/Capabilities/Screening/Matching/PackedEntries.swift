// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The entries of all lists, each in a few hundred bytes: as they are kept in `ListArchive`, and beside it what every
/// search asks of them. It is a class, for a copy of a structure would count the references to all of its arrays.
final class PackedEntries: Sendable {
  struct Draft {
    fileprivate var bytes: [UInt8] = []
    fileprivate var starts: [Int] = [0]
    fileprivate var lists: [UInt16] = []
    fileprivate var orders: [Int32] = []
    fileprivate var kinds: [Facts] = []
    fileprivate var births: [PackedBirthDate] = []
    fileprivate var countries: [UInt16] = []
    fileprivate var countryNumbers: [String: UInt16] = [:]
    fileprivate var documents = KeyTable.Draft()
    fileprivate var references = KeyTable.Draft()

    /// - Parameter order: its place among the entries of all lists, as the lists have them.
    /// - Returns: the entry's number.
    mutating func add(_ entry: WatchList.Entry, list: Int, order: Int32) -> Int32 {
      let number = Int32(lists.count)
      ListArchive.append(entry, to: &bytes)
      starts.append(bytes.count)
      lists.append(UInt16(list))
      orders.append(order)
      kinds.append(
        Facts(
          firstBirth: UInt32(births.count), firstCountry: UInt32(countries.count),
          birthCount: UInt16(clamping: entry.datesOfBirth.count),
          countryCount: UInt16(clamping: entry.nationalities.count), sex: entry.sex))
      births += entry.datesOfBirth.map(PackedBirthDate.init)
      for country in entry.nationalities { countries.append(self.number(of: country)) }
      for document in entry.documentNumbers { documents.add(number, under: PackedEntries.key(document)) }
      references.add(number, under: PackedEntries.key(entry.reference))
      return number
    }

    private mutating func number(of country: String) -> UInt16 {
      if let known = countryNumbers[country] { return known }
      let number = UInt16(clamping: countryNumbers.count)
      countryNumbers[country] = number
      return number
    }
  }

  fileprivate struct Facts: Sendable {
    let firstBirth: UInt32
    let firstCountry: UInt32
    let birthCount: UInt16
    let countryCount: UInt16
    let sex: WatchList.Sex?

    var births: Range<Int> { Int(firstBirth)..<Int(firstBirth) + Int(birthCount) }
  }

  private let bytes: [UInt8]
  private let starts: [Int]
  private let lists: [UInt16]
  private let orders: [Int32]
  private let facts: [Facts]
  private let births: [PackedBirthDate]
  private let countries: [UInt16]
  private let countryNumbers: [String: UInt16]
  private let birthTable: BirthTable
  private let documents: KeyTable
  private let references: KeyTable

  /// - Parameter names: for each entry its first name, and behind the last entry how many names there are.
  init(_ draft: Draft, names: [Int32]) {
    (bytes, starts, lists, facts) = (draft.bytes, draft.starts, draft.lists, draft.kinds)
    orders = draft.orders
    (births, countries, countryNumbers) = (draft.births, draft.countries, draft.countryNumbers)
    birthTable = BirthTable(draft.births, of: draft.kinds.map(\.births), names: names)
    documents = KeyTable(draft.documents)
    references = KeyTable(draft.references)
  }

  func holdInLargePages() {
    LargePages.hold(facts)
    LargePages.hold(births)
    LargePages.hold(countries)
  }

  var count: Int { lists.count }

  /// The whole entry.
  subscript(number: Int) -> WatchList.Entry { ListArchive.entry(bytes[starts[number]..<starts[number + 1]]) }

  /// Which of the lists it is from.
  func list(of number: Int) -> Int { Int(lists[number]) }

  /// Its place among the entries of all lists, as the lists have them.
  func order(of number: Int) -> Int32 { orders[number] }

  func sex(of number: Int) -> WatchList.Sex? { facts[number].sex }

  func births(of number: Int) -> ArraySlice<PackedBirthDate> { births[facts[number].births] }

  /// Reads what every search asks of an entry, for `ScreeningIndex.fetchFacts`.
  func fetchFacts(_ number: Int) -> Int { Int(facts[number].firstBirth) }

  /// The same of its dates of birth and its countries.
  func fetchBirths(_ number: Int) -> Int {
    let facts = facts[number]
    return (facts.birthCount > 0 ? births[Int(facts.firstBirth)].firstYear : 0)
      &+ (facts.countryCount > 0 ? Int(countries[Int(facts.firstCountry)]) : 0)
  }

  /// Numbers of nationalities and countries.
  func countries(of number: Int) -> ArraySlice<UInt16> {
    let first = Int(facts[number].firstCountry)
    return countries[first..<first + Int(facts[number].countryCount)]
  }

  /// Names of entries born on a day that agrees with another but for a slip, and some others. Some repeat.
  func forEach(bornAbout date: BirthDate, _ body: (Range<Int32>) -> Void) {
    birthTable.forEachAgreeing(with: date, body)
  }

  /// Names of entries with a date that is no day and agrees with another as far as both are known, and some others.
  /// Some repeat.
  func forEach(bornVaguelyAbout date: BirthDate, _ body: (Range<Int32>) -> Void) {
    birthTable.forEachVague(with: date, body)
  }

  /// About how many these are.
  func count(bornVaguelyAbout date: BirthDate) -> Int { birthTable.vagueCount(with: date) }

  /// Names of entries that were born on the same day, when both days are known.
  func forEach(bornOn date: BirthDate, _ body: (Range<Int32>) -> Void) {
    birthTable.forEach(bornOn: date, body)
  }

  /// The number under which the entries have a country; nil when no entry has it.
  func number(ofCountry alpha3: String) -> UInt16? { countryNumbers[alpha3] }

  /// - Parameter document: letters and digits, upper case.
  func numbers(withDocument document: String) -> [Int32] {
    var found: [Int32] = []
    documents.forEach(of: Self.key(document)) { number in
      if self[Int(number)].documentNumbers.contains(document) { found.append(number) }
    }
    return found
  }

  func numbers(withReference reference: String) -> [Int32] {
    var found: [Int32] = []
    references.forEach(of: Self.key(reference)) { number in
      if self[Int(number)].reference == reference { found.append(number) }
    }
    return found.sorted { orders[Int($0)] < orders[Int($1)] }
  }

  private static func key(_ text: String) -> UInt64 { KeyTable.hash(text.utf8, salt: 0) }
}
