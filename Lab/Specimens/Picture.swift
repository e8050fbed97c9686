// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import Foundation

/// An encoded picture.
package struct Picture: Sendable, Equatable {
  /// `png` or `jpeg`.
  package enum Format: String, Sendable, Codable {
    case png, jpeg
    /// The usual file name extension.
    package var fileExtension: String { self == .png ? "png" : "jpg" }
    package var mediaType: String { "image/\(rawValue)" }
  }

  package let format: Format
  package let data: Data
  package let width: Int
  package let height: Int
}

extension Canvas {
  /// - Parameter quality: 1…100, of a JPEG.
  func encoded(as format: Picture.Format, quality: Int = 90) throws(SpecimenError) -> Picture {
    let bytes = format == .png ? specimen_png(handle) : specimen_jpeg(handle, Int32(min(100, max(1, quality))))
    guard let pointer = bytes.data else { throw .notEncoded }
    defer { specimen_bytes_free(bytes) }
    return Picture(format: format, data: Data(bytes: pointer, count: bytes.count), width: width, height: height)
  }
}
