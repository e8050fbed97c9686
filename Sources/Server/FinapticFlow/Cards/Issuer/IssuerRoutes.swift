// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/api/v1/finaptic/card-issuer/…`: what the processor of a card issuer tells, with the credentials of a client of the
/// tenant whose scope is `issue`, which opens nothing else.
struct IssuerRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>
  private typealias Bodies = IssuerBodies

  static let path = "\(FinapticServerDialect.base)/card-issuer"

  let core: CoreDependencies
  let messages: IssuerMessages
  let disputes: CardDisputes
  let tenants: FinapticTenants

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(Self.path))
    group.post("authorizations") { request, context in
      try await act(request, context, Bodies.Authorization.self, \.message_id, messages.authorize)
    }
    group.post("increments") { request, context in
      try await act(request, context, Bodies.Change.self, \.message_id, messages.increase)
    }
    group.post("reversals") { request, context in
      try await act(request, context, Bodies.Change.self, \.message_id, messages.reverse)
    }
    group.post("expiries") { request, context in
      try await act(request, context, Bodies.Change.self, \.message_id, messages.expire)
    }
    group.post("clearings") { request, context in
      try await act(request, context, Bodies.Booking.self, \.message_id, messages.clear)
    }
    group.post("refunds") { request, context in
      try await act(request, context, Bodies.Booking.self, \.message_id, messages.refund)
    }
    group.post("chargebacks") { request, context in
      try await act(request, context, Bodies.Chargeback.self, \.message_id, disputes.open)
    }
    group.post("chargebacks/steps") { request, context in
      try await act(request, context, Bodies.DisputeStep.self, \.message_id, disputes.step)
    }
  }

  /// One transaction, which a message of the same id and content has once; the answer is kept in it.
  private func act<Body: Codable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type, _ id: @Sendable (Body) -> String,
    _ work: @escaping @Sendable (Body, IssuerMessages.Call, any SQLTransaction) throws -> IssuerBodies.Outcome
  ) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .issue)
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
    let message = try ConnectorMessage(
      IssuerBodies.id(id(body), "message_id"), of: tenant.id, path: request.uri.path, body: body, vault: core.vault,
      for: "finaptic card message")
    let call = IssuerMessages.Call(tenant: tenant, actor: context.client.actor, new: .init(core.world))
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [core] tx in
      if let earlier = try message.earlier(IssuerBodies.Outcome.self, at: core.world.now(), in: tx) { return earlier }
      let outcome = try work(body, call, tx)
      try message.keep(outcome, in: tx)
      return outcome
    }
    return try Response.json(answer)
  }
}
