import Foundation
import Kit
import Storage

/// Tells banks and partners what happened, at their own addresses (Standard Webhooks 1.0.0).
///
/// 1. A message is published in the transaction of what it tells of; every endpoint of its tenant that takes its type
///    gets a delivery of its own, owed by the outbox.
/// 2. A delivery is posted until it is answered with 2xx, over a day with growing pauses; then it is given up, and can
///    be sent again by hand. At least once: receivers know repetitions by `webhook-id`.
/// 3. 410 says that nobody is there any more: the endpoint is disabled.
/// 4. Order is not kept: messages say when what they tell of happened.
package struct Webhooks: Sendable {
  package static let topic = "webhooks.deliver"

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let audit: Audit
  let outbox: Outbox
  let http: PeerHTTP
  let policy: WebhookPolicy
  let turns: WebhookTurns

  /// - Parameter http: calls public addresses only, unless the policy allows others.
  package init(
    database: any SQLDatabase, vault: Vault, world: World, http: PeerHTTP, policy: WebhookPolicy = WebhookPolicy()
  ) {
    (self.database, self.vault, self.world, self.http, self.policy) = (database, vault, world, http, policy)
    (audit, outbox) = (Audit(world: world), Outbox(world: world))
    turns = WebhookTurns(max: policy.turnsMax)
  }

  package var handlers: [String: OutboxWorker.Handler] { [Self.topic: deliver] }

  /// Owes a message to every endpoint of its tenant that takes it; published again, it is owed no more than once.
  /// - Returns: how many endpoints it is owed to.
  @discardableResult
  package func publish(_ message: WebhookMessage, in tx: any SQLTransaction) throws -> Int {
    precondition(message.body.count <= WebhookPolicy.bodyMax, "No message of ours is that long.")
    let endpoints = try WebhookEndpointStore(tx, vault: vault).list(
      tenant: message.tenant, limit: WebhookPolicy.endpointsMax
    ).filter { $0.disabledAt == nil && $0.events.takes(message.type) }
    guard !endpoints.isEmpty else { return 0 }
    let (store, id, now) = (WebhookDeliveryStore(tx, vault: vault), WebhookMessage.ID(world), world.now())
    guard try store.insert(message, as: id, at: now) else { return 0 }
    for endpoint in endpoints {
      let delivery = WebhookDelivery.ID(world)
      try store.insert(delivery, of: id, to: endpoint.id, at: now)
      try outbox.enqueue(Self.topic, subject: delivery.rawValue, payload: "0", in: tx)
    }
    return endpoints.count
  }

  /// Has a delivery posted again, from its first try.
  /// - Throws: `Problem` not found.
  package func redeliver(_ id: WebhookDelivery.ID, by actor: String) async throws {
    try await database.write { [self] tx in
      let now = world.now()
      guard let turn = try WebhookDeliveryStore(tx, vault: vault).reopen(id, at: now) else { throw Problem.notFound }
      try outbox.enqueue(Self.topic, subject: id.rawValue, payload: "\(turn)", in: tx)
      try audit.append("webhook.redelivered", to: "webhook-delivery-\(id)", by: actor, in: tx)
    }
  }

  /// The newest first.
  package func log(_ filter: WebhookLogStore.Filter) async throws -> [WebhookDelivery] {
    try await database.read { try WebhookLogStore($0).list(filter) }
  }

  /// Forgets what was said about one customer, for an erasure. What is on its way is not sent any more.
  package static func forget(about subject: String, in tx: any SQLTransaction) throws {
    try WebhookLogStore(tx).forget(about: subject)
  }

  /// Forgets what is too old to be sent again.
  package func sweep() async throws {
    let horizon = world.now() - policy.retention
    try await database.sweep { try WebhookLogStore($0).sweep(before: horizon, limit: $1) }
  }
}
