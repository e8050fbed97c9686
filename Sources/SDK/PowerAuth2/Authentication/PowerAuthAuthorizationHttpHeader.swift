// SPDX-License-Identifier: Apache-2.0

/// One HTTP header that proves something about a request (powerauth.md §10).
public final class PowerAuthAuthorizationHttpHeader: Sendable, Equatable {
  /// The header's name.
  public let key: String
  /// The header's value.
  public let value: String

  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }

  public static func == (left: PowerAuthAuthorizationHttpHeader, right: PowerAuthAuthorizationHttpHeader) -> Bool {
    left.key == right.key && left.value == right.value
  }
}
