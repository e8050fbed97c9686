// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Tells banks and partners what happened, at their own addresses (Standard Webhooks 1.0.0).
///
/// 1. A message is published in the transaction of what it tells of; every endpoint of its tenant that takes its type
///    gets a delivery of its own, owed by the outbox.
/// 2. A delivery is posted until it is answered with 2xx, over a day with growing pauses; then it is given up, and can
///    be sent again by hand. At least once: receivers know repetitions by `webhook-id`. An endpoint that does not
///    answer rests, and what is owed to it waits.
/// 3. 410 means that the receiver is gone: the endpoint is disabled.
/// 4. Order is not kept: messages say when what they tell of happened.
package struct Webhooks: Sendable {
  package static let topic = "webhooks.deliver"

  let database: any SQLDatabase
  package let vault: Vault
  let world: World
  let audit: Audit
  let outbox: Outbox
  let http: PeerHTTP
  /// For endpoints that the operator's settings name.
  let ownHTTP: PeerHTTP
  let policy: WebhookPolicy

  /// - Parameters:
  ///   - http: calls public addresses only, unless the policy allows others.
  ///   - ownHTTP: for endpoints that the operator's settings name; nil is the same.
  package init(
    database: any SQLDatabase, vault: Vault, world: World, http: PeerHTTP, ownHTTP: PeerHTTP? = nil,
    policy: WebhookPolicy = WebhookPolicy()
  ) {
    (self.database, self.vault, self.world, self.policy) = (database, vault, world, policy)
    (self.http, self.ownHTTP) = (http, ownHTTP ?? http)
    (audit, outbox) = (Audit(world: world, vault: vault), Outbox(world: world))
  }

  package var handlers: [String: OutboxWorker.Handler] { [Self.topic: deliver] }

  /// Owes a message to every endpoint of its tenant that takes it; published again, it is owed no more than once.
  /// - Returns: how many endpoints it is owed to.
  @discardableResult
  package func publish(_ message: WebhookMessage, in tx: any SQLTransaction) throws -> Int {
    precondition(message.body.count <= WebhookPolicy.bodyMax, "No message of ours is that long.")
    let endpoints = try takers(of: message.type, message.tenant, in: tx)
    guard !endpoints.isEmpty else { return 0 }
    let (store, id, now) = (WebhookDeliveryStore(tx, vault: vault), WebhookMessage.ID(world), world.now())
    guard try store.insert(message, as: id, at: now) else { return 0 }
    for endpoint in endpoints {
      try store.insert(WebhookDelivery.ID(world), of: id, to: endpoint.id, at: now)
      try owe(endpoint.id, in: tx)
    }
    return endpoints.count
  }

  /// Whether any endpoint of a tenant takes a type now. Publishers of many events at once ask before they write.
  package func isHeard(_ type: String, by tenant: TenantID, in tx: any SQLTransaction) throws -> Bool {
    try !takers(of: type, tenant, in: tx).isEmpty
  }

  private func takers(of type: String, _ tenant: TenantID, in tx: any SQLTransaction) throws -> [WebhookEndpoint] {
    try WebhookEndpointStore(tx, vault: vault).list(tenant: tenant, limit: WebhookPolicy.allEndpointsMax)
      .filter { $0.disabledAt == nil && $0.events.takes(type) }
  }

  /// Has a delivery posted again, from its first try. An operator knows that its endpoint is back: it rests no more.
  /// - Parameter turn: the one on which the caller decided; nil is whichever it is now.
  /// - Throws: `Problem` not found; conflict `delivery-changed` when it is another turn by now, so that of one decision
  ///   that comes twice one counts; `delivery-under-way` while it is being posted; `endpoint-disabled`.
  package func redeliver(_ id: WebhookDelivery.ID, at turn: Int? = nil, by actor: String) async throws {
    try await database.write { [self] tx in
      let store = WebhookDeliveryStore(tx, vault: vault)
      guard let row = try store.find(id) else { throw Problem.missing(.delivery) }
      if let turn, row.turn != turn { throw Problem.deliveryChanged }
      let endpoint = row.delivery.endpoint
      guard try WebhookEndpointStore(tx, vault: vault).find(endpoint)?.disabledAt == nil else {
        throw Problem(.conflict, "endpoint-disabled", "Its endpoint is disabled: an operator has to enable it first.")
      }
      guard try store.reopen(id, at: world.now()) else {
        throw Problem(.conflict, "delivery-under-way", "It is being sent at this moment. Look again in a while.")
      }
      try WebhookTurnStore(tx).save(endpoint, failures: 0, resumesAt: nil)
      try owe(endpoint, in: tx)
      try audit.append("webhook.redelivered", to: "webhook-delivery-\(id)", by: actor, in: tx)
    }
  }

  /// Forgets what was said about one customer, for an erasure. What is on its way is not sent any more.
  package static func forget(about subject: String, in tx: any SQLTransaction) throws {
    try WebhookLogStore(tx).forget(about: subject)
  }

  /// Looks after what was left lying, and forgets what is too old to be sent again.
  package func sweep() async throws {
    try await mend()
    let horizon = world.now() - policy.retention
    try await database.sweep { try WebhookLogStore($0).sweep(before: horizon, limit: $1) }
  }
}
