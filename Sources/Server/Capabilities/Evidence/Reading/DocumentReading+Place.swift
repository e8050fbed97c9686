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
