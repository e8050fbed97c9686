import Capabilities
import Foundation
import GatehouseWire
import Kit
import Storage

/// Tells banks how their operations ended, signed as Standard Webhooks has it (1.0.0, standardwebhooks.com): HMAC-SHA256
/// over id, time and body under a secret that only the bank and this house know.
///
/// The same event has the same id however often it is sent. Anything but 2xx is tried again by the outbox; 410 is not.
struct Webhooks: Sendable {
  let parts: SaltEdgeParts
  let http: PeerHTTP

  struct Event: Codable, Sendable {
    let type: String
    /// RFC 3339 in UTC: when it happened.
    let timestamp: String
    let data: OperationView
  }

  @Sendable
  func notify(_ item: OutboxItem) async throws {
    let found = try await parts.database.read { [parts] tx -> (Operation, SaltEdgeProvider, String)? in
      let store = ProviderStore(tx, vault: parts.vault)
      guard let operation = try OperationStore(tx, vault: parts.vault).find(.init(rawValue: item.subject)),
        let provider = try store.find(operation.provider), let secret = try store.webhookSecret(of: provider.id)
      else { return nil }
      return (operation, provider, secret)
    }
    // A bank without a webhook asks.
    guard let (operation, provider, secret) = found, let url = provider.webhookURL else { return }
    let (id, seconds) = ("msg_\(operation.id)_\(operation.state.rawValue)", parts.world.now().seconds)
    let body = try WireJSON.encode(
      Event(
        type: "authorization.\(operation.state.rawValue)",
        timestamp: (operation.endedAt ?? operation.createdAt).rfc3339, data: OperationView(operation)))
    guard let proof = WebhookSecret(secret)?.fields(id: id, seconds: seconds, body: body) else { throw Unusable() }
    let headers = proof.merging(["Content-Type": "application/json"]) { one, _ in one }
    let answer = try await http.send(.init("POST", url, headers: headers, body: body))
    guard !(200...299).contains(answer.status) else { return }
    if answer.status == 410 { throw Gone() }
    throw NotTaken()
  }

  /// The receiver says that there is nobody any more.
  struct Gone: FinalFailure {}
  struct NotTaken: Error {}
  struct Unusable: FinalFailure {}
}
