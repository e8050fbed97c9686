// SPDX-License-Identifier: Apache-2.0

import CVision

/// The barcode under a number of a sheet of identifiers (Code 128, ISO/IEC 15417): the same number for machines.
enum ScreenBarcode {
  /// - Parameter part: where to look, in pixels of the frame.
  /// - Returns: nil without one, or for one that holds more than ASCII.
  static func text(in frame: Frame, part: Region) throws -> String? {
    guard part.x < frame.width, part.y < frame.height, part.x + part.width > 0, part.y + part.height > 0 else {
      return nil
    }
    let cut = try frame.cropped(to: part)
    var (bytes, quad) = (cvision_bytes(), cvision_quad())
    let status = cvision_read_code128(cut.handle, &bytes, &quad)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    defer { cvision_bytes_free(&bytes) }
    let text = UnsafeBufferPointer(start: bytes.data, count: bytes.count)
    return text.allSatisfy { $0 < 128 } ? String(decoding: text, as: UTF8.self) : nil
  }
}
