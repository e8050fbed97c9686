import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/authentication/…` (finaptic §3.4). What gives and takes tokens asks for none.
package struct AuthenticationRoutes: Sendable {
  private let room: FinapticService
  private var parts: FinapticDependencies { room.parts }

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let keyed = doors.keyed.group("authentication")
    keyed.post("signUp", use: signUp)
    keyed.post("signIn", use: signIn)
    keyed.post("refreshAuthState", use: refresh)
    keyed.post("signOut", use: signOut)
    keyed.post("resetPassword", use: resetPassword)
    let users = doors.users.group("authentication")
    users.post("getUserInfo", use: userInfo)
    users.post("getSecondFactors", use: factors)
    users.post("enrolAuthenticatorApp", use: enrolApp)
    users.post("confirmAuthenticatorApp", use: confirmApp)
    users.post("enrolPhone", use: enrolPhone)
    users.post("confirmPhone", use: confirmPhone)
    users.post("removeSecondFactor", use: removeFactor)
  }

  @Sendable
  private func signUp(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.SignUpRequest.self) { [room, parts] body, write in
      try await SignUpCommand(parts: parts, answers: room.answers).signUp(
        body, tenant: context.tenant, by: context.actor, write: write)
      return EmptyBody()
    }
  }

  @Sendable
  private func signIn(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.SignInRequest.self) { [room] body, _ in
      try await room.guardingPasswords(of: context.network) {
        try await SignInCommand(parts: room.parts).signIn(body, tenant: context.tenant, key: context.key)
      }
    }
  }

  @Sendable
  private func refresh(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.RefreshTokenRequest.self) { [room, parts] body, write in
      try await SessionCommands(parts: parts, answers: room.answers).refresh(body, tenant: context.tenant, write: write)
    }
  }

  @Sendable
  private func signOut(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.RefreshTokenRequest.self) { [room, parts] body, tx in
      try SessionCommands(parts: parts, answers: room.answers).signOut(body, tenant: context.tenant, in: tx)
    }
  }

  @Sendable
  private func resetPassword(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.ResetPasswordRequest.self) { [room] body, write in
      let work = try PasswordReset(room).ask(body, tenant: context.tenant)
      return try await room.parts.database.write(retrying: .outdated) { tx in
        let answer = try work(tx)
        _ = try room.answers.keep(answer, for: write, in: tx)
        return answer
      }
    }
  }

  @Sendable
  private func userInfo(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.ask(request, EmptyBody.self) { [parts] _ in
      let user = try await parts.database.read { try FinapticUsers(parts).find(context.user.user, in: $0) }
      guard let user else { throw Problem.signInRequired }
      return FinapticAPI.UserInfo(
        username: user.profile.username, email: user.profile.email, isEmailVerified: user.emailVerifiedAt != nil)
    }
  }

  // MARK: Second factors

  @Sendable
  private func factors(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.ask(request, EmptyBody.self) { [parts] _ in
      try await FactorEnrolment(parts: parts).list(context.user.user)
    }
  }

  @Sendable
  private func enrolApp(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await FactorEnrolment(parts: parts).enrolApp(body, context.user.user, tenant: context.tenant)
    }
  }

  @Sendable
  private func confirmApp(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Code.self) { [parts] body, _ in
      try await FactorEnrolment(parts: parts).confirmApp(body, context.user.user)
    }
  }

  @Sendable
  private func enrolPhone(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await FactorEnrolment(parts: parts).enrolPhone(body, context.user.user, from: context.network)
    }
  }

  @Sendable
  private func confirmPhone(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Code.self) { [parts] body, _ in
      try await FactorEnrolment(parts: parts).confirmPhone(body, context.user.user)
    }
  }

  @Sendable
  private func removeFactor(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await FactorEnrolment(parts: parts).remove(body, context.user.user)
    }
  }
}
