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
    try await room.act(request, context, FinapticAPI.SignUpRequest.self) { [signUp = parts.signUp] body, record in
      try await signUp.signUp(body, tenant: context.tenant, by: context.actor, record: record)
      return EmptyBody()
    }
  }

  @Sendable
  private func signIn(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.SignInRequest.self) { [room] body, _ in
      try await room.guardingPasswords(of: context.network) {
        try await room.parts.signIn.signIn(body, tenant: context.tenant, key: context.key)
      }
    }
  }

  @Sendable
  private func refresh(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.RefreshTokenRequest.self) { [parts] body, record in
      try await parts.sessionCommands.refresh(body, tenant: context.tenant, record: record)
    }
  }

  @Sendable
  private func signOut(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.RefreshTokenRequest.self) { [parts] body, tx in
      try parts.sessionCommands.signOut(body, tenant: context.tenant, in: tx)
    }
  }

  @Sendable
  private func resetPassword(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await room.act(request, context, FinapticAPI.ResetPasswordRequest.self) { [room] body, record in
      let work = try room.parts.passwordReset.ask(body, tenant: context.tenant)
      return try await room.parts.core.database.write(retrying: .outdated) { tx in
        let answer = try work(tx)
        try record.keep(answer, tx)
        return answer
      }
    }
  }

  @Sendable
  private func userInfo(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.ask(request, EmptyBody.self) { [core = parts.core] _ in
      let user = try await core.database.read {
        try FinapticUserStore($0, vault: core.vault).find(context.user.user)?.user
      }
      guard let user else { throw Problem.signInRequired }
      return FinapticAPI.UserInfo(
        username: user.profile.username, email: user.profile.email, isEmailVerified: user.emailVerifiedAt != nil)
    }
  }

  // MARK: Second factors

  @Sendable
  private func factors(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.ask(request, EmptyBody.self) { [parts] _ in
      try await parts.enrolment.list(context.user.user)
    }
  }

  @Sendable
  private func enrolApp(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await parts.enrolment.enrolApp(body, context.user.user, tenant: context.tenant)
    }
  }

  @Sendable
  private func confirmApp(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Code.self) { [parts] body, _ in
      try await parts.enrolment.confirmApp(body, context.user.user)
    }
  }

  @Sendable
  private func enrolPhone(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await parts.enrolment.enrolPhone(body, context.user.user, from: context.network)
    }
  }

  @Sendable
  private func confirmPhone(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Code.self) { [parts] body, _ in
      try await parts.enrolment.confirmPhone(body, context.user.user)
    }
  }

  @Sendable
  private func removeFactor(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.act(request, context, FactorEnrolment.Proof.self) { [parts] body, _ in
      try await parts.enrolment.remove(body, context.user.user)
    }
  }
}
