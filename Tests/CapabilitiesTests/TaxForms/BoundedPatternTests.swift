// SPDX-License-Identifier: Apache-2.0

import RubixWire
import TestSupport
import Testing

@Suite("Bounded patterns: a small part of regular expressions, in bounded time", .storeless)
struct BoundedPatternTests {
  @Test(
    "texts match as a whole",
    arguments: [
      ("[A-Z]{2}[0-9]{4}", "KW1234", true), ("[A-Z]{2}[0-9]{4}", "KW123", false),
      ("[A-Z]{2}[0-9]{4}", "KW12345", false),
      ("^\\d{3}-?\\d{2}$", "123-45", true), ("^\\d{3}-?\\d{2}$", "12345", true), ("\\d+", "", false),
      ("\\d*", "", true),
      ("a{2,3}", "aa", true), ("a{2,3}", "aaaa", false), ("a{2,}", "aaaaaa", true), ("[^0-9]+", "abc", true),
      ("[^0-9]+", "ab1", false), ("a.c", "a𝄞c", true), ("[A-Za-z .'-]{1,40}", "O'Neil-Smith Jr.", true),
      ("\\[x\\]", "[x]", true), ("a?a?a?aaa", "aaa", true), ("[ء-ي ]+", "سالم", true), ("", "", true), ("", "a", false),
      ("a\\$", "a$", true), ("[\\]-]+", "]-", true), ("a*a*a*b", "aaab", true), ("a{2,}b", "ab", false),
      ("a{2,}b", "aaaaab", true), ("a{0}b", "b", true), ("a+b+", "aab", true),
    ])
  func matches(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try #require(BoundedPattern(pattern)).matches(text) == isMatch)
  }

  @Test(
    "what could run away or mean something else is no pattern",
    arguments: [
      "(a+)+", "a|b", "a**", "[a-", "[]", "[z-a]", "a{3,2}", "a{2001}", "a{1500}b{1500}", "a{x}", "a{", "\\w", "\\1",
      "\\", "*a", "a^b",
      "[[a]]",
    ])
  func refused(pattern: String) {
    #expect(BoundedPattern(pattern) == nil)
  }

  @Test("the worst pattern and text that fit end at once")
  func worstCase() throws {
    let pattern = try #require(
      BoundedPattern(String(repeating: "a?", count: 200) + String(repeating: "a*", count: 200) + "b"))
    #expect(!pattern.matches(String(repeating: "a", count: 500)))
    #expect(!pattern.matches(String(repeating: "a", count: 1001)))
    // An atom of as many ranges as there is room for, which hundreds of places ask for at each character.
    let set = String(String.UnicodeScalarView((0..<900).compactMap { Unicode.Scalar(0x3400 + 2 * $0) }))
    let crowded = try #require(BoundedPattern(".*[\(set)z]{0,1990}y"))
    #expect(!crowded.matches(String(repeating: "z", count: 1000)))
    #expect(crowded.matches(String(repeating: "z", count: 999) + "y"))
  }
}
