// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("texts that people are shown", .storeless)
struct DisplayedTextTests {
  @Test(
    "names and sentences of any script are taken",
    arguments: [
      "", "Ada O'Neill-Müller", "e\u{301}", "عبد الله", "נועה", "王小明", "क्\u{200D}ष",
      "می\u{200C}خواهم",
      "Size: 12 × 8 €", "👍🏽", "👩\u{200D}⚖\u{FE0F}", "a\u{A0}b", "ה\u{5B7}",
      "ه\u{200D}", "สมชาย", "Nguyễn", "Nguye\u{302}\u{303}n", "김민수", "\u{1100}\u{1161}",
      "👨\u{200D}👩\u{200D}👧", "❤\u{FE0F}", "葛\u{E0100}",
      // Kept for emoji that are still to come.
      "\u{1FAFF}",
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
      0x0000, 0x0007, 0x001B, 0x007F, 0x0085, 0x009B, 0x00AD, 0x0600, 0x115F, 0x1160, 0x180E, 0x2028, 0x2029, 0x202A,
      0x202E, 0x2060, 0x2066, 0x2069, 0x3164, 0xE000, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFF, 0xE0001, 0xE0041, 0x10FFFD,
    ] as [UInt32])
  func unseen(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    for text in ["a\(scalar)b", "\(scalar)", "e\(scalar)\u{301}"] {
      let isTaken = DisplayedText.isPlain(text) || DisplayedText.isPlain(text, lines: true)
      #expect(!isTaken, "U+\(String(value, radix: 16))")
    }
  }

  @Test(
    "a text in which nothing is seen is not taken",
    arguments: ["\u{200D}", " \u{200C} ", "\u{FE0F}", "\u{2800}", "\u{34F}"])
  func nothing(_ text: String) {
    #expect(!DisplayedText.isPlain(text) && !DisplayedText.isPlain(text + "\n", lines: true))
    #expect(DisplayedText.isPlain("a" + text))
  }

  @Test(
    "notes may have marks of direction and spaces without width, as they are pasted; a name has none",
    arguments: ["שלום!\u{200F}", "\u{200E}+965 2222", "\u{61C}مرحبا", "ភាសា\u{200B}ខ្មែរ"])
  func pasted(_ text: String) {
    #expect(!DisplayedText.isPlain(text) && DisplayedText.isPlain(text, lines: true))
  }

  @Test(
    "what the author of a text does not see is left out of it, and what a text of its kind may have stays",
    arguments: [
      ("a\u{202A}b\u{202C}", "ab", "ab"), ("Grace\u{202E}reppoH", "GracereppoH", "GracereppoH"),
      ("co\u{AD}opera\u{2060}tion\u{FEFF}", "cooperation", "cooperation"), ("a\u{E0061}", "a", "a"),
      ("one\u{2028}two\u{2029}", "one two ", "one\ntwo\n"), ("שלום!\u{200F}", "שלום!", "שלום!\u{200F}"),
      ("👩\u{200D}⚖\u{FE0F}", "👩\u{200D}⚖\u{FE0F}", "👩\u{200D}⚖\u{FE0F}"),
      ("a\u{7}\n", "a\u{7}\n", "a\u{7}\n"),
    ])
  func cleaned(_ text: String, _ oneLine: String, _ lines: String) {
    #expect(Array(DisplayedText.cleaned(text).unicodeScalars) == Array(oneLine.unicodeScalars))
    #expect(Array(DisplayedText.cleaned(text, lines: true).unicodeScalars) == Array(lines.unicodeScalars))
  }
}
