// SPDX-License-Identifier: Apache-2.0

import OneAssistCore
import TestSupport
import Testing

@Suite("OneAssist: IMEIs in recognised text")
struct IMEIReadingTests {
  static let first = "353285101234565"
  static let second = "353285107654329"

  /// The same number with the right check digit; for tests that vary digits.
  static func completed(_ fourteen: String) -> String {
    (0...9).map { "\(fourteen)\($0)" }.first { IMEI($0) != nil } ?? ""
  }

  private func read(_ text: String, allowsTest: Bool = false) -> [String] {
    IMEIReading(text: text, allowsTest: allowsTest).map {
      [$0.primary.digits] + ($0.secondary.map { [$0.digits] } ?? [])
    }
      ?? []
  }

  @Test("two numbers are found among EID, ICCID and MEID")
  func sheet() {
    let text = """
      Device Info
      EID
      89049032000000000000000012345678
      IMEI \(Self.first)
      IMEI2 \(Self.second)
      MEID 35328510123456
      ICCID 8991101200003204510
      """
    #expect(read(text) == [Self.first, Self.second])
  }

  @Test("single spaces, hyphens and dots inside a number do not matter; two spaces do")
  func groups() {
    let digits = Array(Self.first)
    for joint in [" ", "-", ".", "\u{A0}", "\t"] {
      let spaced = [digits[0..<2], digits[2..<8], digits[8..<14], digits[14..<15]].map { String($0) }
      #expect(read("IMEI: " + spaced.joined(separator: joint)) == [Self.first])
      #expect(read("IMEI: " + spaced.joined(separator: joint + joint)) == [])
    }
    #expect(read("\(Self.first) \(Self.second)") == [Self.first, Self.second])
  }

  @Test("full-width digits count, and a slash, a colon or a letter separates")
  func signs() {
    let wide = String(Self.first.unicodeScalars.map { Character(Unicode.Scalar($0.value - 48 + 0xFF10)!) })
    #expect(read("IMEI：\(wide)") == [Self.first])
    #expect(read("IMEI:\(Self.first)/78") == [Self.first])
    #expect(read("IMEI\(Self.first)") == [Self.first])
  }

