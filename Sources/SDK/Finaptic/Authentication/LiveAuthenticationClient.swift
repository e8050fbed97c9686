// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
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
      let answer: FinapticAPI.AuthState = try await calls.send(.signIn, request.wire)
      do throws(FinapticError) { return try await calls.session.begin(answer).authState } catch {
        // A session whose tokens could not be kept cannot be used.
        let _: EmptyBody? = try? await calls.send(
          .signOut, FinapticAPI.RefreshTokenRequest(refreshToken: answer.refreshToken))
        throw error
      }
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
      let tokens = try? await calls.session.current()
      // First on this device, so that the user is signed out of it whatever the server answers.
      var failure: FinapticError?
      do throws(FinapticError) { try await calls.session.end() } catch { failure = error }
      // The server is told also when the device's store fails: tokens that stay there are worth nothing then.
      if let tokens {
        let _: EmptyBody = try await calls.send(
          .signOut, FinapticAPI.RefreshTokenRequest(refreshToken: tokens.refreshToken))
      }
      if let failure { throw failure }
    }
  }

  func resetPassword(request: ResetRequest, completion: @escaping FinapticVoidCompletion) {
    calls.start(completion) { (calls) throws(FinapticError) in
      do throws(FinapticError) {
        let _: EmptyBody = try await calls.send(.resetPassword, FinapticAPI.ResetPasswordRequest(email: request.email))
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
      let user: FinapticAPI.UserInfo = try await calls.send(.getUserInfo, EmptyBody())
      return AuthUserInfo(username: user.username, email: user.email, isEmailVerified: user.isEmailVerified)
    }
  }
}
