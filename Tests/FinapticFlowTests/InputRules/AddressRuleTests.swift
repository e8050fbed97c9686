// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import FinapticWire
import Kit
import Testing
import TestSupport

@Suite("Finaptic input rules: addresses", .storeless)
struct AddressRuleTests {
  private static func refused(_ addresses: FinapticAPI.Address...) throws -> [String] {
    try RuleTable.refused {
      _ = try $0.addresses(.init(onboardingApplicationId: RuleTable.id, addresses: addresses))
    }
  }

  private static func home(_ change: (inout FinapticAPI.Address) -> Void) -> FinapticAPI.Address {
    var home = RuleTable.home
    change(&home)
    return home
  }

  @Test(
    "the published addresses", .enabled(if: !PublishedProfiles.all.isEmpty), arguments: PublishedProfiles.of("address"))
  func published(profile: PublishedProfiles.Profile) throws {
    #expect(profile.input["call"].text ?? "updateAddresses" == "updateAddresses", "this test knows no other call")
    let refused = try Self.refused(profile.input["address"].address)
    #expect(profile.expect["error"].text == (refused.isEmpty ? nil : "invalidArgument"), "\(profile.id): \(refused)")
    #expect(profile.expect["requestStatus"].text ?? "OK" == "OK", "\(profile.id)")
    if let field = profile.expect["fieldViolation"].text { #expect(refused == [field], "\(profile.id)") }
  }

  private struct Limit: Sendable, CustomTestStringConvertible {
    let name: String
    let path: any WritableKeyPath<FinapticAPI.Address, String?> & Sendable
    let max: Int
    var isRequired = false
    var testDescription: String { name }
  }

  private static let limits: [Limit] = [
    .init(name: "organization", path: \.organization, max: 300),
    .init(name: "line1", path: \.line1, max: 300, isRequired: true), .init(name: "line2", path: \.line2, max: 300),
    .init(name: "line3", path: \.line3, max: 300), .init(name: "line4", path: \.line4, max: 300),
    .init(name: "line5", path: \.line5, max: 300), .init(name: "line6", path: \.line6, max: 300),
    .init(name: "line7", path: \.line7, max: 300), .init(name: "line8", path: \.line8, max: 300),
    .init(name: "locality", path: \.locality, max: 150),
    .init(name: "dependentLocality", path: \.dependentLocality, max: 150),
    .init(name: "doubleDependentLocality", path: \.doubleDependentLocality, max: 150),
    .init(name: "administrativeArea", path: \.administrativeArea, max: 150),
    .init(name: "subAdministrativeArea", path: \.subAdministrativeArea, max: 150),
    .init(name: "area", path: \.area, max: 150, isRequired: true),
    .init(name: "postalCode", path: \.postalCode, max: 150, isRequired: true),
    .init(name: "country", path: \.country, max: 50, isRequired: true),
  ]

  @Test("each member of an address keeps its limit", arguments: limits)
  private func limit(_ limit: Limit) throws {
    // A place of work gets the limits and nothing else.
    func refused(_ text: String?) throws -> [String] {
      var work = RuleTable.work
      work[keyPath: limit.path] = text
      return try Self.refused(RuleTable.home, work)
    }
    #expect(try refused(RuleTable.letters(limit.max)) == [])
    #expect(try refused(RuleTable.letters(limit.max + 1)) == ["addresses[1].\(limit.name)"])
    #expect(try refused("  ") == (limit.isRequired ? ["addresses[1].\(limit.name)"] : []))
    #expect(try refused("a\u{0}") == ["addresses[1].\(limit.name)"])
  }

  @Test("there is at least one home, and not too many addresses")
  func count() throws {
    #expect(try Self.refused() == ["addresses"])
    #expect(try Self.refused(RuleTable.work) == ["addresses"])
    #expect(try Self.refused(Self.home { $0.type = "BARN" }) == ["addresses[0].type"])
    #expect(try Self.refused(Self.home { $0.type = nil }) == ["addresses[0].type"])
    let many = Array(repeating: RuleTable.home, count: 11)
    #expect(
      try RuleTable.refused { _ = try $0.addresses(.init(onboardingApplicationId: RuleTable.id, addresses: many)) }
        == ["addresses"])
  }

