import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Ledger
import Storage

/// `/api/v1/finaptic/accounts…`: what a bank's own systems call, with the credentials of a client of the tenant whose
/// scope is `bank` (finaptic §3.9). No app has a way there.
package struct BankAccountRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  private let service: FinapticService
  private var accounts: BankAccountService { service.dependencies.bankAccounts }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("accounts")
    group.post(use: open)
    let one = group.group("{id}")
    one.get(use: look)
    one.post("status", use: setStatus)
    one.post("owners", use: addOwner)
    one.post("authorized-users", use: addAuthorizedUser)
  }

  @Sendable
  private func open(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (BankAccount.ID(rawValue: service.dependencies.core.world.randomUUID()), context.client.actor)
    return try await change(request, context, BankAccountBodies.Open.self, status: 201) { [accounts] in
      try accounts.open($0, id: id, of: $1, by: actor, in: $2)
    }
  }

  @Sendable
  private func look(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, tenant) = (try Self.id(context), try await tenant(context.client))
    let view = try await service.dependencies.core.database.read { [accounts] in
      try accounts.look(id, of: tenant, in: $0)
    }
    return try Response.json(view)
  }

  @Sendable
  private func setStatus(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (id, actor) = (try Self.id(context), context.client.actor)
    return try await change(request, context, BankAccountBodies.Status.self) { [accounts] in
      try accounts.setStatus($0, of: id, $1, by: actor, in: $2)
    }
  }

  @Sendable
  private func addOwner(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    try await add(.owner, request, context)
  }

  @Sendable
  private func addAuthorizedUser(
    _ request: Request, _ context: ClientContext<ServiceClient>
  ) async throws -> Response { try await add(.authorized, request, context) }

  private func add(_ role: LedgerRole, _ request: Request, _ context: Context) async throws -> Response {
    let (id, actor) = (try Self.id(context), context.client.actor)
    return try await change(request, context, BankAccountBodies.Party.self) { [accounts] in
      try accounts.add($0, as: role, to: id, of: $1, by: actor, in: $2)
    }
  }

  // MARK: Who and what

  /// One transaction, answered once for an `Idempotency-Key`.
  private func change<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type, status: Int = 200,
    _ work: @escaping @Sendable (Body, FinapticTenant, any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Response {
    let tenant = try await tenant(context.client)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.decode(as: type)
    let write = try service.answers.write(
      request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
    return try await service.commit(write, status: status, isolation: .readCommitted) { try work(body, tenant, $0) }
  }

  /// - Throws: `Problem` forbidden.
  private func tenant(_ client: ServiceClient) async throws -> FinapticTenant {
    let number = Int(client.tenant.split(separator: "-").last ?? "") ?? 0
    guard client.scopes.contains(.bank),
      let tenant = try await service.dependencies.core.database.read({ try TenantStore($0).find(number) }),
      tenant.session == client.tenant
    else { throw Problem(.forbidden, "forbidden", "This client does not have the scope bank.") }
    return tenant
  }

  private static func id(_ context: Context) throws -> BankAccount.ID {
    let text = try context.parameters.require("id")
    guard UUID(uuidString: text) != nil else { throw Problem.notFound }
    return .init(rawValue: text.lowercased())
  }
}
