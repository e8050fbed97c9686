public import Foundation

/// Chance, as the SDKs see it: spread for waiting times and fresh identifiers.
public struct ClientRandomness: Sendable {
  /// A number in 0..<1.
  public let unit: @Sendable () -> Double
  /// A fresh random UUID.
  public let uuid: @Sendable () -> UUID

  /// Creates the source from its closures.
  public init(unit: @escaping @Sendable () -> Double, uuid: @escaping @Sendable () -> UUID) {
    self.unit = unit
    self.uuid = uuid
  }

  /// The device's generator.
  public static let live = ClientRandomness(unit: { Double.random(in: 0..<1) }, uuid: { UUID() })
}
