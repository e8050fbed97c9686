// SPDX-License-Identifier: Apache-2.0

/// What an image must be like to be taken (rubix-onboarding §8.3).
public struct CaptureRequirements: Codable, Sendable, Equatable {
  /// Size limit of the decoded file.
  public var maxBytes: Int
  /// Shortest side at least.
  public var minSidePixels: Int
  /// Longest side at most.
  public var maxSidePixels: Int
  /// Width times height at most.
  public var maxTotalPixels: Int
  /// Accepted formats.
  public var mediaTypes: [String]

  /// Creates the value from its members.
  public init(
    maxBytes: Int = 10 * 1024 * 1024,
    minSidePixels: Int = 640,
    maxSidePixels: Int = 8000,
    maxTotalPixels: Int = 60_000_000,
    mediaTypes: [String] = ["image/jpeg", "image/png"]
  ) {
    self.maxBytes = maxBytes
    self.minSidePixels = minSidePixels
    self.maxSidePixels = maxSidePixels
    self.maxTotalPixels = maxTotalPixels
    self.mediaTypes = mediaTypes
  }

  enum CodingKeys: String, CodingKey {
    case maxBytes = "max_bytes"
    case minSidePixels = "min_side_pixels"
    case maxSidePixels = "max_side_pixels"
    case maxTotalPixels = "max_total_pixels"
    case mediaTypes = "media_types"
  }
}
