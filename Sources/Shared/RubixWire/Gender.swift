// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Gender as the customer record holds it (rubix-onboarding §6.1).
public struct Gender: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `F`.
  public static let female = Gender(rawValue: "F")
  /// `M`.
  public static let male = Gender(rawValue: "M")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [Gender] = [.female, .male]
}
