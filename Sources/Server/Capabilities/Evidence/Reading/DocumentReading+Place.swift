// SPDX-License-Identifier: Apache-2.0

extension DocumentReading.PageInfo {
  /// A point in pixels of the canonical image, origin at the top left.
  package struct Point: Equatable, Sendable {
    package let x: Double
    package let y: Double
  }

  /// Where a part of the page lies in the canonical image, which is the picture that is kept.
  /// - Parameter part: in pixels of the page.
  /// - Returns: four corners, clockwise from the part's own top left; nil where the page was not outlined, for then it is
  ///   not known how it was turned.
  package func place(of part: Region) -> [Point]? {
    guard corners.count == 8, width > 0, height > 0 else { return nil }
    let quad = Quad(corners: stride(from: 0, to: 8, by: 2).map { (x: corners[$0], y: corners[$0 + 1]) })
    let (right, bottom) = (part.x + part.width, part.y + part.height)
    let points = [(part.x, part.y), (right, part.y), (right, bottom), (part.x, bottom)].compactMap { x, y in
      quad.point(across: Double(x) / Double(width), down: Double(y) / Double(height))
    }
    return points.count == 4 ? points.map { Point(x: $0.x, y: $0.y) } : nil
  }
}

extension Quad {
  /// The point that lies so far across and down when the quad is seen straight: what `place(of:)` turns round.
  /// - Parameters:
  ///   - across: 0…1 from the first corner to the second.
  ///   - down: 0…1 from the first corner to the last.
  /// - Returns: nil for a quad without area, or a place that the map does not reach.
  func point(across: Double, down: Double) -> (x: Double, y: Double)? {
    let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
    let (dx1, dy1, dx2, dy2) = (b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y)
    let (dx3, dy3) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
    let area = dx1 * dy2 - dx2 * dy1
    guard abs(area) > 1e-9 else { return nil }
    let g = (dx3 * dy2 - dx2 * dy3) / area, h = (dx1 * dy3 - dx3 * dy1) / area
    let depth = g * across + h * down + 1
    guard abs(depth) > 1e-9 else { return nil }
    return (
      ((b.x - a.x + g * b.x) * across + (d.x - a.x + h * d.x) * down + a.x) / depth,
      ((b.y - a.y + g * b.y) * across + (d.y - a.y + h * d.y) * down + a.y) / depth
    )
  }
}
