// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What was measured of an image (rubix-onboarding §6.7).
public struct ImageQuality: Codable, Sendable, Equatable {
  /// Variance of the Laplacian; more is sharper.
  public var sharpness: Double
  /// Share of blown-out pixels, 0…1.
  public var glare: Double
  /// Whether the whole subject is in the frame.
  public var crop: CropResult
  /// Mean brightness, 0…1; left out when not measured.
  public var exposure: Double?

  /// Creates the value from its members.
  public init(sharpness: Double, glare: Double, crop: CropResult, exposure: Double? = nil) {
    self.sharpness = sharpness
    self.glare = glare
    self.crop = crop
    self.exposure = exposure
  }
}

/// Whether the whole subject is in the frame.
public struct CropResult: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `ok`.
  public static let ok = CropResult(rawValue: "ok")
  /// `cropped`.
  public static let cropped = CropResult(rawValue: "cropped")
  /// `not_found`.
  public static let notFound = CropResult(rawValue: "not_found")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [CropResult] = [.ok, .cropped, .notFound]
}
