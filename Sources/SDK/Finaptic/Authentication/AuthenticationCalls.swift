// SPDX-License-Identifier: Apache-2.0

/// What to ask `signUp` for.
public struct SignUpRequest: Hashable, Sendable {
  public var credential: Credential

  /// Creates the value from its members.
  public init(credential: Credential) {
    self.credential = credential
  }
}

/// What to ask `signIn` for.
public struct SignInRequest: Hashable, Sendable {
  public var credential: Credential
  /// Rights to ask for, such as `remove:authorized_user`; several are separated by blanks.
  public var scope: String?
  /// The second factor, when the first attempt asked for one.
  public var mfaCode: String?

  /// Creates the value from its members.
  public init(credential: Credential, scope: String? = nil, mfaCode: String? = nil) {
    (self.credential, self.scope, self.mfaCode) = (credential, scope, mfaCode)
  }
}

/// Whose password to reset.
public struct ResetRequest: Hashable, Sendable {
  public var email: String

  /// Creates the value from its members.
  public init(email: String) {
    self.email = email
  }
}

/// What is known of the user.
public struct AuthUserInfo: Hashable, Codable, Sendable {
  public var username: String?
  public var email: String
  public var isEmailVerified: Bool

  /// Creates the value from its members.
  public init(username: String?, email: String, isEmailVerified: Bool) {
    (self.username, self.email, self.isEmailVerified) = (username, email, isEmailVerified)
  }
}
