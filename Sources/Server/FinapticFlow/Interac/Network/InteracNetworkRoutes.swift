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
    group.post("transfers", use: receive)
    group.post("recalls", use: recall)
  }

  @Sendable
  private func receive(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .interac)
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: InteracBodies.Transfer.self)
    let message = try message(body.message_id, of: tenant, request, body)
    let receiver = receiver(tenant, context.client.actor)
    return try await Response.json(
      core.database.write(retrying: .outdated, .readCommitted) { tx in
        try earlier(message, in: tx) ?? message.keep(receiver.receive(body, in: tx), in: tx)
      })
  }

  @Sendable
  private func recall(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .interac)
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: InteracBodies.Recall.self)
    let message = try message(body.message_id, of: tenant, request, body)
    let receiver = receiver(tenant, context.client.actor)
    return try await Response.json(
      core.database.write(retrying: .outdated, .readCommitted) { tx in
        try earlier(message, in: tx) ?? message.keep(receiver.recall(body, in: tx), in: tx)
      })
  }

  private func message(
    _ id: String, of tenant: FinapticTenant, _ request: Request, _ body: some Encodable
  ) throws -> ConnectorMessage {
    // A card issuer's ids have no space in them.
    try ConnectorMessage(
      "interac \(IssuerBodies.id(id, "message_id"))", of: tenant.id, path: request.routedPath, body: body,
      vault: core.vault, for: "finaptic interac message")
  }

  /// What the same message was answered before.
  private func earlier(_ message: ConnectorMessage, in tx: any SQLTransaction) throws -> SimulationBodies.Sent? {
    try message.earlier(SimulationBodies.Sent.self, at: core.world.now(), in: tx)
  }
}
