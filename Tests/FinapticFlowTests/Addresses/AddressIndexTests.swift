// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic address suggestions: the index", .storeless)
struct AddressIndexTests {
  private static func address(
    _ line1: String, _ locality: String = "Toronto", _ province: CanadianProvince = .ontario, _ code: String = "M5V 3L9"
  ) throws -> KnownAddress {
    KnownAddress(
      line1: line1, locality: locality, province: province, postalCode: try #require(CanadianPostalCode(code)))
  }

  private static func index(_ addresses: [KnownAddress]) throws -> AddressIndex {
    var builder = AddressIndexBuilder()
    for address in addresses { builder.add(address) }
    return try AddressIndex(builder.finished())
  }

  private static func few() throws -> AddressIndex {
    try index([
      try address("123 Main Street"), try address("1234 Main Street"),
      try address("12 Côte-Saint-Luc", "Montréal", .quebec, "H2Y 1C6"),
      try address("9 O'Connor Lane", "Ottawa", .ontario, "K1P 1A1"), try address("7 Maintenance Way"),
    ])
  }

  @Test(
    "every word begins a word of line, town or postal code; case and accents do not count",
    arguments: [
      ("123", ["123 Main Street", "1234 Main Street"]), ("1234", ["1234 Main Street"]),
      ("123 main", ["123 Main Street", "1234 Main Street"]), ("MAIN st", ["123 Main Street", "1234 Main Street"]),
      ("cote", ["12 Côte-Saint-Luc"]), ("CÔTE-SAINT", ["12 Côte-Saint-Luc"]), ("montreal", ["12 Côte-Saint-Luc"]),
      ("h2y", ["12 Côte-Saint-Luc"]), ("H2Y1C6", ["12 Côte-Saint-Luc"]), ("h2y 1c6", ["12 Côte-Saint-Luc"]),
      ("1c6", ["12 Côte-Saint-Luc"]), ("o'con", ["9 O'Connor Lane"]), ("ottawa connor", ["9 O'Connor Lane"]),
      ("toronto ottawa", []), ("ain", []), ("zzz", []), ("12", []), ("  12  ", []), ("", []), ("...", []),
      ("main", ["123 Main Street", "1234 Main Street", "7 Maintenance Way"]),
    ])
  func search(pattern: String, lines: [String]) throws {
    #expect(try Self.few().search(pattern).map(\.line1).sorted() == lines.sorted(), "\(pattern)")
  }

  @Test("what stands behind the two hundredth Unicode scalar is not read, however few characters they seem")
  func long() throws {
    let joiners = String(repeating: "\u{200D}", count: AddressIndex.patternMax)
    #expect(try Self.few().search("main - zzz").isEmpty)
    #expect(try Self.few().search("main -\(joiners) zzz").count == 3)
  }

  @Test("words that are typed whole come first")
  func order() throws {
    let index = try Self.index(
      try (0..<40).map { try Self.address("\(1000 + $0) Mainland Street") } + [try Self.address("5 Main Street")])
    #expect(index.search("main street").first?.line1 == "5 Main Street")
    #expect(index.search("main street").count == AddressIndex.resultsMax)
  }

  @Test("ten at most, each once")
  func tenAtMost() throws {
    let index = try Self.index(try (100..<200).map { try Self.address("\($0) Main Main Mainly") })
    let found = index.search("main")
    #expect(found.count == 10 && Set(found).count == 10)
  }

  @Test("it finds what a plain look at every address finds", arguments: [1, 2, 3])
  func againstPlain(seed: UInt64) throws {
    var randomness = SeededGenerator(seed: seed)
    let words = ["ab", "abc", "abd", "b", "ba", "Élan", "Œuvre", "saint", "sainte", "st", "1", "12", "123"]
    func word() -> String { words[Int(randomness.next() % UInt64(words.count))] }
    let addresses = try (0..<300).map { _ in
      try Self.address("\(Int(randomness.next() % 300)) \(word()) \(word())", word())
    }
    let index = try Self.index(addresses)
    let known = addresses.map { (address: $0, words: $0.words) }
    for _ in 0..<300 {
      let pattern = (0..<(1 + randomness.next() % 3)).map { _ in String(word().prefix(Int(1 + randomness.next() % 4))) }
        .joined(separator: " ")
      let sought = FoldedWords.words(of: pattern)
      let plain = Set(
        known.filter { one in
          sought.allSatisfy { prefix in one.words.contains { $0.hasPrefix(prefix) } }
        }.map(\.address))
      let found = index.search(pattern)
      guard pattern.trimmingCharacters(in: .whitespaces).unicodeScalars.count >= 3 else {
        #expect(found.isEmpty)
        continue
      }
      #expect(Set(found).isSubset(of: plain), "\(pattern)")
      #expect(found.isEmpty == plain.isEmpty, "\(pattern)")
      #expect(plain.count >= 10 || Set(found) == plain, "\(pattern)")
    }
  }

  @Test("a damaged file is refused, or leads nowhere, and never out of itself")
  func damaged() throws {
    var builder = AddressIndexBuilder()
    for number in 100..<140 { builder.add(try Self.address("\(number) Main Street")) }
    let whole = builder.finished()
    for length in stride(from: 0, to: whole.count, by: 7) {
      #expect(throws: AddressIndex.Unreadable.self) { try AddressIndex(whole.prefix(length)) }
    }
    var randomness = SeededGenerator(seed: 4)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int(randomness.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: randomness.next())
      }
      guard let index = try? AddressIndex(bytes) else { continue }
      _ = index.search("main street")
      _ = index.search("1")
      _ = index.search("123 m5v")
    }
  }

  @Test("whatever is typed is looked for in peace")
  func anything() throws {
    let index = try Self.few()
    var randomness = SeededGenerator(seed: 9)
    let scalars = Array("aM1 '-éœ\u{0}\u{301}🙂\u{202E}%\"*".unicodeScalars)
    for _ in 0..<500 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int(randomness.next() % 300) { text.append(scalars[Int(randomness.next() % UInt64(scalars.count))]) }
      #expect(index.search(String(text)).count <= 10)
    }
  }
}
