// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a picture looks like in 256 bits, which stay nearly the same when it is encoded anew, scaled, or made a little
/// lighter: which of the lowest 16 × 16 waves of a discrete cosine transform of its luma are stronger than their median.
///
/// It is a hash of the whole picture, frame and background included. Documents of one kind look alike once they are cut
/// out, so that a hash of the page alone would take one holder's passport for another's; and a picture that was cropped
/// is another picture. It proves nothing: a picture that is changed on purpose has another hash.
package struct PictureHash: Codable, Equatable, Sendable {
  /// Parts by which pictures are compared: as exact keys, so that a store finds them without looking at all.
  package static let partsCount = 8
  /// Pictures that share so many parts at their places are taken for one: measured in docs/evidence.md.
  package static let partsShared = 5

  package let parts: [UInt32]

  private static let waves = 16
  /// Pixels a row before the transform; finer detail does not reach the lowest waves.
  private static let width = 128

  /// - Precondition: as many parts as `partsCount`.
  package init(parts: [UInt32]) {
    precondition(parts.count == Self.partsCount, "a hash of 256 bits")
    self.parts = parts
  }

  init(of frame: Frame) throws {
    self.init(try LumaPlane(frame.scaled(toWidth: Self.width)))
  }

  init(_ plane: LumaPlane) {
    let (across, down) = (Self.basis(plane.width), Self.basis(plane.height))
    let (waves, width, height) = (Self.waves, plane.width, plane.height)
    var sums = [Double](repeating: 0, count: waves * waves)
    // Plain loops over pointers: every picture that is taken in comes through here, and tests run it without optimisation.
    plane.luma.withUnsafeBufferPointer { luma in
      across.withUnsafeBufferPointer { across in
        var row = [Double](repeating: 0, count: waves)
        for y in 0..<height {
          for u in 0..<waves {
            var (sum, x, pixel, wave) = (0.0, 0, y * width, u * width)
            while x < width {
              sum += Double(luma[pixel]) * across[wave]
              (x, pixel, wave) = (x &+ 1, pixel &+ 1, wave &+ 1)
            }
            row[u] = sum
          }
          for v in 0..<waves {
            for u in 0..<waves { sums[v * waves + u] += row[u] * down[v * height + y] }
          }
        }
      }
    }
    let median = sums.sorted()[sums.count / 2]
    parts = (0..<Self.partsCount).map { part in
      var bits: UInt32 = 0
      for bit in 0..<32 where sums[part * 32 + bit] > median { bits |= 1 << UInt32(bit) }
      return bits
    }
  }

  /// How many parts are the same.
  package func shared(with other: PictureHash) -> Int { zip(parts, other.parts).count { $0 == $1 } }

  /// Waves 1 to 16 at the middles of `count` pixels, one after the other: wave 0, the mean, is left out.
  private static func basis(_ count: Int) -> [Double] {
    (1...waves).flatMap { wave in
      (0..<count).map { (pixel: Int) -> Double in
        let (middle, size) = (Double(pixel) + 0.5, Double(count))
        return cos(middle * Double(wave) * Double.pi / size)
      }
    }
  }
}
