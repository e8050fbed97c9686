// SPDX-License-Identifier: Apache-2.0

/// A member of a request that was not taken.
public struct FieldViolation: Hashable, Codable, Sendable {
  /// In Swift names, such as `addresses[0].postalCode`.
  public var field: String
  public var description: String

  /// Creates the value from its members.
  public init(field: String, description: String) {
    (self.field, self.description) = (field, description)
  }
}
