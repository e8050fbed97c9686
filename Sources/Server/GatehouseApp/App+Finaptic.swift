// SPDX-License-Identifier: Apache-2.0

import Console
import FinapticFlow
import GatehouseWire
import Identity
import Kit

extension App {
  /// - Throws: `Problem` not found; invalid argument for a tenant with real customers.
  package func addFinapticSandboxClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    let tenant = try await finaptic.dependencies.tenants.find(id)
    guard tenant.isSandbox else {
      throw Problem.finaptic(.invalidArgument, "The test controls are for sandbox tenants.")
    }
    return try await addClient("\(id) \(name)", of: tenant, scope: .sandbox, by: actor)
  }

  /// - Throws: `Problem` not found.
  package func addFinapticBankClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("bank \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .bank, by: actor)
  }

  /// A client that books money, and does nothing else.
  /// - Throws: `Problem` not found.
  package func addFinapticPostingClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("post \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .post, by: actor)
  }

  /// A client that tells what cards pay, as the processor of a card issuer, and does nothing else.
  /// - Throws: `Problem` not found.
  package func addFinapticIssuerClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("issue \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .issue, by: actor)
  }

  /// A client that brings money by Interac, as the connector of a tenant, and does nothing else.
  /// - Throws: `Problem` not found.
  package func addFinapticInteracClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("interac \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .interac, by: actor)
  }

  /// A client that hands over and fetches messages between banks, and does nothing else.
  /// - Throws: `Problem` not found.
  package func addFinapticPaymentsClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient(
      "payments \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .payments, by: actor)
  }

  /// A client that agrees, as the second of two, to what others of the tenant ask for, and does nothing else.
  /// - Throws: `Problem` not found.
  package func addFinapticApprovingClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("approve \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .approve, by: actor)
  }

  /// - Throws: `Problem` not found.
  package func addFinapticChatClient(
    _ name: String, tenant id: Int, by actor: String
  ) async throws -> IssuedSecret {
    try await addClient("chat \(id) \(name)", of: finaptic.dependencies.tenants.find(id), scope: .chat, by: actor)
  }

  /// Servers that call for a tenant, the revoked too.
  /// - Throws: `Problem` not found.
  package func finapticClients(of tenant: Int) async throws -> [ServiceClient] {
    try await serviceClients.list(
      tenant: SandboxRoutes.clientTenant(of: finaptic.dependencies.tenants.find(tenant)))
  }

  private func addClient(
    _ name: String, of tenant: FinapticTenant, scope: ServiceClient.Scope, by actor: String
  ) async throws -> IssuedSecret {
    try await serviceClients.add(
      "finaptic \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [scope], by: actor)
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
      })
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
