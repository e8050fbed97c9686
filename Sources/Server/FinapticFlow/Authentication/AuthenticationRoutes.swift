// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/authentication/…` (finaptic §3.4). What gives and takes tokens asks for none.
package struct AuthenticationRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let signUp: SignUpCommand
  let signIn: SignInCommand
  let sessions: SessionCommands
  let reset: PasswordReset
  let enrolment: FactorEnrolment
  let limits: NetworkLimits
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    addSessions(groups.keyed.group("authentication"))
    let users = groups.users.group("authentication")
    users.post("getUserInfo", use: userInfo)
    addFactors(users)
  }

  @Sendable
  private func userInfo(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    _ = try await calls.body(request, EmptyBody.self)
    let user = try await core.database.look {
      try FinapticUserStore($0, vault: core.vault).find(context.user.user)?.user
    }
    guard let user else { throw Problem.signInRequired }
    return try Response.json(
      Wire.UserInfo(
        username: user.profile.username, email: user.profile.email, isEmailVerified: user.emailVerifiedAt != nil))
  }

  private func addSessions(_ group: RouterGroup<FinapticContext>) {
    group.post("signUp") { request, context in
      let call = try await calls.read(request, context, Wire.SignUpRequest.self)
      return try await calls.act(call) {
        try await signUp.signUp(
          call.body, tenant: context.tenant, by: context.actor, from: context.network, write: $0)
        return EmptyBody()
      }
    }
    group.post("signIn") { request, context in
      let call = try await calls.read(request, context, Wire.SignInRequest.self)
      return try await calls.act(call) { _ in
        try await limits.guardingPasswords(of: context.network) {
          try await signIn.signIn(call.body, tenant: context.tenant, key: context.key, from: context.network)
        }
      }
    }
    group.post("refreshAuthState") { request, context in
      let call = try await calls.read(request, context, Wire.RefreshTokenRequest.self)
      return try await calls.act(call) { try await sessions.refresh(call.body, tenant: context.tenant, write: $0) }
    }
    group.post("signOut", use: signOut)
    group.post("resetPassword") { request, context in
      let call = try await calls.read(request, context, Wire.ResetPasswordRequest.self)
      return try await calls.act(call) { _ in
        let link = try reset.link(for: call.body, tenant: context.tenant)
        try await core.database.write(retrying: .outdated) { tx in
          try reset.promise(link, in: tx)
          _ = try calls.keep(EmptyBody(), for: call, in: tx)
        }
        return EmptyBody()
      }
    }
  }

  @Sendable
  private func signOut(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.RefreshTokenRequest.self)
    return try await core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(sessions.signOut(call.body, tenant: context.tenant, in: tx), for: call, in: tx)
    }
  }

  private func addFactors(_ group: RouterGroup<FinapticUserContext>) {
    group.post("getSecondFactors") { request, context in
      _ = try await calls.body(request, EmptyBody.self)
      return try Response.json(try await enrolment.list(context.user.user))
    }
    group.post("enrolAuthenticatorApp") { request, context in
      let call = try await calls.read(request, context, FactorEnrolment.Proof.self)
      return try await calls.act(call) { _ in
        try await enrolment.enrolApp(call.body, context.user, tenant: context.tenant)
      }
    }
    group.post("confirmAuthenticatorApp") { request, context in
      let call = try await calls.read(request, context, FactorEnrolment.Code.self)
      return try await calls.act(call) { _ in try await enrolment.confirmApp(call.body, context.user) }
    }
    group.post("enrolPhone") { request, context in
      let call = try await calls.read(request, context, FactorEnrolment.Proof.self)
      return try await calls.act(call) { _ in
        try await enrolment.enrolPhone(
          call.body, context.user, tenant: context.tenant, from: context.network)
      }
    }
    group.post("confirmPhone") { request, context in
      let call = try await calls.read(request, context, FactorEnrolment.Code.self)
      return try await calls.act(call) { _ in try await enrolment.confirmPhone(call.body, context.user) }
    }
    group.post("removeSecondFactor") { request, context in
      let call = try await calls.read(request, context, FactorEnrolment.Proof.self)
      return try await calls.act(call) { _ in try await enrolment.remove(call.body, context.user) }
    }
  }
}
