// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// An image as it is kept: whole, upright, and without anything but its pixels.
///
/// 1. Not empty and within the byte limit.  2. JPEG or PNG by its magic bytes.  3. Dimensions, read from the header
/// before decoding, within the limits.  4. Decoded to the last pixel.  5. EXIF orientation applied.  6. Encoded anew as
/// baseline JPEG, so that no metadata, trailing data or second picture survives.
package struct EvidenceImage: Codable, Equatable, Sendable {
  /// Canonical JPEG bytes.
  package let bytes: Data
  package let width: Int
  package let height: Int
  /// Of the canonical bytes, lower-case hexadecimal.
  package let sha256: String
  /// What it looks like, to find it again when it was encoded anew.
  package let likeness: PictureHash
  /// What was sent.
  package let sourceFormat: ImageFormat

  package static let mediaType = "image/jpeg"
  /// Tried in turn until the bytes are no more than those that were sent: a picture that was pressed hard would grow
  /// several times otherwise.
  static let jpegQualities = [94, 85, 75, 60, 45, 30, 15]
  /// What a picture may always have, so that small ones of few colours stay readable.
  static let bytesAllowed = 1024 * 1024

  /// Takes an image in. Decodes and encodes: run it through `EvidenceQueue`.
  /// - Throws: `ImageProblem`; `CVisionFailure` when the encoder fails.
  package init(taking bytes: Data, limits: ImageLimits = ImageLimits()) throws {
    self = try Self.take(bytes, limits: limits).image
  }

  static func take(_ bytes: Data, limits: ImageLimits) throws -> (image: EvidenceImage, frame: Frame) {
    let (frame, format) = try Frame.open(bytes, limits: limits)
    return (try EvidenceImage(of: frame, from: bytes, format, limits: limits), frame)
  }

  /// The image that is kept of a frame, which was decoded from `bytes`.
  init(of frame: Frame, from bytes: Data, _ format: ImageFormat, limits: ImageLimits) throws {
    let canonical = try Self.canonical(
      frame, bytesMax: max(bytes.count, Self.bytesAllowed), pressedMax: max(limits.bytesMax, Self.bytesAllowed))
    // Noise that a PNG repeats takes little to send and much to keep, however hard it is pressed.
    guard let canonical else { throw ImageProblem.tooLarge(bytesMax: limits.bytesMax) }
    self.init(
      bytes: canonical, width: frame.width, height: frame.height,
      sha256: SHA256.hash(data: canonical).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined(),
      likeness: try PictureHash(of: frame), sourceFormat: format)
  }

  /// - Parameters:
  ///   - bytesMax: of the result.
  ///   - pressedMax: of the result where no quality is enough for that.
  private static func canonical(_ frame: Frame, bytesMax: Int, pressedMax: Int) throws -> Data? {
    for quality in jpegQualities {
      let most = quality == jpegQualities.last ? max(bytesMax, pressedMax) : bytesMax
      if let found = try frame.jpeg(quality: quality, bytesMax: most) { return found }
    }
    return nil
  }

  private init(
    bytes: Data, width: Int, height: Int, sha256: String, likeness: PictureHash, sourceFormat: ImageFormat
  ) {
    self.bytes = bytes
    self.width = width
    self.height = height
    self.sha256 = sha256
    self.likeness = likeness
    self.sourceFormat = sourceFormat
  }
}
