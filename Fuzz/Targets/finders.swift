// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// What looks for documents, symbols, screens and zones in a picture: the input draws filled boxes on a small canvas, and
/// its last bytes are a box to cut out.
func fuzz(_ bytes: Data) {
  guard bytes.count >= 12, let frame = canvas(bytes) else { return }
  defer { cvision_frame_free(frame) }
  var (quad, share, screens, zone) = (cvision_quad(), Float(), cvision_screens(), cvision_zone())
  if cvision_find_document(frame, &quad, &share) == CVISION_OK { use { cvision_rectified(frame, quad, 85, 54, &$0) } }
  if cvision_find_symbol(frame, &quad) == CVISION_OK { use { cvision_rectified(frame, quad, 120, 40, &$0) } }
  if cvision_find_screens(frame, &screens) == CVISION_OK { precondition(screens.count <= CVISION_SCREENS_MAX) }
  var (ripples, amplitude) = (Float(), Float())
  if cvision_recapture(frame, &ripples, &amplitude) == CVISION_OK {
    precondition((0...1).contains(ripples) && amplitude.isFinite)
  }
  var scores = [Float](
    repeating: 0, count: Int(CVISION_ZONE_ROWS * CVISION_ZONE_COLUMNS * CVISION_ZONE_GLYPHS))
  if cvision_read_zone(frame, &zone, &scores) == CVISION_OK {
    precondition(zone.rows <= CVISION_ZONE_ROWS && zone.columns <= CVISION_ZONE_COLUMNS)
    use { cvision_zone_strip(frame, &zone, &$0) }
  }
  let tail = bytes.suffix(8).map { Float(Int8(bitPattern: $0)) * 8 }
  use { cvision_cropped(frame, cvision_box(x: tail[0], y: tail[1], width: tail[2], height: tail[3]), &$0) }
  use { cvision_rotated(frame, Int32(tail[4]), &$0) }
  use { cvision_ink(frame, Double(tail[5]), &$0) }
  use { cvision_print(frame, tail[6] > 0 ? 1 : 0, &$0) }
}

/// Makes a frame, and lets it go.
private func use(_ make: (inout OpaquePointer?) -> cvision_status) {
  var made: OpaquePointer?
  if make(&made) == CVISION_OK { cvision_frame_free(made) }
}

private func canvas(_ bytes: Data) -> OpaquePointer? {
  let values = bytes.map(Int.init)
  let (width, height) = (values[0] * 2 + 8, values[1] * 2 + 8)
  var pixels = [UInt8](repeating: bytes[bytes.startIndex + 2], count: width * height * 3)
  for at in stride(from: 3, to: min(values.count - 4, 1500), by: 5) {
    let (left, top) = (values[at] * width / 256, values[at + 1] * height / 256)
    for row in top..<min(height, top + values[at + 2] / 4 + 1) {
      for column in left..<min(width, left + values[at + 3] / 4 + 1) {
        for channel in 0..<3 { pixels[(row * width + column) * 3 + channel] = UInt8(values[at + 4]) }
      }
    }
  }
  var frame: OpaquePointer?
  return cvision_frame_from_bgr(pixels, Int32(width), Int32(height), &frame) == CVISION_OK ? frame : nil
}
