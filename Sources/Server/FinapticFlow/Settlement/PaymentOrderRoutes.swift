// SPDX-License-Identifier: Apache-2.0
import FinapticWire
import HTTP
import Hummingbird
import Identity
import Kit
import Ledger

/// `/api/v1/finaptic/payments…`: payments to other banks, with the credentials of a client of the tenant whose scope is
/// `post`, as for postings.
struct PaymentOrderRoutes: Sendable {
  let core: CoreDependencies
  let outgoing: OutgoingPayments
  let tenants: FinapticTenants

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("payments")
    group.post(use: order)
    group.get("{id}", use: find)
  }

  /// The call's key is the payment's, for ever: asked again, the answer is the payment as it is now.
  @Sendable
  private func order(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (tenant, client) = (try await tenants.find(of: context.client, scope: .post), context.client)
    guard let key = try FinapticCalls.orderKey(request) else {
      throw Problem(.badRequest, "missing-header", "A payment needs an Idempotency-Key.")
    }
    let asked = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: Order.self)
    switch try await outgoing.order(
      try asked.order, key: "\(client.id) \(key)", of: tenant.id, by: client.actor)
    {
    case .ordered(let payment): return try Response.json(View(payment))
    case .waiting(let approval):
      return try Response.json(PostingBodies.Waiting(approval), status: .accepted)
    }
  }

  @Sendable
  private func find(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .post)
    let id = BankPayment.ID(rawValue: try context.parameters.requireUUID("id"))
    let payment = try await core.database.read { [core] in
      try BankPaymentStore($0, vault: core.vault).find(id, tenant: tenant.id)
    }
    guard let payment, payment.direction == .outgoing else { throw Problem.notFound }
    return try Response.json(View(payment))
  }

  /// Members are in snake case and read strictly.
  private struct Order: Decodable, Sendable {
    let account_id: String
    let amount: FinapticAPI.Amount
    let creditor: String
    let creditor_account: String
    let creditor_bic: String
    let end_to_end_id: String?
    let remittance: String?

    var order: OutgoingPayments.Order {
      get throws {
        guard let money = Money(decimal: amount.amount, currency: amount.currency) else {
          throw Problem.validation([.init("/amount", "range", "An amount of a currency of ISO 4217.")])
        }
        return OutgoingPayments.Order(
          account: .init(rawValue: account_id.lowercased()), amount: money, creditor: creditor,
          creditorAccount: creditor_account, creditorBIC: creditor_bic, endToEndID: end_to_end_id,
          remittance: remittance)
      }
    }
  }

  private struct View: Encodable {
    let payment_id: String
    /// ORDERED, LEAVING, SENT or REVERSED.
    let status: String
    let account_id: String?
    let amount: FinapticAPI.Amount
    let ordered_at: String
    /// Since when the other bank may have the message.
    let leaves_since: String?
    /// A code of ISO 20022 why it came back.
    let return_reason: String?

    init(_ payment: BankPayment) {
      status =
        switch (payment.state, payment.owesFile, payment.toldAt) {
        case (.reversed, _, _): "REVERSED"
        case (_, false, _): "SENT"
        case (_, true, nil): "ORDERED"
        case (_, true, _): "LEAVING"
        }
      (payment_id, account_id) = (payment.id.rawValue, payment.account?.rawValue)
      (amount, ordered_at) = (payment.amount.wire, payment.receivedAt.rfc3339)
      (leaves_since, return_reason) = (payment.toldAt?.rfc3339, payment.returnReason)
    }
  }
}
