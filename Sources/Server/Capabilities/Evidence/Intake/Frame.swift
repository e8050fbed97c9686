// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// A decoded picture. It belongs to the one call that decoded it and never crosses to another thread.
final class Frame {
  let handle: OpaquePointer

  /// Takes ownership of `handle`.
  init(owning handle: OpaquePointer) { self.handle = handle }

  deinit { cvision_frame_free(handle) }

  /// Decodes the whole of `bytes`.
  /// - Parameters:
  ///   - header: what was checked against the limits; the decoder compares what it finds with it.
  ///   - wholeMax: pixels above which it is decoded with sides half as long.
  /// - Throws: `ImageProblem.notDecodable`.
  convenience init(decoding bytes: Data, format: ImageFormat, header: ImageHeader, wholeMax: Int = .max) throws {
    guard header.isWhole else { throw ImageProblem.notDecodable }
    var out: OpaquePointer?
    var checked = cvision_header(
      width: Int32(header.width), height: Int32(header.height), components: Int32(header.components),
      depth: Int32(header.depth), scans: Int32(header.scans))
    let isHalved = header.width * header.height > wholeMax
    let decode =
      switch format {
      case .jpeg: isHalved ? cvision_decode_jpeg_halved : cvision_decode_jpeg
      case .png: isHalved ? cvision_decode_png_halved : cvision_decode_png
      }
    let status = bytes.withUnsafeBytes { raw in
      decode(raw.bindMemory(to: UInt8.self).baseAddress, raw.count, &checked, Int32(header.orientation), &out)
    }
    guard status == CVISION_OK, let out else { throw ImageProblem.notDecodable }
    self.init(owning: out)
  }

  /// Decodes what is within the limits.
  /// - Throws: `ImageProblem`.
  static func open(_ bytes: Data, limits: ImageLimits) throws -> (frame: Frame, format: ImageFormat) {
    let (format, header) = try limits.checked(bytes)
    let frame = try Frame(decoding: bytes, format: format, header: header, wholeMax: limits.wholePixelsMax(of: header))
    return (frame, format)
  }

  var width: Int { Int(cvision_frame_width(handle)) }
  var height: Int { Int(cvision_frame_height(handle)) }

  /// A copy turned clockwise by `quarters` × 90°.
  func rotated(quarters: Int) throws -> Frame {
    try derived { cvision_rotated(handle, Int32(quarters), $0) }
  }

  func cropped(to region: Region) throws -> Frame {
    try derived { cvision_cropped(handle, region.box, $0) }
  }

  /// A copy `width` pixels wide: box filter when smaller, cubic when larger.
  func scaled(toWidth width: Int) throws -> Frame {
    try derived { cvision_scaled(handle, Int32(width), $0) }
  }

  /// The width of a copy: `wanted`, or less where the copy would have more pixels than `most`. A picture that is
  /// thirteen times as high as it is wide may be small, and a copy of it large.
  func width(_ wanted: Int, most: Int) -> Int {
    let widest = (Double(most) * Double(width) / Double(max(1, height))).squareRoot()
    return min(wanted, max(1, Int(widest)))
  }

  /// The inside of `quad`, straightened.
  func rectified(_ quad: Quad, width: Int, height: Int) throws -> Frame {
    try derived { cvision_rectified(handle, quad.c, Int32(width), Int32(height), $0) }
  }

  /// A copy in which print is dark on white, whichever way it was.
  /// - Parameter hasBars: whether linear barcodes may be among it, which are wiped out.
  func print(hasBars: Bool = false) throws -> Frame { try derived { cvision_print(handle, hasBars ? 1 : 0, $0) } }

  /// Whether a copy of print, as `print` makes it, is mostly paper. What is busy all over, such as noise, is no screen, and
  /// finding no line in it takes a reader longer than any page.
  func isPrint() throws -> Bool {
    let small = try LumaPlane(scaled(toWidth: 160))
    let sum = small.luma.reduce(0) { $0 + Int($1) }
    return sum > small.luma.count * Self.paperMin
  }

  /// Mean luma of a page of print, at least; sheets have 230 and more.
  private static let paperMin = 190

  /// How much it looks like a photograph of a screen (`cvision_recapture`): the share of its colour ripples that is in
  /// one frequency, times their amplitude.
  /// - Returns: nil for a picture that is too small to tell.
  func ripple() throws -> Double? {
    guard width >= 64, height >= 64 else { return nil }
    var share: Float = 0, amplitude: Float = 0
    try CVisionFailure.check(cvision_recapture(handle, &share, &amplitude))
    return (Double(share) * Double(amplitude) * 10_000).rounded() / 10_000
  }

  /// A copy in which edges stand out that a lens blurred.
  func sharpened() throws -> Frame { try derived { cvision_sharpened(handle, 4, 1.5, $0) } }

  /// A copy with `margin` pixels more on each side.
  func bordered(by margin: Int) throws -> Frame { try derived { cvision_bordered(handle, Int32(margin), $0) } }

  /// JPEG bytes without metadata.
  func jpeg(quality: Int) throws -> Data {
    guard let bytes = try jpeg(quality: quality, bytesMax: .max) else { throw CVisionFailure(reason: "no JPEG") }
    return bytes
  }

  /// The same, and nil as soon as it takes more bytes than it may: noise of 32 million pixels takes as many bytes.
  func jpeg(quality: Int, bytesMax: Int) throws -> Data? {
    var bytes = cvision_bytes()
    let status = cvision_encode_jpeg(handle, Int32(quality), bytesMax, &bytes)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    defer { cvision_bytes_free(&bytes) }
    return Data(bytes: bytes.data, count: bytes.count)
  }

  func derived(_ make: (UnsafeMutablePointer<OpaquePointer?>) -> cvision_status) throws -> Frame {
    var out: OpaquePointer?
    try CVisionFailure.check(make(&out))
    guard let out else { throw CVisionFailure(reason: "no frame") }
    return Frame(owning: out)
  }
}

/// A failure of the vision libraries: a bug or a broken installation, not a property of the image.
package struct CVisionFailure: Error, CustomStringConvertible, Sendable {
  package let reason: String
  package var description: String { "vision: \(reason)" }

  static func check(_ status: cvision_status) throws {
    guard status == CVISION_OK else { throw CVisionFailure(reason: lastReason) }
  }

  static var lastReason: String { String(cString: cvision_last_error()) }
}
