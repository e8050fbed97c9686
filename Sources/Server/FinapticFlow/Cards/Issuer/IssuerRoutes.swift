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
      let tenant = try await tenant(context)
      return try await answer(.authorize(decode(request)), to: request, of: tenant, context)
    }
    group.post("increments") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.increase(decode(request)), to: request, of: tenant, context)
    }
    group.post("reversals") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.reverse(decode(request)), to: request, of: tenant, context)
    }
    group.post("expiries") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.expire(decode(request)), to: request, of: tenant, context)
    }
    group.post("clearings") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.clear(decode(request)), to: request, of: tenant, context)
    }
    group.post("refunds") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.refund(decode(request)), to: request, of: tenant, context)
    }
    group.post("chargebacks") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.openDispute(decode(request)), to: request, of: tenant, context)
    }
    group.post("chargebacks/steps") { request, context in
      let tenant = try await tenant(context)
      return try await answer(.stepDispute(decode(request)), to: request, of: tenant, context)
    }
  }

  /// Before the body is read, so that it tells nothing to a client that may not send one.
  private func tenant(_ context: Context) async throws -> FinapticTenant {
    try await tenants.find(of: context.client, scope: .issue)
  }

  private func decode<Body: Decodable & Sendable>(_ request: Request) async throws -> Body {
    try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: Body.self)
  }

  /// One transaction, which a message of the same id and content has once; the answer is kept in it.
  private func answer(
    _ body: Bodies.Message, to request: Request, of tenant: FinapticTenant, _ context: Context
  ) async throws -> Response {
    let message = try ConnectorMessage(
      IssuerBodies.id(body.id, "message_id"), of: tenant.id, path: request.routedPath, body: body.content,
      vault: core.vault, for: "finaptic card message")
    let call = IssuerMessages.Call(tenant: tenant, actor: context.client.actor, new: .init(core.world))
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [core] tx in
      if let earlier = try message.earlier(IssuerBodies.Outcome.self, at: core.world.now(), in: tx) { return earlier }
      return try message.keep(carryOut(body, call, in: tx), in: tx)
    }
    return try Response.json(answer)
  }

  private func carryOut(
    _ message: Bodies.Message, _ call: IssuerMessages.Call, in tx: any SQLTransaction
  ) throws -> Bodies.Outcome {
    switch message {
    case .authorize(let asked): try messages.authorize(asked, call, in: tx)
    case .increase(let asked): try messages.increase(asked, call, in: tx)
    case .reverse(let asked): try messages.reverse(asked, call, in: tx)
    case .expire(let asked): try messages.expire(asked, call, in: tx)
    case .clear(let asked): try messages.clear(asked, call, in: tx)
    case .refund(let asked): try messages.refund(asked, call, in: tx)
    case .openDispute(let asked): try disputes.open(asked, call, in: tx)
    case .stepDispute(let asked): try disputes.step(asked, call, in: tx)
    }
  }
}
