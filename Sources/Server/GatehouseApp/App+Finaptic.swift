// SPDX-License-Identifier: Apache-2.0

import Console
import FinapticFlow
import GatehouseWire
import Identity
import Kit

extension App {
  /// Adds a client for one system of a tenant: it may do what its scope names, and nothing else.
  /// - Throws: `Problem` not found; invalid argument for test controls of a tenant with real customers.
  package func addFinapticClient(
    _ scope: ServiceClient.Scope, _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    let tenant = try await finaptic.dependencies.tenants.find(id)
    guard scope != .sandbox || tenant.isSandbox else {
      throw Problem.finaptic(.invalidArgument, "The test controls are for sandbox tenants.")
    }
    let prefix = scope == .sandbox ? "" : "\(scope.rawValue) "
    return try await serviceClients.add(
      "finaptic \(prefix)\(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [scope], by: actor)
  }

  /// Servers that call for a tenant, the revoked too.
  /// - Throws: `Problem` not found.
  package func finapticClients(of tenant: Int) async throws -> [ServiceClient] {
    try await serviceClients.list(
      tenant: SandboxRoutes.clientTenant(of: finaptic.dependencies.tenants.find(tenant)))
  }
}

extension AccountPageService {
  /// The hosted pages, over this module.
  static func finaptic(_ service: FinapticService) -> AccountPageService {
    let (limits, reset) = (service.limits, service.dependencies.passwordReset)
    let confirmation = service.dependencies.registrationConfirmation
    return AccountPageService(
      look: { token, address in
        try await limits.guardingLinks(of: address) { Holder(try await reset.look(token)) }
      },
      setPassword: { password, token, address in
        try await limits.guardingLinks(of: address) { try await reset.set(password, by: token) }
      },
      lookAtEmail: { token, address in
        try await limits.guardingLinks(of: address) { Holder(try await reset.lookAtEmail(token)) }
      },
      verifyEmail: { token, address in
        try await limits.guardingLinks(of: address) { try await reset.verifyEmail(token) }
      },
      lookAtAlias: { token, address in
        try await limits.guardingLinks(of: address) { Alias(try await confirmation.look(token)) }
      },
      confirmAlias: { token, address in
        try await limits.guardingLinks(of: address) { Alias(try await confirmation.confirm(token)) }
      },
      documents: TenantDocument.pageNames)
  }
}

extension AccountPageService.Holder {
  fileprivate init(_ holder: PasswordReset.Holder) { self.init(institution: holder.tenant, email: holder.email) }
}

extension AccountPageService.Alias {
  fileprivate init(_ holder: RegistrationConfirmation.Holder) {
    self.init(institution: holder.institution, alias: holder.alias)
  }
}
