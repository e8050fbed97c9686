// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import Testing

@testable import Evidence

@Suite("Evidence: pictures that would take long")
struct LongReadingTests {
  @Test("20,000 bars that hang together cost no more than a page")
  func bars() throws {
    let (width, height) = (1600, 1128)
    var raw = Pictures.Raw(width: width, height: height, bgr: [UInt8](repeating: 255, count: width * height * 3))
    for (column, x) in stride(from: 2, to: width - 2, by: 3).enumerated() {
      for top in stride(from: column % 2 * 10 + 2, to: height - 20, by: 21) {
        for y in top..<top + 20 {
          for channel in 0..<3 { raw.bgr[(y * width + x) * 3 + channel] = 0 }
        }
      }
    }
    let frame = try Pictures.frame(raw)
    let reader = LineReader(dataPath: nil)
    _ = try reader.isLatin()
    let before = Self.processorSeconds
    _ = try reader.lines(in: frame, timeLimitMilliseconds: 500)
    // Comparing each bar with each took 40 s and 2 GB.
    #expect(Self.processorSeconds - before < 10)
  }

  private static var processorSeconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}
