// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import Foundation

/// An open font file.
final class Font {
  let handle: OpaquePointer

  /// Opens the first of these files that is there and readable.
  ///
  /// - Throws: `SpecimenError.fontMissing`, naming the Debian package that brings it.
  init(_ paths: [String], package: String) throws(SpecimenError) {
    for path in paths where FileManager.default.isReadableFile(atPath: path) {
      if let handle = specimen_font_open(path) {
        self.handle = handle
        return
      }
    }
    throw .fontMissing(package: package)
  }

  deinit { specimen_font_close(handle) }
}

/// The fonts of a document, opened for one drawing.
struct Fonts {
  let plain: Font
  let bold: Font
  let serif: Font
  /// OCR-B (ISO 1073-2), the only font of a machine-readable zone (Doc 9303-3 §4.2).
  let machine: Font

  init() throws(SpecimenError) {
    plain = try Self.dejaVu("DejaVuSans")
    bold = try Self.dejaVu("DejaVuSans-Bold")
    serif = try Self.dejaVu("DejaVuSerif-Bold")
    machine = try Font(
      ["/usr/share/fonts/opentype/ocr-b/OCRB.otf", "/usr/local/share/fonts/OCRB.otf"], package: "fonts-ocr-b")
  }

  static func dejaVu(_ name: String) throws(SpecimenError) -> Font {
    try Font(
      ["/usr/share/fonts/truetype/dejavu/\(name).ttf", "/usr/local/share/fonts/\(name).ttf"],
      package: "fonts-dejavu-core")
  }
}
