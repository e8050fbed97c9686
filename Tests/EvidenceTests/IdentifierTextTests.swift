// SPDX-License-Identifier: Apache-2.0

import OneAssistCore
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: labels and lines of a sheet of identifiers")
struct IdentifierTextTests {
  @Test(
    "a label says which number follows, as small print is misread",
    arguments: [
      ("IMEI", IdentifierLabel.imei(slot: nil)), ("IMEI:", .imei(slot: nil)), ("lMEl", .imei(slot: nil)),
      ("IME1 2", .imei(slot: 2)), ("IMEI2", .imei(slot: 2)), ("IMEI1:", .imei(slot: 1)), ("IMEl1", .imei(slot: 1)),
      ("IMEI (SIM-Slot 2)", .imei(slot: 2)), ("IMEI (slot 1)", .imei(slot: 1)), ("IMFI", .imei(slot: nil)),
      ("MEID", .other), ("ME1D", .other), ("EID", .other), ("E1D", .other), ("ICCID", .other), ("lCClD", .other),
      ("IMEI SV (slot 1)", .other), ("IMEISV", .other), ("SEID", .other), ("MEI", .none), ("Serial Number", .none),
      ("", .none), ("Done Device Info", .none),
    ])
  func labels(text: String, expected: IdentifierLabel) {
    #expect(IdentifierLabel(text) == expected, "\(text)")
  }

  private func line(_ text: String, _ label: IdentifierLabel, _ imei: String? = nil, doubtful: Bool = false)
    -> IdentifierReading.Line
  { .init(text: text, label: label, imei: imei, isDoubtful: doubtful) }

  private static let (first, second) = ("359000110000012", "359000110000020")

  @Test("slots are by their labels, else by their places")
  func slots() {
    let labelled = IdentifierReading(lines: [
      line("IMEI2", .imei(slot: 2), Self.second), line("IMEI", .imei(slot: nil), Self.first),
    ])
    #expect(labelled.imeis.map(\.digits) == [Self.first, Self.second])
    #expect(IMEIReading(text: labelled.text)?.primary.digits == Self.first)
    let placed = IdentifierReading(lines: [
      line("IMEI", .imei(slot: nil), Self.second), line("IMEI", .imei(slot: nil), Self.first),
    ])
    #expect(placed.imeis.map(\.digits) == [Self.second, Self.first])
  }

  @Test("one number in doubt, or one that is missing, and none counts")
  func doubt() {
    let (one, two) = (line("IMEI 1", .imei(slot: 1), Self.first), line("IMEI 2", .imei(slot: 2), Self.second))
    for lines in [
      [one, line("IMEI 2 35900011000002O", .imei(slot: 2), doubtful: true)], [one], [two],
      [line("", .none, Self.first)],
    ] {
      let reading = IdentifierReading(lines: lines)
      #expect(reading.isDoubtful && reading.imeis.isEmpty)
      #expect(IMEIReading(text: reading.text) == nil, "\(reading.text)")
    }
    #expect(IdentifierReading(lines: [one, two]).imeis.count == 2)
    #expect(IdentifierReading(lines: []).imeis.isEmpty)
  }

  @Test("uncertain digits are in no text with the length of an IMEI", arguments: 0..<300)
  func masked(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let alphabet = Array("0123456789 -.:/IMELODS\n")
    let lines = (0..<6).map { _ in
      line(
        String((0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)! }), .none
      )
    }
    let reading = IdentifierReading(lines: lines)
    #expect(reading.imeis.isEmpty && IMEIReading(text: reading.text, allowsTest: true) == nil, "\(reading.text)")
  }

  @Test("lines are cut into numbers and what stands before them")
  func numbers() throws {
    func symbols(_ text: String, x: Int = 0, y: Int = 100, word: Int = 0) -> [OCRSymbol] {
      var (result, at, word) = ([OCRSymbol](), x, word)
      for character in text {
        if character == " " {
          word += 1
          at += 10
        } else {
          result.append(
            OCRSymbol(
              text: String(character), confidence: 1, region: Region(x: at, y: y, width: 18, height: 30), word: word))
          at += 20
        }
      }
      return result
    }
    let glued = ScreenLine(symbols: symbols("IMEI1:359000110000012"))
    #expect(glued.numbers(atLeast: 12).map(\.digits) == [Self.first])
    #expect(glued.numbers(atLeast: 12).first?.label == "IMEI1:" && glued.numbers(atLeast: 12).first?.isTight == true)
    let grouped = ScreenLine(symbols: symbols("IMEI") + symbols("35 900011 000001 2", x: 600, word: 9))
    #expect(grouped.numbers(atLeast: 12).map(\.digits) == [Self.first])
    #expect(ScreenLine(symbols: symbols("Bills IOS Boss lOOl")).numbers(atLeast: 2).isEmpty)
    // Two heights are two lines, wherever they were seen first.
    let two = ScreenLine.lines(of: symbols("359", y: 300, word: 5) + symbols("IMEI", y: 100))
    #expect(two.map(\.text) == ["IMEI", "359"])
  }
}
