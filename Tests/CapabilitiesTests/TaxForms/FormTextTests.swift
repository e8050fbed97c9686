// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Forms

@Suite("Forms: the rule for texts is that of the other texts that people are shown", .storeless)
struct FormTextTests {
  @Test("no scalar is taken by the one rule and refused by the other; a form has no tabs and no carriage returns")
  func sameRule() {
    var apart: [UInt32] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      if FormText.isPlain(text) != DisplayedText.isPlain(text, lines: true) { apart.append(value) }
    }
    #expect(apart == [0x09, 0x0D])
  }
}
