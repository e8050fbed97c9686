// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/finaptic/sandbox/v1/cardPayments/…`: what a card network does (finaptic §11.4).
package struct CardPaymentRoutes: Sendable {
  private typealias Context = ClientContext<ServiceClient>

  let calls: FinapticCalls
  let payments: CardPayments
  let sandbox: SandboxControls

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(SandboxRoutes.base)).group("cardPayments")
    group.post("purchase") { try await purchase($0, $1, isFinal: true) }
    group.post("authorizePurchase") { try await purchase($0, $1, isFinal: false) }
    group.post("confirmPurchase", use: confirm)
    group.post("cancelPurchase", use: cancel)
    group.post("refund") { try await giveBack(.refund, $0, $1) }
    group.post("chargeback") { try await giveBack(.chargeback, $0, $1) }
  }

  private func purchase(_ request: Request, _ context: Context, isFinal: Bool) async throws -> Response {
    let (actor, new) = (context.client.actor, CardPayments.New(calls.core.world))
    let (tenant, call) = try await read(request, context, CardPaymentBodies.Purchase.self)
    return try await calls.core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try payments.purchase(call.body, isFinal: isFinal, new: new, of: tenant, by: actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func confirm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, call) = try await read(request, context, CardPaymentBodies.Step.self)
    return try await calls.core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try payments.confirm(call.body, of: tenant, by: context.client.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func cancel(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, call) = try await read(request, context, CardPaymentBodies.Step.self)
    return try await calls.core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try payments.cancel(call.body, of: tenant, by: context.client.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  private func giveBack(_ kind: BankTransaction.Kind, _ request: Request, _ context: Context) async throws -> Response {
    let (tenant, call) = try await read(request, context, CardPaymentBodies.Step.self)
    return try await calls.core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try payments.giveBack(kind, call.body, of: tenant, by: context.client.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  /// Reads a call, whose answer is kept for repetitions.
  private func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: Context, _ type: Body.Type
  ) async throws -> (tenant: FinapticTenant, call: FinapticCalls.Change<Body>) {
    let tenant = try await sandbox.tenant(of: context.client)
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    return (tenant, try calls.change(request, context, content, try content.finaptic(type)))
  }
}
