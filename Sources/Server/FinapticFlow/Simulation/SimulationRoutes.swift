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
    let call = try await read(request, context, SimulationBodies.Transfer.self)
    return try await service.commit(call.write) { try simulation.send(call.body, new, in: $0) }
  }

  @Sendable
  private func recall(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    let call = try await read(request, context, SimulationBodies.Recall.self)
    return try await service.commit(call.write) { try simulation.recall(call.body, in: $0) }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await simulation(context)
    let call = try await read(request, context, SimulationBodies.Confirmation.self)
    return try await service.commit(call.write) { try simulation.confirm(call.body, in: $0) }
  }

  private func simulation(_ context: ClientContext<ServiceClient>) async throws -> MoneySimulation {
    let tenant = try await service.dependencies.sandbox.tenant(of: context.client)
    return try service.dependencies.simulation(of: tenant, by: context.client.actor)
  }

  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type
  ) async throws -> (body: Body, write: IdempotentAnswers.Write) {
    try await service.read(request, type, client: context.client.id.rawValue, correlationID: context.correlationID)
  }
}