  @Test(
    "a province is known by its English and French names and its code",
    arguments: [
      ("AB", "Alberta", "alberta", "T2P 1J9"), ("BC", "British Columbia", "Colombie-Britannique", "V6B 1A1"),
      ("MB", "Manitoba", "MANITOBA", "R3C 1A1"), ("NB", "New Brunswick", "Nouveau-Brunswick", "E3B 1A1"),
      ("NL", "Newfoundland and Labrador", "Terre-Neuve-et-Labrador", "A1C 1A1"),
      ("NS", "Nova Scotia", "Nouvelle-Écosse", "B3J 1S9"),
      ("NT", "Northwest Territories", "Territoires du Nord-Ouest", "X1A 1A1"), ("NU", "Nunavut", "nunavut", "X0A 1A1"),
      ("ON", "Ontario", "ontario", "K1P 1A1"), ("PE", "Prince Edward Island", "île du prince édouard", "C1A 1A1"),
      ("QC", "Quebec", "Québec", "J8X 1A1"), ("SK", "Saskatchewan", "saskatchewan", "S4P 1A1"),
      ("YT", "Yukon", "yukon", "Y1A 1A1"),
    ])
  func provinces(code: String, english: String, french: String, postalCode: String) throws {
    for area in [code, code.lowercased(), english, french, french.uppercased()] {
      let address = Self.home { ($0.area, $0.postalCode) = (area, postalCode) }
      #expect(try Self.refused(address) == [], "\(area)")
    }
    let elsewhere = code == "ON" ? "V6B 1A1" : "M5V 3L9"
    let address = Self.home { ($0.area, $0.postalCode) = (english, elsewhere) }
    #expect(try Self.refused(address) == ["addresses[0].postalCode"])
  }

  @Test(
    "a postal code has its form and its letters",
    arguments: [
      ("m5h2s6", "M5H 2S6"), ("M5H 2S6", "M5H 2S6"), ("M5H  2S6", nil), ("M5H-2S6", nil), ("M5D 2S6", nil),
      ("M5H 2O6", nil), ("12345", nil), ("M5H 2W6", "M5H 2W6"), ("W5H 2S6", nil), ("Z5H 2S6", nil), ("D5H 2S6", nil),
      ("M5H 2S", nil), ("M5H 2S٦", nil),
    ])
  func postalCodes(text: String, kept: String?) throws {
    let address = Self.home { $0.postalCode = text }
    guard let kept else {
      #expect(try Self.refused(address) == ["addresses[0].postalCode"])
      return
    }
    let answer = try RuleTable.rules().addresses(.init(onboardingApplicationId: RuleTable.id, addresses: [address]))
    #expect(answer.addresses?.first?.postalCode == kept)
  }

  @Test(
    "no box, base, hospital or prison, in either language",
    arguments: [
      ("PO Box 12", false), ("P.O. BOX 12", false), ("p o box 7", false), ("Post Office Box 7", false),
      ("Case postale 8", false), ("CASE POSTALE", false), ("C.P. 123", false), ("CP 123", false), ("C.P. Avenue", true),
      ("PO Box12", false), ("P.O.BOX12", false), ("POBox7", false), ("CP123", false), ("12 Cpr Road", true),
      ("Boîte postale 5", false), ("boite postale 5", false), ("12 Boxwood Lane", true), ("CFB Petawawa", false),
      ("BFC Bagotville", false), ("CFS Alert", false), ("Canadian Forces Base Trenton", false),
      ("Military Base 4", false), ("Garrison Petawawa", false), ("Toronto General Hospital", false),
      ("Hôpital Général", false), ("HOPITAL GENERAL", false), ("12 Hospital Road", true), ("12 hospital st", true),
      ("45 rue de l’Hôpital", true), ("Hospital, Main Street", false), ("Kingston Penitentiary", false),
      ("Pénitencier de Donnacona", false), ("The Jail", false), ("Millhaven Prison", false),
      ("Central Correctional Centre", false), ("Centre de détention", false), ("12 Imprisonment Lane", true),
      ("9 Hospitality Way", true), ("3 Jailbird Row", true),
    ])
  func excluded(line: String, isTaken: Bool) throws {
    let lines: [(String, WritableKeyPath<FinapticAPI.Address, String?>)] = [
      ("organization", \.organization), ("line1", \.line1), ("line2", \.line2), ("line8", \.line8),
    ]
    for (name, path) in lines {
      let address = Self.home { $0[keyPath: path] = line }
      #expect(try Self.refused(address) == (isTaken ? [] : ["addresses[0].\(name)"]), "\(line)")
    }
  }

  @Test(
    "only Canada, by name or code",
    arguments: [("Canada", true), ("CANADA", true), ("CA", true), ("US", false), ("Kanada", false)])
  func country(name: String, isTaken: Bool) throws {
    #expect(try Self.refused(Self.home { $0.country = name }) == (isTaken ? [] : ["addresses[0].country"]))
  }

  @Test("whatever text comes, an address is taken or refused")
  func anything() throws {
    var randomness = SeededGenerator(seed: 8)
    let scalars = Array("Aa9 .-'éœ\u{0}\u{301}🙂\u{202E}ßİ".unicodeScalars)
    for _ in 0..<500 {
      func text() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int(randomness.next() % 40) {
          text.append(scalars[Int(randomness.next() % UInt64(scalars.count))])
        }
        return String(text)
      }
      let address = FinapticAPI.Address(
        type: "HOME", organization: text(), line1: text(), area: text(), postalCode: text(), country: text())
      #expect(try Self.refused(address).allSatisfy { $0.hasPrefix("addresses") })
    }
  }
}
