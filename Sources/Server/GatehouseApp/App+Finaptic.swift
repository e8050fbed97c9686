import Console
import FinapticFlow
import GatehouseWire
import Identity
import Kit

extension App {
  /// - Throws: `Problem` not found; invalid argument for a tenant with real customers.
  package func addFinapticSandboxClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await finaptic.parts.tenants.find(id)
    guard tenant.isSandbox else {
      throw Problem.finaptic(.invalidArgument, "The test controls are for sandbox tenants.")
    }
    return try await addClient("\(id) \(name)", of: tenant, scope: .sandbox)
  }

  /// - Throws: `Problem` not found.
  package func addFinapticBankClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    try await addClient("bank \(id) \(name)", of: finaptic.parts.tenants.find(id), scope: .bank)
  }

  /// - Throws: `Problem` not found.
  package func addFinapticChatClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    try await addClient("chat \(id) \(name)", of: finaptic.parts.tenants.find(id), scope: .chat)
  }

  private func addClient(
    _ name: String, of tenant: FinapticTenant, scope: ServiceClient.Scope
  ) async throws -> IssuedSecret {
    try await serviceClients.add(
      "finaptic \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [scope], by: "operator")
  }
}

extension AccountDesk {
  /// The hosted pages, over this room.
  static func finaptic(_ room: FinapticService) -> AccountDesk {
    let (reset, confirmation) = (room.parts.passwordReset, room.parts.registrationConfirmation)
    return AccountDesk(
      look: { token, address in
        try await room.guardingLinks(of: address) { Holder(try await reset.look(token)) }
      },
      setPassword: { password, token, address in
        try await room.guardingLinks(of: address) { try await reset.set(password, by: token) }
      },
      verifyEmail: { token, address in
        try await room.guardingLinks(of: address) { Holder(try await reset.verifyEmail(token)) }
      },
      lookAtAlias: { token, address in
        try await room.guardingLinks(of: address) { Alias(try await confirmation.look(token)) }
      },
      confirmAlias: { token, address in
        try await room.guardingLinks(of: address) { Alias(try await confirmation.confirm(token)) }
      })
  }
}

extension AccountDesk.Holder {
  fileprivate init(_ holder: PasswordReset.Holder) { self.init(institution: holder.tenant, email: holder.email) }
}

extension AccountDesk.Alias {
  fileprivate init(_ holder: RegistrationConfirmation.Holder) {
    self.init(institution: holder.institution, alias: holder.alias)
  }
}
