// SPDX-License-Identifier: Apache-2.0

/// What was booked, and what can be spent.
public struct Balance: Hashable, Codable, Sendable {
  public var actual: Amount
  public var available: Amount

  /// Creates the value from its members.
  public init(actual: Amount, available: Amount) {
    (self.actual, self.available) = (actual, available)
  }
}
