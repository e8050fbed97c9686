// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: large pages", .storeless)
struct LargePagesTests {
  @Test("arrays hold what they held, whether or not they fill a page", arguments: [0, 1, 1000, 3 << 20])
  func contents(count: Int) {
    let numbers = (0..<count).map(Int32.init)
    LargePages.hold(numbers)
    #expect(numbers.count == count && numbers.indices.allSatisfy { numbers[$0] == $0 })
  }
}
