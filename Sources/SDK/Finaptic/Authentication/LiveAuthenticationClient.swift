internal import GatehouseWire

/// The user, over the wire.
final class LiveAuthenticationClient: AuthenticationClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func signUp(request: SignUpRequest, completion: @escaping FinapticCompletion<Void>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let _: EmptyBody = try await calls.send(.signUp, request.wire)
    }
  }

  func signIn(request: SignInRequest, completion: @escaping FinapticCompletion<AuthState>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.AuthState = try await calls.send(.signIn, request.wire)
      return try await calls.session.begin(answer).authState
    }
  }

  func currentAuthState(completion: @escaping (AuthState?) -> Void) {
    let report: FinapticCompletion<AuthState?> = { completion((try? $0.get()) ?? nil) }
    calls.start(report) { (calls) throws(FinapticError) in try await calls.session.authState() }
  }

  func refreshAuthState(completion: @escaping FinapticCompletion<AuthState?>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      guard let tokens = try await calls.session.current() else { return nil }
      return try await calls.session.renewed(after: tokens)?.authState
    }
  }

  func signOut(completion: @escaping FinapticVoidCompletion) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let tokens = try await calls.session.current()
      // First here: whatever the server says, nobody is signed in on this device any more.
      try await calls.session.end()
      guard let tokens else { return }
      let _: EmptyBody = try await calls.send(
        .signOut, FinapticWire.RefreshTokenRequest(refreshToken: tokens.refreshToken))
    }
  }

  func resetPassword(request: ResetRequest, completion: @escaping FinapticVoidCompletion) {
    calls.start(completion) { (calls) throws(FinapticError) in
      do throws(FinapticError) {
        let _: EmptyBody = try await calls.send(.resetPassword, FinapticWire.ResetPasswordRequest(email: request.email))
      } catch {
        // The published sample knows no connection as `unknown`, here and nowhere else (finaptic §8.1).
        guard error.code == .unavailable else { throw error }
        throw FinapticError(
          code: .unknown, message: error.message, cause: error.cause, genericCode: .unavailable,
          refNumber: error.refNumber)
      }
    }
  }

  func getUserInfo(completion: @escaping FinapticCompletion<AuthUserInfo>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let user: FinapticWire.UserInfo = try await calls.send(.getUserInfo, EmptyBody())
      return AuthUserInfo(username: user.username, email: user.email, isEmailVerified: user.isEmailVerified)
    }
  }
}
