// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ReferenceData

@Suite("Reference data: numbers of accounts", .storeless)
struct AccountNumberingTests {
  /// The examples of the registry of ISO 13616 whose accounts are digits: institution, branch, serial.
  private static let registry: [(iban: String, bank: String, branch: String, serial: UInt64)] = [
    ("AT611904300234573201", "19043", "", 234_573_201), ("BE68539007547034", "539", "", 75_470),
    ("CH9300762011623852957", "00762", "", 11_623_852_957),
    ("CY17002001280000001200527600", "002", "00128", 1_200_527_600),
    ("DE89370400440532013000", "37040044", "", 532_013_000), ("ES9121000418450200051332", "2100", "0418", 200_051_332),
    ("GB29NWBK60161331926819", "NWBK", "601613", 31_926_819),
    ("GR1601101250000000012300695", "011", "0125", 12_300_695),
    ("IE29AIBK93115212345678", "AIBK", "931152", 12_345_678),
    ("IT60X0542811101000000123456", "05428", "11101", 123_456), ("LU280019400644750000", "001", "", 9_400_644_750_000),
    ("MC5811222000010123456789030", "11222", "00001", 1_234_567_890), ("NL91ABNA0417164300", "ABNA", "", 417_164_300),
    ("NO9386011117947", "8601", "", 111_794), ("PT50000201231234567890154", "0002", "0123", 12_345_678_901),
    ("SM86U0322509800000000270100", "03225", "09800", 270_100),
  ]

  @Test("the registry's examples are made of their own parts, with the country's check digits and those of the IBAN")
  func examples() throws {
    for example in Self.registry {
      let numbering = try #require(
        AccountNumbering(country: String(example.iban.prefix(2)), bank: example.bank, branch: example.branch))
      let number = try #require(numbering.number(example.serial), "\(example.iban)")
      #expect(number.text == example.iban && number.iban?.text == example.iban)
      #expect(number.bank == example.bank && number.branch == example.branch)
      #expect(CustomerAccountNumber.candidates(number.shown) == [example.iban])
      // Any other digit in any place is no IBAN.
      for place in example.iban.indices {
        let digit = example.iban[place]
        let wrong = example.iban.replacingCharacters(in: place...place, with: digit == "1" ? "2" : "1")
        #expect(IBAN(wrong) == nil, "\(wrong)")
      }
    }
  }

  @Test("a serial without a check digit is no number, and codes of a wrong length are no numbering")
  func refused() throws {
    let dutch = try #require(AccountNumbering(country: "NL", bank: "ABNA", branch: ""))
    #expect((0..<110).compactMap { dutch.number($0) }.count == 10, "one in eleven passes")
    for (country, bank, branch) in [
      ("CA", "12", "12345"), ("CA", "123", "1234"), ("CA", "12A", "12345"), ("CA", "１２３", "12345"),
      ("DE", "37040044", "1"), ("GB", "NWB1", "601613"), ("GB", "nwbk", "601613"), ("FR", "20041", ""),
      ("US", "123", ""), ("PL", "10901014", ""), ("", "", ""),
    ] { #expect(AccountNumbering(country: country, bank: bank, branch: branch) == nil, "\(country) \(bank)") }
    #expect(AccountNumbering(country: "CA", bank: "003", branch: "12345", digits: 6) == nil)
    #expect(AccountNumbering(country: "CA", bank: "003", branch: "12345", digits: 13) == nil)
    #expect(AccountNumbering(country: "DE", bank: "37040044", branch: "", digits: 9) == nil)
  }

  @Test("a number of Canada is known in the forms of payments and cheques, and one wrong digit makes it another's")
  func canada() throws {
    let numbering = try #require(AccountNumbering(country: "CA", bank: "003", branch: "12345", digits: 7))
    #expect(numbering.serials == 100_000)
    let number = try #require(numbering.number(42))
    #expect(number.account.hasPrefix("00042") && number.account.count == 7 && number.iban == nil)
    #expect(number.text == "000312345\(number.account)" && number.shown == "12345-003-\(number.account)")
    for form in [number.text, String(number.text.dropFirst()), number.shown, "12345 003 \(number.account)"] {
      #expect(CustomerAccountNumber.candidates(form).contains(number.text), "\(form)")
    }
    for routing in ["000312345", "00312345"] {
      #expect(CustomerAccountNumber.candidates(number.account, routing: routing).contains(number.text))
    }
    #expect(!CustomerAccountNumber.candidates(number.account, routing: "000312346").contains(number.text))
    // A message may hold texts of any length, each of which would be looked for.
    #expect(CustomerAccountNumber.candidates(String(repeating: "1", count: 65)).isEmpty)
    #expect(CustomerAccountNumber.candidates("1", routing: String(repeating: "1", count: 65)).isEmpty)
    // A full number beside a routing number counts only when it is of that bank.
    for form in [number.text, String(number.text.dropFirst()), number.shown] {
      #expect(CustomerAccountNumber.candidates(form, routing: "000312345").contains(number.text), "\(form)")
      #expect(!CustomerAccountNumber.candidates(form, routing: "000412345").contains(number.text), "\(form)")
    }
    #expect(CustomerAccountNumber.candidates("Ada's account").isEmpty && CustomerAccountNumber.candidates(" ").isEmpty)
    // The check digits are right for this branch alone.
    let other = try #require(AccountNumbering(country: "CA", bank: "003", branch: "12346", digits: 7))
    #expect(other.number(42)?.account != number.account)
  }

  /// Of `ß`, `ſ`, `ﬁ` and `ı` the capitals are letters of ASCII.
  @Test("a letter beyond ASCII is none of an IBAN, whatever its capital is")
  func foreignLetters() throws {
    for (letters, foreign) in [("SS", "ß"), ("S", "ſ"), ("FI", "ﬁ"), ("I", "ı")] {
      let number = try #require(IBAN(country: "ZZ", account: "DEMO0000\(letters)1000"))
      let written = number.text.replacing(letters, with: foreign)
      #expect(IBAN(written.lowercased().replacing(foreign, with: letters.lowercased())) == number)
      #expect(IBAN(written) == nil && CustomerAccountNumber.candidates(written).isEmpty, "\(written)")
    }
  }
}
