// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/api/v1/finaptic/interac/…`: what a tenant's connector to Interac brings, with the credentials of a client of the
/// tenant whose scope is `interac`, which opens nothing else.
struct InteracNetworkRoutes: Sendable {
  static let path = "\(FinapticServerDialect.base)/interac"

  let core: CoreDependencies
  let receiver: @Sendable (_ tenant: FinapticTenant, _ actor: String) -> InteracReceiver
  let tenants: FinapticTenants

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(Self.path))
    group.post("transfers") { request, context in
      try await act(request, context, InteracBodies.Transfer.self, \.message_id) { try $0.receive($1, in: $2) }
    }
    group.post("recalls") { request, context in
      try await act(request, context, InteracBodies.Recall.self, \.message_id) { try $0.recall($1, in: $2) }
    }
  }

  /// One transaction, which a message of the same id and content has once; the answer is kept in it.
  private func act<Body: Codable & Sendable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type, _ id: @Sendable (Body) -> String,
    _ work: @escaping @Sendable (InteracReceiver, Body, any SQLTransaction) throws -> SimulationBodies.Sent
  ) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .interac)
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
    // A card issuer's ids have no space in them.
    let message = try ConnectorMessage(
      "interac \(IssuerBodies.id(id(body), "message_id"))", of: tenant.id, path: request.uri.path, body: body,
      vault: core.vault, for: "finaptic interac message")
    let receiver = receiver(tenant, context.client.actor)
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [core] tx in
      if let earlier = try message.earlier(SimulationBodies.Sent.self, at: core.world.now(), in: tx) { return earlier }
      let sent = try work(receiver, body, tx)
      try message.keep(sent, in: tx)
      return sent
    }
    return try Response.json(answer)
  }
}
