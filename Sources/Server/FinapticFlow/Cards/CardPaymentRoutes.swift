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
    return try await change(request, context, CardPaymentBodies.Purchase.self) { [payments] body, tenant, tx in
      try payments.purchase(body, isFinal: isFinal, new: new, of: tenant, by: actor, in: tx)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    return try await change(request, context, CardPaymentBodies.Step.self) { [payments] in
      try payments.confirm($0, of: $1, by: actor, in: $2)
    }
  }

  @Sendable
  private func cancel(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    return try await change(request, context, CardPaymentBodies.Step.self) { [payments] in
      try payments.cancel($0, of: $1, by: actor, in: $2)
    }
  }

  @Sendable
  private func refund(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    return try await change(request, context, CardPaymentBodies.Step.self) { [payments] in
      try payments.giveBack(.refund, $0, of: $1, by: actor, in: $2)
    }
  }

  @Sendable
  private func chargeback(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let actor = context.client.actor
    return try await change(request, context, CardPaymentBodies.Step.self) { [payments] in
      try payments.giveBack(.chargeback, $0, of: $1, by: actor, in: $2)
    }
  }

  /// One transaction, with its answer: what is sent again under its key is answered the same.
  private func change<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type,
    _ work: @escaping @Sendable (Body, FinapticTenant, any SQLTransaction) throws -> CardPaymentBodies.Outcome
  ) async throws -> Response {
    let tenant = try await dependencies.sandbox.tenant(of: context.client)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    let write = try service.answers.write(
      request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
    return try await service.commit(write, isolation: .readCommitted) { try work(body, tenant, $0) }
  }
}
