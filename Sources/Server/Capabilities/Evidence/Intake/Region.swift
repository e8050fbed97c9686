// SPDX-License-Identifier: Apache-2.0

import CVision

/// A rectangle in pixels of the canonical image, origin at the top left.
package struct Region: Codable, Equatable, Sendable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  init(_ box: cvision_box) {
    self.init(
      x: Self.whole(box.x), y: Self.whole(box.y), width: Self.whole(box.width), height: Self.whole(box.height))
  }

  var box: cvision_box {
    cvision_box(x: Float(x), y: Float(y), width: Float(width), height: Float(height))
  }

  func contains(row: Int) -> Bool { row >= y && row < y + height }

  /// As much larger on each side.
  func grown(by margin: Int) -> Region {
    Region(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  var midX: Double { Double(x) + Double(width) / 2 }
  var midY: Double { Double(y) + Double(height) / 2 }

  /// Whether they have an area in common.
  func overlaps(_ other: Region) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }

  /// The smallest rectangle around both.
  func union(_ other: Region) -> Region {
    let left = min(x, other.x), top = min(y, other.y)
    return Region(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }

  /// The same place in a picture that is larger by `share`.
  func scaled(by share: Double) -> Region {
    func moved(_ pixels: Int) -> Int { Int((Double(pixels) * share).rounded()) }
    return Region(x: moved(x), y: moved(y), width: moved(width), height: moved(height))
  }

  /// The same place after that picture was turned clockwise by `quarters` × 90°.
  func turned(_ quarters: Int, in picture: Frame) -> Region {
    switch quarters % 4 {
    case 1: Region(x: picture.height - y - height, y: x, width: height, height: width)
    case 2: Region(x: picture.width - x - width, y: picture.height - y - height, width: width, height: height)
    case 3: Region(x: y, y: picture.width - x - width, width: height, height: width)
    default: self
    }
  }

  /// A float that is not finite, which a degenerate homography can give, becomes 0.
  static func whole(_ value: Float) -> Int {
    value.isFinite ? Int(max(-1e6, min(1e6, value)).rounded()) : 0
  }
}

/// Four corners, clockwise from the top left of what they frame.
struct Quad {
  var corners: [(x: Double, y: Double)]

  init(corners: [(x: Double, y: Double)]) { self.corners = corners }

  init(_ c: cvision_quad) {
    corners = [
      (Double(c.x.0), Double(c.y.0)), (Double(c.x.1), Double(c.y.1)),
      (Double(c.x.2), Double(c.y.2)), (Double(c.x.3), Double(c.y.3)),
    ]
  }

  var c: cvision_quad {
    let x = corners.map { Float($0.x) }, y = corners.map { Float($0.y) }
    return cvision_quad(x: (x[0], x[1], x[2], x[3]), y: (y[0], y[1], y[2], y[3]))
  }

  /// The rectangle around the corners.
  var region: Region {
    let x = corners.map(\.x), y = corners.map(\.y)
    let left = x.min() ?? 0, top = y.min() ?? 0
    return Region(
      cvision_box(
        x: Float(left), y: Float(top), width: Float((x.max() ?? 0) - left), height: Float((y.max() ?? 0) - top)))
  }

  /// Length of the edge that starts at corner `index`, in pixels.
  func edge(_ index: Int) -> Double {
    let from = corners[index % 4], to = corners[(index + 1) % 4]
    let dx = to.x - from.x, dy = to.y - from.y
    return (dx * dx + dy * dy).squareRoot()
  }

  /// The same quad seen after a quarter-turn: the corner that was last becomes first.
  func turned(_ quarters: Int) -> Quad {
    var copy = self
    for _ in 0..<(((quarters % 4) + 4) % 4) { copy.corners.insert(copy.corners.removeLast(), at: 0) }
    return copy
  }
}
