// SPDX-License-Identifier: Apache-2.0

extension AuthenticationClient {
  /// Makes a user; does not sign in.
  public func signUp(request: SignUpRequest) async throws(FinapticError) {
    try await withCheckedContinuation { done in signUp(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Signs in, or asks for more rights.
  public func signIn(request: SignInRequest) async throws(FinapticError) -> AuthState {
    try await withCheckedContinuation { done in signIn(request: request) { done.resume(returning: $0) } }.get()
  }

  /// The tokens, renewed when the access token has expired; nil when no user is signed in.
  public func currentAuthState() async -> AuthState? {
    await withCheckedContinuation { done in currentAuthState { done.resume(returning: $0) } }
  }

  /// Renews the tokens; nil when no user is signed in.
  public func refreshAuthState() async throws(FinapticError) -> AuthState? {
    try await withCheckedContinuation { done in refreshAuthState { done.resume(returning: $0) } }.get()
  }

  /// Ends the session, here whatever the server says.
  public func signOut() async throws(FinapticError) {
    let error = await withCheckedContinuation { done in signOut() { done.resume(returning: $0) } }
    if let error { throw error }
  }

  /// Has a link sent to a registered address.
  public func resetPassword(request: ResetRequest) async throws(FinapticError) {
    let error = await withCheckedContinuation { done in resetPassword(request: request) { done.resume(returning: $0) } }
    if let error { throw error }
  }

  /// Who is signed in.
  public func getUserInfo() async throws(FinapticError) -> AuthUserInfo {
    try await withCheckedContinuation { done in getUserInfo { done.resume(returning: $0) } }.get()
  }
}
