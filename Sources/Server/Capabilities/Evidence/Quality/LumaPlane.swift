// SPDX-License-Identifier: Apache-2.0

import CVision

/// 8-bit luma (0.299 R + 0.587 G + 0.114 B) and chroma (max − min of R, G, B) of a picture, row by row.
package struct LumaPlane: Equatable, Sendable {
  package let width: Int
  package let height: Int
  package let luma: [UInt8]
  package let chroma: [UInt8]

  /// - Precondition: both planes hold width × height bytes.
  package init(width: Int, height: Int, luma: [UInt8], chroma: [UInt8]? = nil) {
    precondition(luma.count == width * height && (chroma?.count ?? luma.count) == luma.count, "planes fill the picture")
    self.width = width
    self.height = height
    self.luma = luma
    self.chroma = chroma ?? [UInt8](repeating: 0, count: luma.count)
  }

  init(_ frame: Frame) throws {
    let width = frame.width, height = frame.height
    var luma = [UInt8](repeating: 0, count: width * height)
    var chroma = luma
    try CVisionFailure.check(cvision_planes(frame.handle, &luma, &chroma))
    self.init(width: width, height: height, luma: luma, chroma: chroma)
  }
}
