// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The screening as its subject may see it: answer of `POST` and `GET /aml/screening` (rubix-onboarding §6.11, §7.4).
/// No list, no hit, no score: telling would be tipping off.
public struct CustomerScreening: Codable, Sendable, Equatable {
  /// Clean, under review or not answered yet.
  public var status: CustomerScreeningStatus
  /// When; nil while pending.
  @ExplicitNull public var screenedOn: WireInstant?

  /// Creates the value from its members.
  public init(status: CustomerScreeningStatus, screenedOn: WireInstant? = nil) {
    self.status = status
    self.screenedOn = screenedOn
  }

  enum CodingKeys: String, CodingKey {
    case status
    case screenedOn = "screened_on"
  }
}

/// All that a customer learns of a screening (rubix-onboarding §7.4).
public struct CustomerScreeningStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `clean`.
  public static let clean = CustomerScreeningStatus(rawValue: "clean")
  /// `under_review`.
  public static let underReview = CustomerScreeningStatus(rawValue: "under_review")
  /// The provider has not answered; ask again.
  public static let pending = CustomerScreeningStatus(rawValue: "pending")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [CustomerScreeningStatus] = [.clean, .underReview, .pending]
}
