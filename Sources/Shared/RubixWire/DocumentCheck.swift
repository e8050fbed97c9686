// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// One check on one image, such as `mrz-check-digits` (rubix-onboarding §6.8).
public struct DocumentCheck: Codable, Sendable, Equatable {
  /// Which check.
  public var code: String
  /// How it came out.
  public var result: CheckResult

  /// Creates the value from its members.
  public init(code: String, result: CheckResult) {
    self.code = code
    self.result = result
  }
}

/// How a check came out. What could not be decided is `inconclusive` and never passes silently.
public struct CheckResult: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `pass`.
  public static let pass = CheckResult(rawValue: "pass")
  /// `fail`.
  public static let fail = CheckResult(rawValue: "fail")
  /// `inconclusive`.
  public static let inconclusive = CheckResult(rawValue: "inconclusive")
  /// `not_applicable`.
  public static let notApplicable = CheckResult(rawValue: "not_applicable")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [CheckResult] = [.pass, .fail, .inconclusive, .notApplicable]
}
