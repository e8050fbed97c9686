// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("Kit: numbers with what they count", .storeless)
struct CountedTests {
  @Test(
    "one is told with the word for one, and every other number with that for many",
    arguments: [(0, "0 entries"), (1, "1 entry"), (2, "2 entries"), (21, "21 entries")])
  func counted(number: Int, text: String) {
    #expect(number.counted("entry", "entries") == text)
  }
}
