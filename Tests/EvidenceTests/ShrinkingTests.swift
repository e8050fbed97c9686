// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: pictures made smaller")
struct ShrinkingTests {
  @Test(
    "each pixel of a smaller copy is the mean of what it covers, whatever the scale",
    arguments: [(97, 61, 40), (97, 61, 96), (120, 80, 60), (31, 17, 1), (64, 64, 37)])
  func means(width: Int, height: Int, smaller: Int) throws {
    var random = SeededGenerator(seed: UInt64(width * smaller))
    let grey = (0..<width * height).map { _ in UInt8(random.next() % 256) }
    var raw = Pictures.gradient(width, height)
    raw.bgr = grey.flatMap { [$0, $0, $0] }
    let copy = try LumaPlane(Pictures.frame(raw).scaled(toWidth: smaller))
    #expect(copy.width == smaller)
    let across = Double(width) / Double(copy.width), down = Double(height) / Double(copy.height)
    for y in 0..<copy.height {
      for x in 0..<copy.width {
        var sum = 0.0
        for (row, share) in Self.covered(y, down, height) {
          for (column, part) in Self.covered(x, across, width) {
            sum += Double(grey[row * width + column]) * share * part
          }
        }
        #expect(abs(Double(copy.luma[y * copy.width + x]) - sum / (across * down)) <= 1)
      }
    }
  }

  /// The pixels that one of the copy covers along a side, with the length of each.
  private static func covered(_ index: Int, _ scale: Double, _ count: Int) -> [(Int, Double)] {
    let (low, high) = (Double(index) * scale, min(Double(index + 1) * scale, Double(count)))
    return (Int(low)..<min(count, Int(high.rounded(.up)))).map { pixel in
      (pixel, min(high, Double(pixel + 1)) - max(low, Double(pixel)))
    }
  }
}
