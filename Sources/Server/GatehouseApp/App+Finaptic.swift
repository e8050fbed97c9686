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
