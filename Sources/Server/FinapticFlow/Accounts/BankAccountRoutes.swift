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
    let call = try await read(request, context, BankAccountBodies.Open.self)
    return try await service.commit(call.write, status: 201, isolation: .readCommitted) { [accounts] tx in
      try accounts.open(call.body, id: id, of: call.tenant, by: actor, in: tx)
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
    let call = try await read(request, context, BankAccountBodies.Status.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [accounts] tx in
      try accounts.setStatus(call.body, of: id, call.tenant, by: actor, in: tx)
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
    let call = try await read(request, context, BankAccountBodies.Party.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [accounts] tx in
      try accounts.add(call.body, as: role, to: id, of: call.tenant, by: actor, in: tx)
    }
  }

  // MARK: Who and what

  /// Reads a call, whose answer is kept for repetitions.
  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type
  ) async throws -> (body: Body, tenant: FinapticTenant, write: IdempotentAnswers.Write) {
    let tenant = try await tenant(context.client)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.decode(as: type)
    let write = try service.answers.write(
      request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
    return (body, tenant, write)
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
