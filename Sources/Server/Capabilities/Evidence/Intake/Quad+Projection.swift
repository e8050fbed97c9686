// SPDX-License-Identifier: Apache-2.0

extension Quad {
  /// The projective map of the unit square to a quad (P. Heckbert, Fundamentals of Texture Mapping, 1989, §2.2.3):
  /// x = (p·u + q·v + a.x) / (g·u + h·v + 1), and y alike with r, s and a.y, where a is the first corner.
  private struct Projection {
    let p, q, r, s, g, h: Double

    /// Nil for a quad without area.
    init?(_ quad: Quad) {
      let (a, b, c, d) = (quad.corners[0], quad.corners[1], quad.corners[2], quad.corners[3])
      let (dx1, dy1, dx2, dy2) = (b.x - c.x, b.y - c.y, d.x - c.x, d.y - c.y)
      let (dx3, dy3) = (a.x - b.x + c.x - d.x, a.y - b.y + c.y - d.y)
      let area = dx1 * dy2 - dx2 * dy1
      guard abs(area) > 1e-9 else { return nil }
      (g, h) = ((dx3 * dy2 - dx2 * dy3) / area, (dx1 * dy3 - dx3 * dy1) / area)
      (p, q) = (b.x - a.x + g * b.x, d.x - a.x + h * d.x)
      (r, s) = (b.y - a.y + g * b.y, d.y - a.y + h * d.y)
    }
  }

  /// Where a point lies when the quad is seen straight: 0…1 across from its first corner, and 0…1 down.
  /// - Returns: nil for a quad without area, or a point that the map does not reach.
  func place(of point: (x: Double, y: Double)) -> (across: Double, down: Double)? {
    guard let map = Projection(self) else { return nil }
    // The map turned round: two linear equations for u and v.
    let (m11, m12) = (map.p - map.g * point.x, map.q - map.h * point.x)
    let (m21, m22) = (map.r - map.g * point.y, map.s - map.h * point.y)
    let determinant = m11 * m22 - m12 * m21
    guard abs(determinant) > 1e-9 else { return nil }
    let (x, y) = (point.x - corners[0].x, point.y - corners[0].y)
    return ((x * m22 - y * m12) / determinant, (y * m11 - x * m21) / determinant)
  }

  /// The point that lies so far across and down when the quad is seen straight: what `place(of:)` turns round.
  /// - Parameters:
  ///   - across: 0…1 from the first corner to the second.
  ///   - down: 0…1 from the first corner to the last.
  /// - Returns: nil for a quad without area, or a place that the map does not reach.
  func point(across: Double, down: Double) -> (x: Double, y: Double)? {
    guard let map = Projection(self) else { return nil }
    let depth = map.g * across + map.h * down + 1
    guard abs(depth) > 1e-9 else { return nil }
    return (
      (map.p * across + map.q * down + corners[0].x) / depth, (map.r * across + map.s * down + corners[0].y) / depth
    )
  }
}
