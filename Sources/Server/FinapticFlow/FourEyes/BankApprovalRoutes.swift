import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/api/v1/finaptic/approvals…`: a bank's program in the place of the second person, with the credentials of a client
/// of the tenant whose scope is `approve`, which opens nothing else.
struct BankApprovalRoutes: Sendable {
  let calls: FinapticCalls
  let tenants: FinapticTenants
  private var core: CoreDependencies { calls.core }
  private var gate: FourEyesGate { FourEyesGate(core: core) }

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("approvals")
    group.get(use: list)
    group.post("{id}/decision", use: decide)
  }

  @Sendable
  private func list(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, actor) = (try await tenants.find(of: context.client, scope: .approve), context.client.actor)
    let waiting = try await core.database.read { [gate] in try gate.waiting(of: tenant, for: actor, in: $0) }
    return try Response.json(ApprovalBodies.List(approvals: waiting.map(ApprovalBodies.View.init)))
  }

  @Sendable
  private func decide(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, actor) = (try await tenants.find(of: context.client, scope: .approve), context.client.actor)
    let id = try context.parameters.requireUUID("id")
    let asked = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(
      as: ApprovalBodies.Decision.self)
    guard let agreeing = asked.agreeing else {
      throw Problem.validation([.init("/decision", "unknown-value", "approved or refused.")])
    }
    let decided = try await core.database.write(retrying: .outdated, .readCommitted) { [gate] tx in
      try gate.decide(id, agreeing: agreeing, of: tenant, by: actor, in: tx)
    }
    return try Response.json(ApprovalBodies.View(decided))
  }
}
