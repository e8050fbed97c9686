import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/finaptic/sandbox/v1/cardPayments/…`: what a card network does (finaptic §11.4).
package struct CardPaymentRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  private let service: FinapticService
  private var dependencies: FinapticDependencies { service.dependencies }
  private var payments: CardPayments { dependencies.cardPayments }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(SandboxRoutes.base)).group("cardPayments")
    group.post("purchase", use: purchase)
    group.post("authorizePurchase", use: authorize)
    group.post("confirmPurchase", use: confirm)
    group.post("cancelPurchase", use: cancel)
    group.post("refund", use: refund)
    group.post("chargeback", use: chargeback)
  }

  @Sendable
  private func purchase(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    try await purchase(request, context, isFinal: true)
  }

  @Sendable
  private func authorize(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    try await purchase(request, context, isFinal: false)
  }

  private func purchase(_ request: Request, _ context: Context, isFinal: Bool) async throws -> Response {
    let (actor, new) = (context.client.actor, CardPayments.New(dependencies.core.world))
    let call = try await read(request, context, CardPaymentBodies.Purchase.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [payments] tx in
      try payments.purchase(call.body, isFinal: isFinal, new: new, of: call.tenant, by: actor, in: tx)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    let call = try await read(request, context, CardPaymentBodies.Step.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [payments] tx in
      try payments.confirm(call.body, of: call.tenant, by: actor, in: tx)
    }
  }

  @Sendable
  private func cancel(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    let call = try await read(request, context, CardPaymentBodies.Step.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [payments] tx in
      try payments.cancel(call.body, of: call.tenant, by: actor, in: tx)
    }
  }

  @Sendable
  private func refund(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    let call = try await read(request, context, CardPaymentBodies.Step.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [payments] tx in
      try payments.giveBack(.refund, call.body, of: call.tenant, by: actor, in: tx)
    }
  }

  @Sendable
  private func chargeback(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    let call = try await read(request, context, CardPaymentBodies.Step.self)
    return try await service.commit(call.write, isolation: .readCommitted) { [payments] tx in
      try payments.giveBack(.chargeback, call.body, of: call.tenant, by: actor, in: tx)
    }
  }

  /// Reads a call, whose answer is kept for repetitions.
  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type
  ) async throws -> (body: Body, tenant: FinapticTenant, write: IdempotentAnswers.Write) {
    let tenant = try await dependencies.sandbox.tenant(of: context.client)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    let write = try service.answers.write(
      request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
    return (body, tenant, write)
  }
}
