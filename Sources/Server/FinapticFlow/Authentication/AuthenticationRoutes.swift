import FinapticWire
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/authentication/…` (finaptic §3.4). What gives and takes tokens asks for none.
package struct AuthenticationRoutes: Sendable {
  private typealias Wire = FinapticAPI

  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    addSessions(groups.keyed.group("authentication"))
    let users = groups.users.group("authentication")
    users.post("getUserInfo") { [service, core = service.dependencies.core] request, context in
      try await service.ask(request, EmptyBody.self) { _ in
        let user = try await core.database.read {
          try FinapticUserStore($0, vault: core.vault).find(context.user.user)?.user
        }
        guard let user else { throw Problem.signInRequired }
        return Wire.UserInfo(
          username: user.profile.username, email: user.profile.email, isEmailVerified: user.emailVerifiedAt != nil)
      }
    }
    addFactors(users)
  }

  private func addSessions(_ group: RouterGroup<FinapticContext>) {
    let (service, dependencies) = (service, service.dependencies)
    group.post("signUp") { request, context in
      try await service.act(request, context, Wire.SignUpRequest.self) { body, write in
        try await dependencies.signUp(keeping: service.answers).signUp(
          body, tenant: context.tenant, by: context.actor, write: write)
        return EmptyBody()
      }
    }
    group.post("signIn") { request, context in
      try await service.act(request, context, Wire.SignInRequest.self) { body, _ in
        try await service.guardingPasswords(of: context.network) {
          try await dependencies.signIn.signIn(body, tenant: context.tenant, key: context.key)
        }
      }
    }
    group.post("refreshAuthState") { request, context in
      try await service.act(request, context, Wire.RefreshTokenRequest.self) { body, write in
        try await dependencies.sessionCommands(keeping: service.answers).refresh(
          body, tenant: context.tenant, write: write)
      }
    }
    group.post("signOut") { request, context in
      try await service.change(request, context, Wire.RefreshTokenRequest.self) { body, tx in
        try dependencies.sessionCommands(keeping: service.answers).signOut(body, tenant: context.tenant, in: tx)
      }
    }
    group.post("resetPassword") { request, context in
      try await service.act(request, context, Wire.ResetPasswordRequest.self) { body, write in
        let reset = dependencies.passwordReset
        let link = try reset.link(for: body, tenant: context.tenant)
        try await dependencies.core.database.write(retrying: .outdated) { tx in
          try reset.promise(link, in: tx)
          _ = try service.answers.keep(EmptyBody(), for: write, in: tx)
        }
        return EmptyBody()
      }
    }
  }

  private func addFactors(_ group: RouterGroup<FinapticUserContext>) {
    let (service, dependencies) = (service, service.dependencies)
    group.post("getSecondFactors") { request, context in
      try await service.ask(request, EmptyBody.self) { _ in try await dependencies.enrolment.list(context.user.user) }
    }
    group.post("enrolAuthenticatorApp") { request, context in
      try await service.act(request, context, FactorEnrolment.Proof.self) { body, _ in
        try await dependencies.enrolment.enrolApp(body, context.user.user, tenant: context.tenant)
      }
    }
    group.post("confirmAuthenticatorApp") { request, context in
      try await service.act(request, context, FactorEnrolment.Code.self) { body, _ in
        try await dependencies.enrolment.confirmApp(body, context.user.user)
      }
    }
    group.post("enrolPhone") { request, context in
      try await service.act(request, context, FactorEnrolment.Proof.self) { body, _ in
        try await dependencies.enrolment.enrolPhone(
          body, context.user.user, tenant: context.tenant, from: context.network)
      }
    }
    group.post("confirmPhone") { request, context in
      try await service.act(request, context, FactorEnrolment.Code.self) { body, _ in
        try await dependencies.enrolment.confirmPhone(body, context.user.user)
      }
    }
    group.post("removeSecondFactor") { request, context in
      try await service.act(request, context, FactorEnrolment.Proof.self) { body, _ in
        try await dependencies.enrolment.remove(body, context.user.user)
      }
    }
  }
}
