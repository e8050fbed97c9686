// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import Storage

/// Tells banks how their operations ended and what their customers took back, at the address of the bank's record,
/// signed with its secret. How it gets there is the business of `Webhooks`.
///
/// The same event has the same id however often it is sent. 410 ends that event only, as ever: the next one is sent.
struct ProviderWebhooks: Sendable {
  let core: CoreDependencies
  let webhooks: Webhooks

  // What docs/reference/webhook-events.md tells of them.
  // webhook authorization.confirmed: the customer confirmed
  // webhook authorization.denied: the customer denied
  // webhook authorization.expired: it ended without an answer
  // webhook authorization.cancelled: the bank took it back
  // webhook connection.revoked: the customer took the connection out, or its access expired
  // webhook consent.revoked: the customer took a consent back

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
        about: core.chain(operation.id), of: operation.userDigest, in: tx)
    }
  }

  /// A bank without a webhook asks.
  /// - Parameters:
  ///   - name: the same however often it is sent.
  ///   - user: digest of the customer, whose key seals it; nil before there is one.
  func publish(
    _ event: Event<some Codable & Sendable>, name: String, to id: SaltEdgeProvider.ID, about subject: String?,
    of user: String?, in tx: any SQLTransaction
  ) throws {
    let store = ProviderStore(tx, vault: core.vault)
    guard let provider = try store.find(id), let url = provider.webhookURL,
      let text = try store.webhookSecret(of: provider.id)
    else { return }
    guard let secret = WebhookSecret(text) else { throw Unusable() }
    try webhooks.bind(url, secret: secret, tenant: provider.webhooks, outlivesGone: true, in: tx)
    try webhooks.publish(
      WebhookMessage(
        event.type, name: name, tenant: provider.webhooks, body: try WireJSON.encode(event), about: subject,
        keySubject: user), in: tx)
  }

  struct Unusable: FinalFailure {}
}

/// What customers of a bank without a server of its own took back on their devices.
extension ProviderWebhooks {
  /// - Parameter moment: when it happened.
  func connectionRevoked(_ id: SaltEdgeConnection.ID, at moment: Instant) async throws {
    try await core.database.write { tx in
      let store = ConnectionStore(tx, vault: core.vault)
      guard try store.touch(id), let connection = try store.find(id) else { return }
      try publish(
        Event(
          type: "connection.revoked", timestamp: moment.rfc3339,
          data: RevokedConnectionView(connection: ConnectionView(connection), user_id: connection.secrets.user)),
        name: "msg_\(id)_revoked", to: connection.provider, about: core.chain(id), of: connection.userDigest,
        in: tx)
    }
  }

  /// - Parameter moment: when it happened.
  func consentRevoked(_ reference: String, of provider: SaltEdgeProvider.ID, at moment: Instant) async throws {
    try await core.database.write { tx in
      let consents = try ConsentStore(tx, vault: core.vault).all(reference, of: provider)
      let connections = ConnectionStore(tx, vault: core.vault)
      guard let first = consents.first, try connections.touch(first.connection) else { return }
      let owner = try connections.find(first.connection)
      try publish(
        Event(
          type: "consent.revoked", timestamp: moment.rfc3339,
          data: RevokedConsentView(
            consent: .init(reference: reference, state: ConsentState.revoked.rawValue, devices: consents.count),
            user_id: owner?.secrets.user)),
        name: "msg_consent_\(reference)_revoked", to: provider, about: core.chain(first.connection),
        of: owner?.userDigest, in: tx)
    }
  }
}
