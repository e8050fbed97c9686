// SPDX-License-Identifier: Apache-2.0

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
  let scheduled: ScheduledPostings
  let suspense: CardSuspenseService
  let tenants: FinapticTenants
  private var core: CoreDependencies { calls.core }

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("postings")
    group.post(use: post)
    group.post("batch", use: postMany)
    group.post("{id}/reversal", use: reverse)
    group.get("scheduled", use: waiting)
    group.post("scheduled/{id}/withdrawal", use: withdraw)
    group.post("holds", use: hold)
    group.post("holds/{id}/release", use: release)
    group.get("card-suspense", use: suspended)
    group.post("card-suspense/{id}/write-off", use: writeOff)
  }

  @Sendable
  private func post(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let call = try await read(request, context, PostingBodies.Posting.self)
    return try await core.database.write(retrying: .outdated, .readCommitted) {
      try postings.post(call.body, key: call.key, of: call.tenant, by: call.actor, in: $0)
    }.response
  }

  @Sendable
  private func postMany(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, client) = (try await tenants.find(of: context.client, scope: .post), context.client)
    let content = try await RequestContent(
      request, limit: FinapticPolicy.ordersBodyMax, from: client.id.rawValue)
    let asked = try content.decode(as: PostingBodies.Batch.self)
    let batch = try postings.batch(asked, of: client.id.rawValue, tenant)
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) {
      try postings.post(batch, tenant, by: client.actor, in: $0)
    }
    switch answer {
    case .results(let results): return Response.json(encoded: results.json)
    case .waiting(let waiting): return try Response.json(waiting, status: .accepted)
    }
  }

  @Sendable
  private func reverse(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.require("id")
    let call = try await read(request, context, PostingBodies.Reason.self)
    return try await core.database.write(retrying: .outdated, .readCommitted) {
      try postings.reverse(id, call.body, key: call.key, of: call.tenant, by: call.actor, in: $0)
    }.response
  }

  @Sendable
  private func waiting(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .post)
    let postings = try await scheduled.waiting(of: tenant)
    return try Response.json(PostingBodies.ScheduledList(postings: postings.map(PostingBodies.Scheduled.init)))
  }

  @Sendable
  private func withdraw(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.requireUUID("id")
    let call = try await read(request, context, PostingBodies.Reason.self)
    let reason = try PostingReason(given: call.body.reason)
    let withdrawn = try await core.database.write(retrying: .outdated, .readCommitted) {
      try scheduled.withdraw(id, because: reason, of: call.tenant, by: call.actor, in: $0)
    }
    return try PostingBodies.Answer.scheduled(.init(withdrawn)).response
  }

  @Sendable
  private func hold(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let call = try await read(request, context, PostingBodies.Hold.self)
    return try await core.database.write(retrying: .outdated, .readCommitted) {
      try postings.hold(call.body, key: call.key, of: call.tenant, by: call.actor, in: $0)
    }.response
  }

  @Sendable
  private func release(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.require("id")
    let call = try await read(request, context, PostingBodies.Reason.self)
    return try await core.database.write(retrying: .outdated, .readCommitted) {
      try postings.release(id, call.body, key: call.key, of: call.tenant, by: call.actor, in: $0)
    }.response
  }

  @Sendable
  private func suspended(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .post)
    let items = try await suspense.waiting(of: tenant.id)
    return try Response.json(PostingBodies.CardSuspenseList(items: items.map(PostingBodies.CardSuspenseItem.init)))
  }

  @Sendable
  private func writeOff(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.requireUUID("id")
    let call = try await read(request, context, PostingBodies.Reason.self)
    let reason = try PostingReason(given: call.body.reason)
    return try await core.database.write(retrying: .outdated, .readCommitted) {
      try suspense.writeOff(
        .init(rawValue: id), because: reason, under: .call(call.key), of: call.tenant, by: call.actor, in: $0)
    }.response
  }

  private struct Call<Body: Sendable>: Sendable {
    let body: Body
    /// Of the client and of the call: what the books know the order by.
    let key: String
    let tenant: FinapticTenant
    let actor: String
  }

  /// A call that is carried out in one transaction, where the books remember the answer under its key.
  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type
  ) async throws -> Call<Body> {
    let tenant = try await tenants.find(of: context.client, scope: .post)
    guard let key = try FinapticCalls.orderKey(request) else {
      throw Problem(.badRequest, "missing-header", "A posting needs an Idempotency-Key.")
    }
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
    return Call(body: body, key: "\(context.client.id) \(key)", tenant: tenant, actor: context.client.actor)
  }
}

extension PostingBodies.Answer {
  fileprivate var response: Response {
    get throws {
      switch self {
      case .outcome(let outcome): try Response.json(outcome)
      case .waiting(let waiting): try Response.json(waiting, status: .accepted)
      case .scheduled(let posting): try Response.json(posting, status: .created)
      }
    }
  }
}
