// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// The readers of bar codes, over a small grey picture whose rows of modules the input draws.
func fuzz(_ bytes: Data) {
  guard bytes.count >= 4 else { return }
  let (columns, module) = (Int(bytes[0] % 120) + 4, Int(bytes[1] % 3) + 2)
  let bits = bytes.dropFirst(2)
  let rows = min(120, bits.count * 8 / columns)
  guard rows > 0 else { return }
  let margin = 4 * module
  let (width, height) = (columns * module + 2 * margin, rows * module + 2 * margin)
  var pixels = [UInt8](repeating: 255, count: width * height * 3)
  for row in 0..<rows * module {
    for column in 0..<columns * module {
      let bit = row / module * columns + column / module
      guard bits[bits.startIndex + bit / 8] >> (bit % 8) & 1 == 1 else { continue }
      let at = ((row + margin) * width + column + margin) * 3
      for offset in 0..<3 { pixels[at + offset] = 0 }
    }
  }
  var frame: OpaquePointer?
  guard cvision_frame_from_bgr(pixels, Int32(width), Int32(height), &frame) == CVISION_OK, let frame else { return }
  defer { cvision_frame_free(frame) }
  for read in [cvision_read_qr, cvision_read_code128] {
    var (found, quad) = (cvision_bytes(), cvision_quad())
    if read(frame, &found, &quad) == CVISION_OK { cvision_bytes_free(&found) }
  }
  var (found, quad, left) = (cvision_bytes(), cvision_quad(), 10_000)
  if cvision_read_pdf417(frame, &left, &found, &quad) == CVISION_OK { cvision_bytes_free(&found) }
  precondition(left >= 0 && left <= 10_000)
}
