// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("texts of others are cut by their Unicode scalars", .storeless)
struct ScalarPrefixTests {
  @Test("one letter with any number of joiners is cut, and has no more than four bytes for each scalar")
  func joiners() {
    let joined = "a" + String(repeating: "\u{200D}", count: 10_000)
    #expect(joined.count == 1 && joined.prefix(64).utf8.count == 30_001)
    let kept = joined.prefix(scalars: 64)
    #expect(kept.unicodeScalars.elementsEqual(joined.unicodeScalars.prefix(64)))
    #expect(String(repeating: "👩", count: 65).prefix(scalars: 64).utf8.count == 256)
  }

  @Test("what is short enough stays as it is, and a cut falls between scalars")
  func boundaries() {
    #expect("".prefix(scalars: 3) == "" && "Zoë".prefix(scalars: 3) == "Zoë" && "王小明".prefix(scalars: 3) == "王小明")
    #expect("👩\u{200D}⚖\u{FE0F}".prefix(scalars: 1) == "👩" && "abc".prefix(scalars: 0) == "")
    #expect("e\u{301}a".prefix(scalars: 2).unicodeScalars.elementsEqual("e\u{301}".unicodeScalars))
  }
}
