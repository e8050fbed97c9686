// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("texts that people are shown", .storeless)
struct DisplayedTextTests {
  @Test(
    "names and sentences of any script are taken",
    arguments: [
      "", "Ada O'Neill-Müller", "e\u{301}", "عبد الله", "נועה", "王小明", "क्\u{200D}ष", "می\u{200C}خواهم",
      "Size: 12 × 8 €", "👍🏽", "👩\u{200D}⚖\u{FE0F}", "a\u{A0}b",
    ])
  func plain(_ text: String) {
    #expect(DisplayedText.isPlain(text) && DisplayedText.isPlain(text, lines: true))
  }

  @Test("what ends a line is taken only where there may be several, as browsers and programs write it")
  func lines() {
    for text in ["a\nb", "a\r\nb", "a\tb"] {
      #expect(!DisplayedText.isPlain(text) && DisplayedText.isPlain(text, lines: true))
    }
  }

  @Test(
    "what is not seen, turns the direction of writing or ends a line by itself is never taken",
    arguments: [
      0x0000, 0x0007, 0x001B, 0x007F, 0x0085, 0x009B, 0x00AD, 0x0600, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028,
      0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xE000, 0xFEFF, 0xFFF9, 0xFFFF, 0xE0001, 0xE0041, 0x10FFFD,
    ] as [UInt32])
  func unseen(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for text in ["a\(scalar)b", "\(scalar)", "e\(scalar)\u{301}"] {
      let isTaken = DisplayedText.isPlain(text) || DisplayedText.isPlain(text, lines: true)
      #expect(!isTaken, "U+\(String(value, radix: 16))")
    }
  }
}
