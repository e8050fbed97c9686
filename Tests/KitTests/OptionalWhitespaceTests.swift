// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("Kit: optional whitespace around a field's value", .storeless)
struct OptionalWhitespaceTests {
  @Test(
    "spaces and tabs around it go, whatever else there is stays",
    arguments: [
      ("token", "token"), (" token", "token"), ("\t token \t", "token"), ("two words", "two words"), ("", ""),
      (" \t ", ""), ("é", "é"), (" 漢字 ", "漢字"), ("\u{a0}x\u{a0}", "\u{a0}x\u{a0}"), ("x\r\n", "x\r\n"),
    ])
  func trimmed(text: String, expected: String) {
    #expect(text[...].withoutOptionalWhitespace == expected)
    #expect("Bearer \(text)".dropFirst(7).withoutOptionalWhitespace == expected)
  }
}
