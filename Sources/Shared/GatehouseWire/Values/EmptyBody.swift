// SPDX-License-Identifier: Apache-2.0

/// The body `{}` of calls that need no members.
public struct EmptyBody: Codable, Sendable, Equatable {
  /// Creates the body.
  public init() {}
}
