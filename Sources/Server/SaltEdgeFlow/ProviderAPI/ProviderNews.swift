import Delivery
import Foundation
import GatehouseWire
import Kit
import Storage

/// Tells banks how their operations ended and what their customers took back, at the address of the bank's record,
/// signed with its secret. How it gets there is the business of `Webhooks`.
///
/// The same event has the same id however often it is sent. 410 ends that event only, as ever: the next one is sent.
struct ProviderNews: Sendable {
  let core: CoreDependencies
  let webhooks: Webhooks

  struct Event<Content: Codable & Sendable>: Codable, Sendable {
    let type: String
    /// RFC 3339 in UTC: when it happened.
    let timestamp: String
    let data: Content
  }

  @Sendable
  func notify(_ item: OutboxItem) async throws {
    try await core.database.write { tx in
      let (store, id) = (OperationStore(tx, vault: core.vault), Operation.ID(rawValue: item.subject))
      guard try store.touch(id), let operation = try store.find(id) else { return }
      try publish(
        Event(
          type: "authorization.\(operation.state.rawValue)",
          timestamp: (operation.endedAt ?? operation.createdAt).rfc3339, data: OperationView(operation)),
        name: "msg_\(operation.id)_\(operation.state.rawValue)", to: operation.provider,
        about: core.chain(operation.id), in: tx)
    }
  }

  /// A bank without a webhook asks.
  /// - Parameter name: the same however often it is sent.
  func publish(
    _ event: Event<some Codable & Sendable>, name: String, to id: SaltEdgeProvider.ID, about subject: String?,
    in tx: any SQLTransaction
  ) throws {
    let store = ProviderStore(tx, vault: core.vault)
    guard let provider = try store.find(id), let url = provider.webhookURL,
      let text = try store.webhookSecret(of: provider.id)
    else { return }
    guard let secret = WebhookSecret(text) else { throw Unusable() }
    try webhooks.bind(url, secret: secret, tenant: provider.webhooks, outlivesGone: true, in: tx)
    try webhooks.publish(
      WebhookMessage(
        event.type, name: name, tenant: provider.webhooks, body: try WireJSON.encode(event), about: subject), in: tx)
  }

  struct Unusable: FinalFailure {}
}
