// SPDX-License-Identifier: Apache-2.0

/// The user (finaptic §3.4).
public protocol AuthenticationClient: AnyObject, Sendable {
  /// Makes a user; does not sign in.
  func signUp(request: SignUpRequest, completion: @escaping FinapticCompletion<Void>)
  /// Signs in, or asks for more rights.
  func signIn(request: SignInRequest, completion: @escaping FinapticCompletion<AuthState>)
  /// The tokens, renewed when the access token has expired; nil when no user is signed in.
  func currentAuthState(completion: @escaping (AuthState?) -> Void)
  /// Renews the tokens; nil when no user is signed in.
  func refreshAuthState(completion: @escaping FinapticCompletion<AuthState?>)
  /// Ends the session, here whatever the server says.
  func signOut(completion: @escaping FinapticVoidCompletion)
  /// Has a link sent to a registered address.
  func resetPassword(request: ResetRequest, completion: @escaping FinapticVoidCompletion)
  /// Who is signed in.
  func getUserInfo(completion: @escaping FinapticCompletion<AuthUserInfo>)
}
