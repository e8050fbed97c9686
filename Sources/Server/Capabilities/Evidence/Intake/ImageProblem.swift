/// Why an image was not taken in. Carries no part of the image.
package enum ImageProblem: Error, Equatable, Sendable {
  case empty
  /// Neither JPEG nor PNG.
  case unsupportedMedia
  /// More bytes than `ImageLimits.bytesMax`.
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
