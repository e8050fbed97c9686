import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/finaptic/sandbox/v1/…`: the world around a sandbox tenant, played by tests (finaptic §11.3).
package struct SimulationRoutes: Sendable {
  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(SandboxRoutes.base))
    group.post("deposits", use: deposit)
    group.post("interac/transfers", use: send)
    group.post("interac/recall", use: recall)
    group.post("interac/confirm", use: confirm)
  }

  @Sendable
  private func deposit(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    return try await service.keyedChange(request, SimulationBodies.Deposit.self) {
      try await simulation.deposit($0, key: $1)
    }
  }

  @Sendable
  private func send(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    let new = simulation.new()
    return try await change(request, context, SimulationBodies.Transfer.self) {
      try simulation.send($0, new, in: $1)
    }
  }

  @Sendable
  private func recall(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    return try await change(request, context, SimulationBodies.Recall.self) { try simulation.recall($0, in: $1) }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    return try await change(request, context, SimulationBodies.Confirmation.self) {
      try simulation.confirm($0, in: $1)
    }
  }

  private func simulation(_ context: ClientContext<ServiceClient>) async throws -> MoneySimulation {
    let tenant = try await service.dependencies.sandbox.tenant(of: context.client)
    return try service.dependencies.simulation(of: tenant, by: context.client.actor)
  }

  /// One transaction, answered once for an `Idempotency-Key`.
  private func change<Body: Decodable & Sendable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type,
    _ work: @escaping @Sendable (Body, any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Response {
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    // What is kept to tell a repetition by says nothing of names and answers.
    let digest = service.dependencies.core.vault.digest(content.bytes.base64EncodedString(), for: "finaptic call")
    let write = try service.answers.write(
      request, client: context.client.id.rawValue, body: Data(digest.utf8), correlationID: context.correlationID)
    return try await service.commit(write) { try work(body, $0) }
  }
}
