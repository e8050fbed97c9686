// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// A picture as intake takes it: format, header, limits, then the decoder in C++, and what reads codes from it.
func fuzz(_ bytes: Data) {
  guard let format = ImageFormat(sniffing: bytes), let header = ImageHeader(bytes, format: format), header.isWhole,
    header.width.multipliedReportingOverflow(by: header.height).partialValue <= 1 << 20, header.width <= 1 << 20,
    header.height <= 1 << 20, header.scans <= ImageLimits().scansMax
  else { return }
  var checked = cvision_header(
    width: Int32(header.width), height: Int32(header.height), components: Int32(header.components),
    depth: Int32(header.depth), scans: Int32(header.scans))
  var frame: OpaquePointer?
  let status = bytes.withUnsafeBytes { raw in
    let start = raw.bindMemory(to: UInt8.self).baseAddress
    return format == .jpeg
      ? cvision_decode_jpeg(start, bytes.count, &checked, Int32(header.orientation), &frame)
      : cvision_decode_png(start, bytes.count, &checked, Int32(header.orientation), &frame)
  }
  guard status == CVISION_OK, let frame else { return }
  defer { cvision_frame_free(frame) }
  readMore(bytes, format, header, checked)
  precondition(Int(cvision_frame_width(frame)) * Int(cvision_frame_height(frame)) == header.width * header.height)
}

/// What intake does besides with pictures that can be decoded: it halves large ones, and seeks parts that were edited.
private func readMore(_ bytes: Data, _ format: ImageFormat, _ header: ImageHeader, _ checked: cvision_header) {
  var (checked, half) = (checked, OpaquePointer?.none)
  var (evidence, box) = (Float(0), cvision_box())
  bytes.withUnsafeBytes { raw in
    let (start, orientation) = (raw.bindMemory(to: UInt8.self).baseAddress, Int32(header.orientation))
    if format == .jpeg {
      _ = cvision_decode_jpeg_halved(start, bytes.count, &checked, orientation, &half)
      _ = cvision_edited_region(start, bytes.count, &checked, orientation, &evidence, &box)
    } else {
      _ = cvision_decode_png_halved(start, bytes.count, &checked, orientation, &half)
    }
  }
  guard let half else { return }
  defer { cvision_frame_free(half) }
  precondition(
    Int(cvision_frame_width(half)) * Int(cvision_frame_height(half))
      == (header.width + 1) / 2 * ((header.height + 1) / 2))
}
