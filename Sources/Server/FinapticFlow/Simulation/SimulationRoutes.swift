// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/finaptic/sandbox/v1/…`: the world around a sandbox tenant, played by tests (finaptic §11.3).
package struct SimulationRoutes: Sendable {
  let calls: FinapticCalls
  let controls: SandboxControls
  /// - Throws: `Problem` permission denied where customers are real.
  let simulation: @Sendable (_ tenant: FinapticTenant, _ actor: String) throws -> MoneySimulation

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(SandboxRoutes.base))
    group.post("deposits", use: deposit)
    group.post("interac/transfers", use: send)
    group.post("interac/recall", use: recall)
    group.post("interac/confirm", use: confirm)
  }

  @Sendable
  private func deposit(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await open(context)
    let (asked, key) = try await calls.order(request, SimulationBodies.Deposit.self)
    return try Response.json(try await simulation.deposit(asked, key: key))
  }

  @Sendable
  private func send(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await open(context)
    let new = simulation.new()
    let call = try await read(request, context, SimulationBodies.Transfer.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(simulation.send(call.body, new, in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func recall(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await open(context)
    let call = try await read(request, context, SimulationBodies.Recall.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(simulation.recall(call.body, in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let simulation = try await open(context)
    let call = try await read(request, context, SimulationBodies.Confirmation.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(simulation.confirm(call.body, in: tx), for: call, in: tx)
    }
  }

  private func open(_ context: ClientContext<ServiceClient>) async throws -> MoneySimulation {
    try simulation(try await controls.tenant(of: context.client), context.client.actor)
  }

  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type
  ) async throws -> FinapticCalls.Change<Body> {
    try await calls.read(request, type, client: context.client.id.rawValue, correlationID: context.correlationID)
  }
}
