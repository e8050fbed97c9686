// SPDX-License-Identifier: Apache-2.0

/// The tokens of an activation (powerauth.md §7, §10).
public protocol PowerAuthTokenStore: AnyObject, Sendable {
  /// Gives the token of this name, or has the server make one. Those who ask for the same name get the same token.
  @preconcurrency @discardableResult
  func requestAccessToken(
    withName name: String, authentication: PowerAuthAuthentication,
    completion: @escaping @MainActor @Sendable (PowerAuthToken?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)?
  /// Has the server forget the token of this name, then forgets it here.
  @preconcurrency @discardableResult
  func removeAccessToken(
    withName name: String, completion: @escaping @MainActor @Sendable (Bool, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)?
  /// A header by the token of this name, which must be here; asks the server for its time if need be.
  @preconcurrency @discardableResult
  func generateAuthorizationHeader(
    withName name: String,
    completion: @escaping @MainActor @Sendable (PowerAuthAuthorizationHttpHeader?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)?

  /// Gives the token of this name, or has the server make one.
  func requestAccessToken(withName name: String, authentication: PowerAuthAuthentication) async throws -> PowerAuthToken
  /// Has the server forget the token of this name, then forgets it here.
  func removeAccessToken(withName name: String) async throws -> Bool
  /// A header by the token of this name, which must be here.
  func generateAuthorizationHeader(withName name: String) async throws -> PowerAuthAuthorizationHttpHeader

  /// Whether there is an activation that could have tokens.
  func canRequestForAccessToken() -> Bool
  /// The token that is here; nil when it is absent.
  func localToken(withName name: String) -> PowerAuthToken?
  func hasLocalToken(withName name: String) -> Bool
  /// Forgets the token here only.
  func removeLocalToken(withName name: String)
  /// Forgets every token here only.
  func removeAllLocalTokens()
}
