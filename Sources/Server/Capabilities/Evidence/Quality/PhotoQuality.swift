// SPDX-License-Identifier: Apache-2.0

/// What can be said of a photo of any thing: whether something is on it, and whether anything of that is in focus.
package struct PhotoQuality: Codable, Equatable, Sendable {
  /// Standard deviation of luma, 0…128.
  package let contrast: Double
  /// Variance of the Laplacian of the sharpest of sixteen parts, at 1000 px width: a thing may stand before a wall that
  /// is out of focus, and its back may be plain.
  package let sharpness: Double

  private static let contrastMin = 6.0
  private static let sharpnessMin = 45.0
  static let width = 1000
  private static let parts = 4

  package var isBlank: Bool { contrast < Self.contrastMin }
  package var isBlurred: Bool { sharpness < Self.sharpnessMin }

  package init(_ plane: LumaPlane) {
    let count = Double(max(1, plane.luma.count))
    var (sum, squares) = (0, 0)
    for (luma, pixels) in plane.histogram.enumerated() {
      sum += luma * pixels
      squares += luma * luma * pixels
    }
    let mean = Double(sum) / count
    contrast = max(0, Double(squares) / count - mean * mean).squareRoot()
    var best = 0.0
    for row in 0..<Self.parts {
      for column in 0..<Self.parts {
        best = max(
          best,
          plane.sharpness(
            columns: plane.width * column / Self.parts..<plane.width * (column + 1) / Self.parts,
            rows: plane.height * row / Self.parts..<plane.height * (row + 1) / Self.parts))
      }
    }
    sharpness = best
  }
}

extension PhotoQuality {
  init(_ frame: Frame) throws {
    let width = frame.width(Self.width, most: Page.pixelsMax)
    self.init(try LumaPlane(frame.width > width ? frame.scaled(toWidth: width) : frame))
  }
}
