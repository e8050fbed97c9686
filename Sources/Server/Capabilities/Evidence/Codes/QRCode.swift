// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// QR codes (ISO/IEC 18004), drawn for screens and read from their pictures.
package enum QRCode {
  /// UTF-8 bytes that fit.
  package static let bytesMax = 2329

  /// A code as PNG, black on white with its quiet zone, of error correction M.
  /// - Parameter module: pixels a module, 1 to 32.
  /// - Throws: `CVisionFailure`, also when the text is empty or longer than `bytesMax`.
  package static func png(_ text: String, module: Int = 8) throws -> Data {
    var out: OpaquePointer?
    let bytes = Array(text.utf8)
    try CVisionFailure.check(cvision_draw_qr(bytes, bytes.count, Int32(module), &out))
    guard let out else { throw CVisionFailure(reason: "no frame") }
    let frame = Frame(owning: out)
    var png = cvision_bytes()
    try CVisionFailure.check(cvision_encode_png(frame.handle, &png))
    defer { cvision_bytes_free(&png) }
    return Data(bytes: png.data, count: png.count)
  }

  /// - Returns: nil when the picture shows no code, or one that is not UTF-8.
  /// - Throws: `ImageProblem` for what is no picture.
  package static func text(in picture: Data) throws -> String? {
    var limits = ImageLimits()
    // A code is a small picture, and large enough when it can be read.
    limits.shortSideMin = 21
    let (frame, _) = try Frame.open(picture, limits: limits)
    var (bytes, quad) = (cvision_bytes(), cvision_quad())
    let status = cvision_read_qr(frame.handle, &bytes, &quad)
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    defer { cvision_bytes_free(&bytes) }
    return String(data: Data(bytes: bytes.data, count: bytes.count), encoding: .utf8)
  }
}
