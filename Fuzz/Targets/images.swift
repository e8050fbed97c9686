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
  _ = try? EditedRegion.find(in: bytes)
  precondition(Int(cvision_frame_width(frame)) * Int(cvision_frame_height(frame)) == header.width * header.height)
}
