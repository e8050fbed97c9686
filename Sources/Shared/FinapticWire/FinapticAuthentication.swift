// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// A new user.
  public struct SignUpRequest: Codable, Sendable, Hashable {
    public var credential: Credential?

    /// Creates the value from its members.
    public init(credential: Credential? = nil) {
      self.credential = credential
    }
  }

  /// E-mail address or user name, and the password.
  public struct Credential: Codable, Sendable, Hashable {
    public var email: String?
    public var password: String?
    public var username: String?

    /// Creates the value from its members.
    public init(email: String? = nil, password: String? = nil, username: String? = nil) {
      (self.email, self.password, self.username) = (email, password, username)
    }
  }

  /// A user who comes back, or who asks for more rights.
  public struct SignInRequest: Codable, Sendable, Hashable {
    public var credential: Credential?
    /// Names of rights, separated by spaces.
    public var scope: String?
    /// The second factor.
    public var mfaCode: String?

    /// Creates the value from its members.
    public init(credential: Credential? = nil, scope: String? = nil, mfaCode: String? = nil) {
      (self.credential, self.scope, self.mfaCode) = (credential, scope, mfaCode)
    }

    enum CodingKeys: String, CodingKey {
      case credential, scope
      case mfaCode = "mfa_code"
    }
  }

  /// What `refreshAuthState` and `signOut` take. Without a bearer token: this one is the proof.
  public struct RefreshTokenRequest: Codable, Sendable, Hashable {
    public var refreshToken: String?

    /// Creates the value from its members.
    public init(refreshToken: String? = nil) {
      self.refreshToken = refreshToken
    }

    enum CodingKeys: String, CodingKey {
      case refreshToken = "refresh_token"
    }
  }

  /// The tokens of a session.
  public struct AuthState: Codable, Sendable, Hashable {
    public var accessToken: String
    public var refreshToken: String
    /// Seconds from now until the access token expires.
    public var expiresIn: Int

    /// Creates the value from its members.
    public init(accessToken: String, refreshToken: String, expiresIn: Int) {
      (self.accessToken, self.refreshToken, self.expiresIn) = (accessToken, refreshToken, expiresIn)
    }

    enum CodingKeys: String, CodingKey {
      case accessToken = "access_token"
      case refreshToken = "refresh_token"
      case expiresIn = "expires_in"
    }
  }

  /// Whose password to reset.
  public struct ResetPasswordRequest: Codable, Sendable, Hashable {
    public var email: String?

    /// Creates the value from its members.
    public init(email: String? = nil) {
      self.email = email
    }
  }

  /// What is known of the user.
  public struct UserInfo: Codable, Sendable, Hashable {
    public var username: String?
    public var email: String
    public var isEmailVerified: Bool

    /// Creates the value from its members.
    public init(username: String? = nil, email: String, isEmailVerified: Bool) {
      (self.username, self.email, self.isEmailVerified) = (username, email, isEmailVerified)
    }

    enum CodingKeys: String, CodingKey {
      case username, email
      case isEmailVerified = "is_email_verified"
    }
  }
}
