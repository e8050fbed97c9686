// SPDX-License-Identifier: Apache-2.0

/// Where the device is, to about ten metres (specification §10.8).
public struct Geolocation: Sendable, Equatable {
  /// Decimal degrees, WGS 84.
  public let latitude, longitude: Double

  /// - Returns: nil for what is nowhere on earth.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    (self.latitude, self.longitude) = (latitude, longitude)
  }

  /// As services want it: `GEO:52.506931;13.144558` (§4.4).
  public var text: String { "GEO:\(Self.degrees(latitude));\(Self.degrees(longitude))" }

  /// Six digits, a tenth of a metre, without an exponent and whatever the language.
  private static func degrees(_ value: Double) -> String {
    let millionths = Int((abs(value) * 1_000_000).rounded())
    let fraction = String(millionths % 1_000_000)
    let sign = value < 0 && millionths > 0 ? "-" : ""
    return "\(sign)\(millionths / 1_000_000).\(String(repeating: "0", count: 6 - fraction.count))\(fraction)"
  }
}

/// Asks the device where it is.
public struct Places: Sendable {
  let current: @Sendable () async -> Geolocation?

  /// - Parameter current: the place now; nil when it is not known or not to be told.
  public init(current: @escaping @Sendable () async -> Geolocation?) { self.current = current }

  /// A device that does not know.
  public static let none = Places { nil }
}
