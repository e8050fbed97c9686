// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ledger

@Suite("Ledger: amounts", .storeless)
struct MoneyTests {
  @Test(
    "decimals are exact",
    arguments: [
      ("0", "CAD", 0), ("12.3", "CAD", 1230), ("-12.30", "CAD", -1230), ("007.05", "CAD", 705), ("5", "JPY", 5),
      ("1.234", "KWD", 1234), ("9999999999999999.99", "CAD", 999_999_999_999_999_999),
    ])
  func read(text: String, currency: String, minorUnits: Int64) {
    #expect(Money(decimal: text, currency: currency)?.minorUnits == minorUnits)
  }

  @Test(
    "what is not an amount is refused",
    arguments: [
      "", "-", ".", "1.", ".5", "1.234", "1e3", "+1", " 1", "1,000", "--1", "1.2.3", "٣", "0x1", "99999999999999999999",
      "1\0",
    ])
  func refused(text: String) { #expect(Money(decimal: text, currency: "CAD") == nil) }

  @Test("too much is told from what is no amount")
  func beyond() {
    func isBeyond(_ text: String) -> Bool { Money.isBeyond(decimal: text, currency: "CAD") }
    for text in ["10000000000000000", "10000000000000000.00", "0100000000000000000000.5", "92233720368547758.08"] {
      #expect(isBeyond(text), "\(text)")
    }
    for text in [
      "9999999999999999.99", "0", "", ".", "-10000000000000000", "10000000000000000.", "10000000000000000.001",
      "1e20", "10,000,000,000,000,000", "10000000000000000.0.0", "٣0000000000000000",
    ] { #expect(!isBeyond(text), "\(text)") }
    #expect(Money.isBeyond(decimal: "1000000000000000000", currency: "JPY"))
    #expect(!Money.isBeyond(decimal: "1000000000000000000.0", currency: "JPY"))
    #expect(Money(decimal: "9999999999999999.99", currency: "CAD")?.minorUnits == Money.beyondDecimal - 1)
  }

  @Test("an unknown currency is refused") func currency() { #expect(Money(decimal: "1", currency: "XXX") == nil) }

  @Test("what is written is read as it was")
  func roundTrip() {
    var randomness = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let units =
        Int64.random(in: -999_999_999_999_999_999...999_999_999_999_999_999, using: &randomness)
        >> Int64.random(in: 0..<60, using: &randomness)
      for currency in ["CAD", "JPY", "KWD"] {
        let money = Money(units, currency)
        #expect(Money(decimal: money.decimal, currency: currency) == money, "\(money.decimal)")
      }
    }
    #expect(Money(-5, "CAD").decimal == "-0.05" && Money(0, "JPY").decimal == "0")
    #expect(Money(.min, "CAD").decimal == "-92233720368547758.08")
  }
}
