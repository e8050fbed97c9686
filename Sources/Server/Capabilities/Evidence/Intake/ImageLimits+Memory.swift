// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What decoding takes of memory, by the headers of pictures.
extension ImageLimits {
  /// Bytes that decoding a picture takes at most, for coefficients, pixels, and the second copy that turning by a quarter
  /// makes.
  func decodingBytes(of header: ImageHeader) -> Int {
    let coefficients = header.isStored ? header.width * header.height * header.components * 2 : 0
    let pixels = pixelBytes(of: header)
    return pixels + max(coefficients, header.orientation >= 5 ? pixels : 0)
  }

  /// Bytes of a picture when it is decoded.
  private func pixelBytes(of header: ImageHeader) -> Int {
    let isHalved = header.width * header.height > wholePixelsMax(of: header)
    return 3 * (isHalved ? (header.width + 1) / 2 * ((header.height + 1) / 2) : header.width * header.height)
  }

  /// Whether pictures, of one piece of work, are decoded and read while no other is. What is refused by its header
  /// counts nothing: a file of a few bytes would have all others wait for it.
  /// - Parameter isCompared: whether edited regions are looked for, too.
  func isLarge(_ pictures: Data..., isCompared: Bool = false) -> Bool {
    var (decoding, held) = (0, 0)
    for picture in pictures {
      guard let (format, header) = try? checked(picture), header.isWhole else { continue }
      let compared = isCompared ? EditedRegion.bytes(of: header, format) : 0
      decoding += max(decodingBytes(of: header), compared)
      held += pixelBytes(of: header)
    }
    return max(decoding, held == 0 ? 0 : held + Self.workingBytesMax) > sharedBytesMax
  }
}
