// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `GET /health` (rubix-onboarding §6.15).
public struct HealthView: Codable, Sendable, Equatable {
  /// Whether it can serve.
  public var status: HealthStatus

  /// Creates the value from its members.
  public init(status: HealthStatus) {
    self.status = status
  }
}

/// Whether a server can serve.
public struct HealthStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `ok`.
  public static let ok = HealthStatus(rawValue: "ok")
  /// `unavailable`.
  public static let unavailable = HealthStatus(rawValue: "unavailable")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [HealthStatus] = [.ok, .unavailable]
}
