// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// A call that is in order now; the server decides, apps render (rubix-onboarding §4.4).
public struct NextStep: Codable, Sendable, Equatable {
  /// The step that the call leads to; nil for `/sessions`, which has none.
  @ExplicitNull public var step: OnboardingStep?
  /// HTTP method.
  public var method: String
  /// Path below the base path, such as `/documents/verification`.
  public var path: String
  /// Whether the onboarding can complete without it.
  public var optional: Bool
  /// Why it is asked again or asked at all, as a short stable word; left out when plain.
  public var reason: String?
  /// What a person at the institution says to the customer about it, to be shown as it is; left out without words.
  public var message: String?

  /// Creates the value from its members.
  public init(
    step: OnboardingStep? = nil, method: String, path: String, optional: Bool = false, reason: String? = nil
  ) {
    self.step = step
    self.method = method
    self.path = path
    self.optional = optional
    self.reason = reason
  }

  enum CodingKeys: String, CodingKey {
    case step
    case method
    case path
    case optional
    case reason
    case message
  }
}
