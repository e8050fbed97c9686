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

  /// Grey, by the brightness of each pixel, row by row.
  package static func grey(_ luma: [UInt8], width: Int) -> RawPicture {
    var bgr = [UInt8](repeating: 0, count: luma.count * 3)
    for (at, value) in luma.enumerated() {
      bgr[at * 3] = value
      bgr[at * 3 + 1] = value
      bgr[at * 3 + 2] = value
    }
    return RawPicture(width: width, height: luma.count / width, bgr: bgr)
  }

  /// Of one colour.
  package static func even(_ width: Int, _ height: Int, blue: UInt8, green: UInt8, red: UInt8) -> RawPicture {
    var bgr = [UInt8](repeating: green, count: width * height * 3)
    for at in stride(from: 0, to: bgr.count, by: 3) {
      bgr[at] = blue
      bgr[at + 2] = red
    }
    return RawPicture(width: width, height: height, bgr: bgr)
  }

  /// Each byte is the lowest one of what `next` gives.
  package static func noise(_ width: Int, _ height: Int, _ next: () -> UInt64) -> RawPicture {
    let bgr = (0..<width * height * 3).map { _ in UInt8(truncatingIfNeeded: next()) }
    return RawPicture(width: width, height: height, bgr: bgr)
  }
}
