// SPDX-License-Identifier: Apache-2.0

/// A picture of packed BGR.
package struct RawPicture: Sendable {
  package let width: Int
  package let height: Int
  package var bgr: [UInt8]

  package init(width: Int, height: Int, bgr: [UInt8]) { (self.width, self.height, self.bgr) = (width, height, bgr) }

  /// Darkest at the upper left.
  package static func gradient(_ width: Int, _ height: Int) -> RawPicture {
    var bgr: [UInt8] = []
    bgr.reserveCapacity(width * height * 3)
    for y in 0..<height {
      for x in 0..<width {
        let value = UInt8((x + y) * 255 / (width + height))
        bgr.append(value)
        bgr.append(value / 2)
        bgr.append(value)
      }
    }
    return RawPicture(width: width, height: height, bgr: bgr)
  }

  /// Each byte is the lowest one of what `next` gives.
  package static func noise(_ width: Int, _ height: Int, _ next: () -> UInt64) -> RawPicture {
    let bgr = (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: next()) }
    return RawPicture(width: width, height: height, bgr: bgr)
  }
}
