// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// What has been verified so far (rubix-onboarding §6.3).
public struct OnboardingFlags: Codable, Sendable, Equatable {
  /// The phone number, by a code.
  public var isContactNoVerified: Bool
  /// The e-mail address, by a code.
  public var isEmailVerified: Bool
  /// The documents against each other and the face; nil before the first verification.
  @ExplicitNull public var isEvaluationVerified: Bool?
  /// The screening.
  public var isAMLVerified: Bool

  /// Creates the value from its members.
  public init(
    isContactNoVerified: Bool, isEmailVerified: Bool, isEvaluationVerified: Bool? = nil, isAMLVerified: Bool
  ) {
    self.isContactNoVerified = isContactNoVerified
    self.isEmailVerified = isEmailVerified
    self.isEvaluationVerified = isEvaluationVerified
    self.isAMLVerified = isAMLVerified
  }

  enum CodingKeys: String, CodingKey {
    case isContactNoVerified = "is_contact_no_verified"
    case isEmailVerified = "is_email_verified"
    case isEvaluationVerified = "is_evaluation_verified"
    case isAMLVerified = "is_aml_verified"
  }
}
