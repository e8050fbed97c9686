// SPDX-License-Identifier: Apache-2.0

/// One member of a request that was refused (rubix-onboarding §1.2, `errors[]`).
public struct ProblemFieldError: Codable, Sendable, Equatable {
  /// JSON pointer of the member (RFC 6901).
  public var field: String
  /// A short stable word for what is wrong.
  public var code: String
  /// The same for people. Never repeats the refused value.
  public var message: String

  /// Creates the value from its members.
  public init(field: String, code: String, message: String) {
    self.field = field
    self.code = code
    self.message = message
  }
}
