// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The two image formats that are taken in (rubix-onboarding §8.3), told apart by their first bytes and nothing else.
package enum ImageFormat: String, Codable, Sendable {
  case jpeg, png

  /// - Returns: nil when the bytes begin as neither.
  package init?(sniffing bytes: Data) {
    let head = Array(bytes.prefix(8))
    if head.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if head == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] {
      self = .png
    } else {
      return nil
    }
  }

  /// The IANA media type.
  package var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    }
  }
}

/// What an image may be before it is decoded (rubix-onboarding §8.3).
package struct ImageLimits: Codable, Sendable {
  /// Encoded size, in bytes.
  package var bytesMax = 10 * 1024 * 1024
  /// Width × height, in pixels: a decoded pixel costs three bytes, whatever the file's size.
  package var pixelsMax = 60_000_000
  /// Pixels above which a picture is taken in with sides half as long. Cameras that make such pictures resolve less than
  /// they count, and half of their sides is still more than what reads a page looks at.
  package var wholePixelsMax = 32_000_000
  /// The most pixels of a JPEG that is held as coefficients, such as a progressive one: six bytes a pixel until its last
  /// scan is read, besides the three of the result. One of four components has eight, and may have 9/11 of the pixels.
  package var pixelsOfScansMax = 24_000_000
  /// Pixels above which such a picture is taken in with sides half as long: its coefficients are held whole, and the
  /// pixels that are made of them take a quarter.
  package var wholePixelsOfScansMax = 16_000_000
  /// Bytes that a picture may take while it is decoded and read beside another one. What takes more is read alone.
  package var sharedBytesMax = 108_000_000
  /// Bytes that reading takes beside the decoded picture, at most: copies in grey, of the page, and those of the reader
  /// of barcodes. Each has a limit of pixels, so that it is the same for all pictures.
  static let workingBytesMax = 64_000_000
  /// Scans of a JPEG: each goes over all its pixels. Real ones have about ten.
  package var scansMax = 64
  /// Shorter side, in pixels: an ID-1 card scanned at 300 dpi has 638.
  package var shortSideMin = 600
  /// Longer side, in pixels.
  package var longSideMax = 8000

  package init() {}

  /// The most pixels of a picture with this header.
  func pixelsMax(of header: ImageHeader) -> Int {
    guard header.isStored else { return pixelsMax }
    return header.components == 4 ? pixelsOfScansMax / 11 * 9 : pixelsOfScansMax
  }

  /// Pixels above which a picture with this header is decoded with sides half as long.
  func wholePixelsMax(of header: ImageHeader) -> Int {
    header.isStored ? min(wholePixelsMax, wholePixelsOfScansMax) : wholePixelsMax
  }

  /// Checks size, type and dimensions, in this order, and decodes nothing.
  func checked(_ bytes: Data) throws(ImageProblem) -> (format: ImageFormat, header: ImageHeader) {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= bytesMax else { throw .tooLarge(bytesMax: bytesMax) }
    guard let format = ImageFormat(sniffing: bytes) else { throw .unsupportedMedia }
    guard let header = ImageHeader(bytes, format: format) else { throw .notDecodable }
    let pixelsMax = pixelsMax(of: header)
    // The side is checked first: it keeps the product of the next line small.
    guard max(header.width, header.height) <= longSideMax, header.width * header.height <= pixelsMax else {
      throw .dimensionsTooLarge(sideMax: longSideMax, pixelsMax: pixelsMax)
    }
    guard header.scans <= scansMax else { throw .notDecodable }
    guard min(header.width, header.height) >= shortSideMin else { throw .tooSmall(sideMin: shortSideMin) }
    return (format, header)
  }

  /// Of screenshots, of which a customer may have sent only the few lines that matter.
  package static let screenshot: ImageLimits = {
    var limits = ImageLimits()
    limits.bytesMax = 5 * 1024 * 1024
    limits.shortSideMin = 100
    return limits
  }()
}

/// Why an image was not taken in. Carries no part of the image.
package enum ImageProblem: Error, Codable, Equatable, Sendable {
  case empty
  /// Neither JPEG nor PNG.
  case unsupportedMedia
  /// More bytes than `ImageLimits.bytesMax`, as it was sent or as it would be kept.
  case tooLarge(bytesMax: Int)
  /// The shorter side is below `ImageLimits.shortSideMin`.
  case tooSmall(sideMin: Int)
  /// A side or the number of pixels is above the limits.
  case dimensionsTooLarge(sideMax: Int, pixelsMax: Int)
  /// Truncated or damaged.
  case notDecodable

  /// A stable code for clients.
  package var code: String {
    switch self {
    case .empty: "image-empty"
    case .unsupportedMedia: "unsupported-media"
    case .tooLarge: "payload-too-large"
    case .tooSmall: "image-too-small"
    case .dimensionsTooLarge: "image-dimensions"
    case .notDecodable: "image-not-decodable"
    }
  }
}
