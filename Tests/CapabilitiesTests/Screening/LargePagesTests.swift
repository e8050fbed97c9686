// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Screening

@Suite("Screening: long arrays in large pages", .storeless)
struct LargePagesTests {
  @Test("the large pages of a region lie within it, and leave less than one at either end")
  func inner() throws {
    let size = LargePages.bytes
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * size, alignment: size)
    defer { memory.deallocate() }
    for (start, count, pages) in [
      (0, 2 * size, 2), (1, 2 * size, 1), (size - 1, 2 * size, 1), (size, size - 1, 0), (1, size, 0), (64, 3 * size, 2),
      (0, 0, 0),
    ] {
      let region = UnsafeRawBufferPointer(rebasing: memory[start..<start + count])
      let found = LargePages.inner(of: region)
      #expect((found?.count ?? 0) == pages * size, "\(start) \(count)")
      guard let found, let first = found.baseAddress, let base = region.baseAddress else { continue }
      #expect(Int(bitPattern: first) % size == 0)
      #expect(first >= base && first - base < size)
      #expect(first + found.count <= base + region.count)
    }
    #expect(LargePages.inner(of: .init(start: nil, count: 0)) == nil)
  }

  @Test("an array that is held in large pages is what it was")
  func content() {
    let array = (0..<1_000_000).map { Int64($0) &* 7 }
    LargePages.hold(array)
    LargePages.hold([Int64]())
    #expect(array.enumerated().allSatisfy { $1 == Int64($0) &* 7 })
  }
}
