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
    return try await serviceClients.add(
      "finaptic \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.sandbox], by: "operator")
  }

  /// - Throws: `Problem` not found.
  package func addFinapticBankClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await finaptic.parts.tenants.find(id)
    return try await serviceClients.add(
      "finaptic bank \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.bank], by: "operator")
  }

  /// - Throws: `Problem` not found.
  package func addFinapticChatClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await finaptic.parts.tenants.find(id)
    return try await serviceClients.add(
      "finaptic chat \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.chat], by: "operator")
  }
}
