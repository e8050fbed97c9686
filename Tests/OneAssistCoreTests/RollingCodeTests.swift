// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistCore
import TestSupport
import Testing

@Suite("OneAssist: the code that changes on the secure screen")
struct RollingCodeTests {
  private static let start: Int64 = 1_763_700_000_000
  private static let imei = IMEI(IMEIReadingTests.first)!

  private func code(
    key: UInt8 = 7, session: String = "s-1", imei: IMEI = Self.imei, start: Int64 = Self.start
  ) throws -> RollingCode {
    try #require(
      RollingCode(key: Data(repeating: key, count: 32), sessionID: session, imei: imei, issuedAt: start))
  }

  @Test("a code is what the published formula gives")
  func formula() throws {
    // Computed apart, with Python's hmac.
    let code = try code()
    #expect(code.code(0).digits == "68585202002")
    #expect(code.code(754).shown == "45241 36697 5")
    #expect(code.code(754).hint == 54 && code.code(3).shownHint == "03")
  }

  @Test("it is found in the steps in which it was shown, and nowhere else")
  func window() throws {
    let code = try code()
    let shown = code.code(100).digits
    let time = Self.start + 100_000
    #expect(code.counter(showing: shown, within: time...time) == 100)
    #expect(code.counter(showing: shown, within: (time - 900_000)...(time + 5_000)) == 100)
    #expect(code.counter(showing: shown, within: (time + 1_000)...(time + 900_000)) == nil)
    #expect(code.counter(showing: shown, within: (time - 900_000)...(time - 1)) == nil)
    #expect(code.counter(showing: shown, within: 0...(Self.start - 1)) == nil)
    #expect(code.counter(showing: shown, within: Int64.min...Int64.max) == nil)
  }

  @Test("another key, session or phone shows another code")
  func bound() throws {
    let shown = try code().code(5).digits
    let other = try #require(IMEI(IMEIReadingTests.second))
    for code in [try code(key: 8), try code(session: "s-2"), try code(imei: other)] {
      #expect(code.counter(showing: shown, within: Self.start...(Self.start + 900_000)) == nil)
    }
  }

  @Test("a misread digit is noticed before anything is compared")
  func luhn() throws {
    let shown = try code().code(42).digits
    #expect(SecureScreenCode.isWellFormed(shown))
    for place in 0..<11 {
      for digit in "0123456789" {
        var text = Array(shown)
        guard text[place] != digit else { continue }
        text[place] = digit
        #expect(!SecureScreenCode.isWellFormed(String(text)))
      }
    }
    for text in ["", String(shown.dropLast()), shown + "0", "1234567890a"] {
      #expect(!SecureScreenCode.isWellFormed(text))
    }
  }

  @Test("ten digits and a check digit, in every step", arguments: 0..<20)
  func shape(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let code = try code(key: UInt8.random(in: 0...255, using: &generator))
    for _ in 0..<50 {
      let one = code.code(UInt64.random(in: 0...UInt64.max, using: &generator))
      #expect(SecureScreenCode.isWellFormed(one.digits) && (0..<100).contains(one.hint))
      #expect(one.shown.replacing(" ", with: "") == one.digits)
    }
  }

  @Test("keys of other lengths and steps of no length make no code")
  func refused() {
    for count in [0, 31, 33] {
      #expect(RollingCode(key: Data(count: count), sessionID: "s", imei: Self.imei, issuedAt: 0) == nil)
    }
    #expect(
      RollingCode(key: Data(count: 32), sessionID: "s", imei: Self.imei, issuedAt: 0, stepMilliseconds: 0) == nil)
  }
}