  @Test("longer and shorter runs are not cut or filled", arguments: ["", "0", "00", "000"])
  func lengths(extra: String) {
    #expect(read("IMEI \(Self.first)\(extra)") == (extra.isEmpty ? [Self.first] : []))
    if extra.isEmpty { #expect(read("IMEI \(Self.first.dropLast())") == []) }
    #expect(read("IMEISV 3532851012345678") == [])
  }

  @Test("a wrong check digit, one digit fifteen times and a type of zeros are refused")
  func refused() {
    let wrong = Self.first.dropLast() + (Self.first.hasSuffix("1") ? "2" : "1")
    #expect(read("IMEI \(wrong)") == [])
    #expect(read("IMEI 000000000000000") == [])
    for digit in 0...9 { #expect(IMEI(String(repeating: "\(digit)", count: 15)) == nil) }
    #expect(IMEI(Self.completed("00000000123456")) == nil)
  }

  @Test("test numbers count in debug mode only")
  func tests() {
    let test = Self.completed("00440112345678")
    #expect(read("IMEI \(test)") == [])
    #expect(read("IMEI \(test)", allowsTest: true) == [test])
  }

  @Test("labels decide the order, then places")
  func order() {
    #expect(read("IMEI2 \(Self.first)\nIMEI \(Self.second)") == [Self.second, Self.first])
    #expect(read("IMEI 2: \(Self.first)\nIMEI 1: \(Self.second)") == [Self.second, Self.first])
    #expect(read("IMEI IMEI2\n\(Self.first)\n\(Self.second)") == [Self.first, Self.second])
    #expect(read("\(Self.second)\n\(Self.first)") == [Self.second, Self.first])
    #expect(read("IMEI (slot 1)\n\(Self.first)\nIMEI (slot 2)\n\(Self.second)") == [Self.first, Self.second])
  }

  @Test("what stands behind another label is not an IMEI, over as many lines as its number takes")
  func foreign() {
    #expect(read("MEID \(Self.first)") == [])
    #expect(read("EID\n89049032000000000\n\(Self.first)\nIMEI \(Self.second)") == [Self.second])
    #expect(read("ICCID: 8991 \(Self.first)") == [])
    #expect(read("IMEI/MEID \(Self.first)") == [Self.first])
  }

  @Test("the same number twice is one, and a third is told but not kept")
  func several() throws {
    #expect(read("IMEI \(Self.first)\nIMEI2 \(Self.first)") == [Self.first])
    let third = Self.completed("35328510999999")
    let reading = try #require(IMEIReading(text: "\(Self.first)\n\(Self.second)\n\(third)"))
    #expect(reading.isCrowded)
    #expect([reading.primary.digits, reading.secondary?.digits] == [Self.first, Self.second])
  }

  @Test("two letters at most are taken for digits, and the reviewer is told")
  func repair() throws {
    let number = Self.completed("35180254061982")
    let letters: [Character: Character] = ["0": "O", "1": "I", "5": "S", "8": "B", "2": "Z"]
    let places = number.indices.filter { letters[number[$0]] != nil }
    func spoiled(_ count: Int) -> String {
      var text = Array(number)
      for place in places.prefix(count) {
        let index = number.distance(from: number.startIndex, to: place)
        text[index] = letters[text[index]] ?? text[index]
      }
      return String(text)
    }
    for count in 1...2 {
      let reading = try #require(IMEIReading(text: "IMEI \(spoiled(count))"))
      #expect(reading.primary.digits == number && reading.isRepaired)
    }
    #expect(IMEIReading(text: "IMEI \(spoiled(3))") == nil)
    #expect(try !#require(IMEIReading(text: "\(spoiled(1))\n\(number)")).isRepaired)
    #expect(IMEIReading(text: "lMEI \(number)")?.isRepaired == false)
  }

  @Test("nothing is found in nothing", arguments: ["", " ", "IMEI", "no numbers here", "\n\n", "IMEI 12"])
  func nothing(text: String) {
    #expect(IMEIReading(text: text) == nil)
  }

  @Test("an IMEI shows its type and three digits, however it is printed")
  func redacted() throws {
    let imei = try #require(IMEI(Self.first))
    for text in ["\(imei)", String(reflecting: imei), String(describing: [imei])] {
      #expect(!text.contains(Self.first))
    }
    var dumped = ""
    dump(imei, to: &dumped)
    #expect(!dumped.contains(Self.first))
    #expect("\(imei)" == "35328510…565")
  }

  @Test(
    "whatever a recogniser says, what is found are whole, valid and distinct IMEIs that stood there", arguments: 0..<40)
  func fuzz(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789012345678901234567890123456789OIlSBZAE -./:\n\u{A0}IMEI２")
    var found = 0
    for _ in 0..<50 {
      var text = String(
        (0..<Int.random(in: 0...200, using: &generator)).map { _ in
          alphabet.randomElement(using: &generator) ?? " "
        })
      if Bool.random(using: &generator) { text += "IMEI \(Self.first)" }
      guard let reading = IMEIReading(text: text) else { continue }
      found += 1
      let all = [reading.primary] + (reading.secondary.map { [$0] } ?? [])
      #expect(Set(all).count == all.count)
      for imei in all { #expect(IMEI(imei.digits) == imei && !imei.isTest) }
    }
    #expect(found > 0)
  }

  @Test("every single wrong digit is noticed")
  func digits() {
    for place in 0..<15 {
      for digit in "0123456789" {
        var text = Array(Self.first)
        guard text[place] != digit else { continue }
        text[place] = digit
        #expect(IMEI(String(text)) == nil)
      }
    }
  }
}
