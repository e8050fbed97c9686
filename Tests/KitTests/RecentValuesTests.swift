// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("Kit: values used of late", .storeless)
struct RecentValuesTests {
  @Test("what is used stays, what was not used is dropped, and there are never more than the maximum")
  func bounded() {
    let recent = RecentValues<Int, String>(countMax: 10)
    recent.keep("used", for: -1)
    recent.keep("idle", for: -2)
    for number in 0..<100 {
      recent.keep("other", for: number)
      #expect(recent.find(-1) == "used")
      #expect(recent.count <= 10)
    }
    #expect(recent.find(-2) == nil)
  }

  @Test("a newer value takes the place of the older one, and pushes nothing out")
  func replaced() {
    let recent = RecentValues<Int, Int>(countMax: 4)
    recent.keep(1, for: 1)
    recent.keep(2, for: 2)
    for number in 0..<10 { recent.keep(number, for: 1) }
    #expect(recent.find(1) == 9 && recent.find(2) == 2)
  }
}
