// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Chance, as the SDKs see it: spread for waiting times, fresh identifiers and keys.
public struct ClientRandomness: Sendable {
  /// A number in 0..<1.
  public let unit: @Sendable () -> Double
  /// A fresh random UUID.
  public let uuid: @Sendable () -> UUID
  /// As many unpredictable bytes as asked for, good enough for keys.
  public let bytes: @Sendable (Int) -> [UInt8]

  /// Creates the source from its closures.
  public init(
    unit: @escaping @Sendable () -> Double, uuid: @escaping @Sendable () -> UUID,
    bytes: @escaping @Sendable (Int) -> [UInt8] = ClientRandomness.live.bytes
  ) {
    self.unit = unit
    self.uuid = uuid
    self.bytes = bytes
  }

  /// The device's generator.
  public static let live = ClientRandomness(
    unit: { Double.random(in: 0..<1) }, uuid: { UUID() },
    bytes: { count in
      var generator = SystemRandomNumberGenerator()
      return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    })
}
