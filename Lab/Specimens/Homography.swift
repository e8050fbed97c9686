// SPDX-License-Identifier: Apache-2.0

/// A projective map of the plane, row-major.
struct Homography: Sendable {
  var m: [Double]

  func apply(_ x: Double, _ y: Double) -> (Double, Double) {
    let w = m[6] * x + m[7] * y + m[8]
    return ((m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w)
  }

  /// The map that undoes this one; the adjugate, as scale does not matter.
  var inverse: Homography {
    Homography(m: [
      m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
      m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
      m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
    ])
  }

  /// Takes the rectangle 0…width × 0…height to these corners, clockwise from the upper left (Heckbert 1989, §2.2.3).
  init(width: Double, height: Double, to q: [(x: Double, y: Double)]) {
    let sx = q[0].x - q[1].x + q[2].x - q[3].x
    let sy = q[0].y - q[1].y + q[2].y - q[3].y
    let dx1 = q[1].x - q[2].x
    let dx2 = q[3].x - q[2].x
    let dy1 = q[1].y - q[2].y
    let dy2 = q[3].y - q[2].y
    let determinant = dx1 * dy2 - dx2 * dy1
    let g = (sx * dy2 - dx2 * sy) / determinant
    let h = (dx1 * sy - sx * dy1) / determinant
    m = [
      (q[1].x - q[0].x + g * q[1].x) / width, (q[3].x - q[0].x + h * q[3].x) / height, q[0].x,
      (q[1].y - q[0].y + g * q[1].y) / width, (q[3].y - q[0].y + h * q[3].y) / height, q[0].y,
      g / width, h / height, 1,
    ]
  }

  init(m: [Double]) { self.m = m }
}
