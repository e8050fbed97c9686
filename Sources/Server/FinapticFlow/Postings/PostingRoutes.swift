import HTTP
import Hummingbird
import Identity
import Kit
import Ledger
import Storage

/// `/api/v1/finaptic/postings…`: what a bank's own systems book, with the credentials of a client of the tenant whose
/// scope is `post`, which opens nothing else.
struct PostingRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  let calls: FinapticCalls
  let postings: Postings
  let tenants: FinapticTenants
  private var core: CoreDependencies { calls.core }

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("postings")
    group.post { request, context in
      try await act(request, context, PostingBodies.Posting.self) { body, key, tenant, tx in
        try postings.post(body, key: key, of: tenant, by: context.client.actor, in: tx)
      }
    }
    group.post("{id}/reversal") { request, context in
      let id = try context.parameters.require("id")
      return try await act(request, context, PostingBodies.Reason.self) { body, _, tenant, tx in
        try postings.reverse(id, body, of: tenant, by: context.client.actor, in: tx)
      }
    }
    group.post("holds") { request, context in
      try await act(request, context, PostingBodies.Hold.self) { body, key, tenant, tx in
        try postings.hold(body, key: key, of: tenant, by: context.client.actor, in: tx)
      }
    }
    group.post("holds/{id}/release") { request, context in
      let id = try context.parameters.require("id")
      return try await act(request, context, PostingBodies.Reason.self) { body, _, tenant, tx in
        try postings.release(id, body, of: tenant, by: context.client.actor, in: tx)
      }
    }
  }

  /// One transaction; the books remember the answer under the key of client and call.
  private func act<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type,
    _ work: @escaping @Sendable (Body, String, FinapticTenant, any SQLTransaction) throws -> PostingBodies.Outcome
  ) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .post)
    guard let key = try FinapticCalls.orderKey(request) else {
      throw Problem(.badRequest, "missing-header", "A posting needs an Idempotency-Key.")
    }
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
    let whole = "\(context.client.id) \(key)"
    return try Response.json(
      try await core.database.write(retrying: .outdated, .readCommitted) { try work(body, whole, tenant, $0) })
  }
}
