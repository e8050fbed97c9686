import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/finaptic/sandbox/v1/…`: the world around a sandbox tenant, played by tests (finaptic §11.3).
package struct SimulationRoutes: Sendable {
  private let room: FinapticService

  package init(_ room: FinapticService) { self.room = room }

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
    return try await room.keyedChange(request, SimulationBodies.Deposit.self) {
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
    let tenant = try await room.parts.sandbox.tenant(of: context.client)
    return try room.parts.simulation(of: tenant, by: context.client.actor)
  }

  /// One transaction, answered once for an `Idempotency-Key`.
  private func change<Body: Decodable & Sendable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type,
    _ work: @escaping @Sendable (Body, any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Response {
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    // What is kept to tell a repetition by says nothing of names and answers.
    let digest = room.parts.core.vault.digest(content.bytes.base64EncodedString(), for: "finaptic call")
    let write = try room.answers.write(
      request, client: context.client.id.rawValue, body: Data(digest.utf8), correlationID: context.correlationID)
    do {
      return Response(
        try await room.parts.core.database.write(retrying: .outdated) { [answers = room.answers] tx in
          if let earlier = try answers.claim(write, in: tx) { return earlier }
          return try answers.keep(try work(body, tx), for: write, in: tx)
        })
    } catch SQLError.notUnique { throw Problem.stepInProgress }
  }
}
