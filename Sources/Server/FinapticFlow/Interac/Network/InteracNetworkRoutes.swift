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
  let intake: @Sendable (_ tenant: FinapticTenant, _ actor: String) -> InteracIntake
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
    _ work: @escaping @Sendable (InteracIntake, Body, any SQLTransaction) throws -> SimulationBodies.Sent
  ) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .interac)
    let body = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
    // A card issuer's ids have no space in them.
    let message = "interac \(try IssuerBodies.id(id(body), "message_id"))"
    let intake = intake(tenant, context.client.actor)
    let digest = core.vault.digest("\(request.uri.path) \(try Self.text(body))", for: "finaptic interac message")
    let answer = try await core.database.write(retrying: .outdated, .readCommitted) { [core] tx in
      let store = IssuerMessageStore(tx)
      if let earlier = try store.claim(message, digest, of: tenant.id, at: core.world.now()) {
        return try JSONDecoder().decode(SimulationBodies.Sent.self, from: Data(earlier.utf8))
      }
      let sent = try work(intake, body, tx)
      try store.keep(Self.text(sent), of: message, tenant: tenant.id)
      return sent
    }
    return try Response.json(answer)
  }

  private static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
