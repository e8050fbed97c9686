// SPDX-License-Identifier: Apache-2.0

/// E-mail address or user name, and the password. Never stored, and printed without its content.
public struct Credential: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Needed to sign up.
  public var email: String?
  /// 12 characters or more, with a capital, a small letter and a digit, and neither common nor made of the user's names.
  public var password: String
  /// Up to 15 characters.
  public var username: String?

  /// Creates the value from its members.
  public init(email: String? = nil, password: String, username: String? = nil) {
    (self.email, self.password, self.username) = (email, password, username)
  }

  /// Says nothing, so that a stray print gives nothing away.
  public var description: String { "Credential(…)" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The tokens of a session. Printed without their content.
public struct AuthState: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// Opaque, and good for minutes.
  public var accessToken: String
  /// Opaque, and good for one renewal.
  public var refreshToken: String

  /// Creates the value from its members.
  public init(accessToken: String, refreshToken: String) {
    (self.accessToken, self.refreshToken) = (accessToken, refreshToken)
  }

  /// Says nothing, so that a stray print gives nothing away.
  public var description: String { "AuthState(…)" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
