/// What an image may be before it is decoded (rubix-onboarding §8.3).
package struct ImageLimits: Sendable {
  /// Encoded size, in bytes.
  package var bytesMax = 10 * 1024 * 1024
  /// Width × height, in pixels: a decoded pixel costs three bytes, whatever the file's size.
  package var pixelsMax = 60_000_000
  /// Shorter side, in pixels.
  package var shortSideMin = 640
  /// Longer side, in pixels.
  package var longSideMax = 8000

  package init() {}

  /// Of screenshots, of which a customer may have sent only the few lines that matter.
  package static let screenshot: ImageLimits = {
    var limits = ImageLimits()
    limits.bytesMax = 5 * 1024 * 1024
    limits.shortSideMin = 100
    return limits
  }()
}
