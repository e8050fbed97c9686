// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Where an application stands as a whole (rubix-onboarding §4.3).
public struct OnboardingStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The customer is at work.
  public static let pending = OnboardingStatus(rawValue: "pending")
  /// People at the institution decide.
  public static let inReview = OnboardingStatus(rawValue: "in_review")
  /// The customer is onboarded.
  public static let completed = OnboardingStatus(rawValue: "completed")
  /// The institution declined.
  public static let rejected = OnboardingStatus(rawValue: "rejected")
  /// A newer application took its place.
  public static let abandoned = OnboardingStatus(rawValue: "abandoned")
  /// Idle for too long.
  public static let expired = OnboardingStatus(rawValue: "expired")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [OnboardingStatus] = [.pending, .inReview, .completed, .rejected, .abandoned, .expired]
}
