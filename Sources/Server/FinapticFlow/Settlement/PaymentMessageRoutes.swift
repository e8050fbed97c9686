// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit
import Payments

/// `/api/v1/finaptic/payments/messages…`: messages of ISO 20022 by HTTP, with the credentials of a client of the tenant
/// whose scope is `payments`, which opens nothing else. What a folder brings is booked by the same commands.
struct PaymentMessageRoutes: Sendable {
  /// Of one message, in bytes: some thousand payments. Larger ones come by the folder.
  static let bytesMax = 8 << 20

  let messages: IncomingMessages
  let outgoing: OutgoingPayments
  let tenants: FinapticTenants

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("payments/messages")
    group.post(use: take)
    group.get(use: owed)
    group.post("{id}/handover", use: handOver)
    group.post("{id}/acknowledgement", use: acknowledge)
  }

  @Sendable
  private func take(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .payments)
    let content = try await RequestContent(request, limit: Self.bytesMax, from: context.client.id.rawValue)
    guard content.mediaType == "application/xml" || content.mediaType == "text/xml" else {
      throw Problem.unsupportedMedia
    }
    let outcome: IncomingMessages.Outcome
    do {
      outcome = try await messages.take(content.bytes, of: tenant.id, by: context.client.actor)
    } catch let fault as MessageFault {
      throw Problem(.unprocessable, "message-refused", fault.description)
    }
    return try Response.json(BookingCounts(outcome), status: outcome.suspended + outcome.asked > 0 ? .accepted : .ok)
  }

  @Sendable
  private func owed(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenants.find(of: context.client, scope: .payments)
    let after = request.uri.queryParameters["after"].map(String.init)
    let page = try await outgoing.owed(of: tenant.id, after: after)
    return try Response.json(MessageList(messages: page.map(MessageList.Item.init)))
  }

  /// Only this gives out what a message says, because from then on its payment is not given back any more.
  @Sendable
  private func handOver(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.require("id")
    let tenant = try await tenants.find(of: context.client, scope: .payments)
    switch try await outgoing.handOver(id, of: tenant.id, by: context.client.actor) {
    case .message(let message): return try Response.json(MessageDocument(message))
    case .deadLettered:
      throw Problem(.conflict, "message-parked", "This message could not be written: an operator has to look at it.")
    }
  }

  @Sendable
  private func acknowledge(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.require("id")
    let tenant = try await tenants.find(of: context.client, scope: .payments)
    try await outgoing.told(id, of: tenant.id, by: context.client.actor)
    return Response(status: .noContent)
  }

  /// How many payments of a message became what.
  private struct BookingCounts: Encodable {
    let credited, suspended, reversed, repeated, unknown, told, asked_back: Int

    init(_ outcome: IncomingMessages.Outcome) {
      (credited, suspended, reversed) = (outcome.credited, outcome.suspended, outcome.reversed)
      (repeated, unknown, told, asked_back) = (outcome.repeated, outcome.unknown, outcome.told, outcome.asked)
    }
  }

  private struct MessageList: Encodable {
    struct Item: Encodable {
      let id: String
      let leaves_since: String?

      init(_ message: OutgoingMessage) { (id, leaves_since) = (message.id, message.leavesSince?.rfc3339) }
    }

    let messages: [Item]
  }

  private struct MessageDocument: Encodable {
    let id, definition, xml: String

    init(_ message: OutgoingPayments.Message) {
      (id, definition, xml) = (message.id, message.definition, String(decoding: message.xml, as: UTF8.self))
    }
  }
}
