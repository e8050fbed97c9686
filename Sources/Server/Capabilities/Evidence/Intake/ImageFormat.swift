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
