// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Forms

@Suite("Forms: the rule for texts is that of the other texts that people are shown", .storeless)
struct FormTextTests {
  @Test("no scalar is taken by the one rule and refused by the other, but for the end of a line")
  func sameRule() {
    var apart: Set<UInt32> = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      for text in [String(scalar), "a\(scalar)"] where FormText.isPlain(text) != DisplayedText.isPlain(text) {
        apart.insert(value)
      }
    }
    #expect(apart == [0x0A])
  }
}
