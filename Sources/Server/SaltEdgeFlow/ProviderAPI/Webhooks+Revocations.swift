import Foundation
import Kit
import Storage

/// What customers of a bank without a server of its own took back on their devices.
extension Webhooks {
  /// - Parameter moment: when it happened.
  func connectionRevoked(_ id: SaltEdgeConnection.ID, at moment: Instant) async throws {
    let found = try await parts.database.read { [parts] tx -> (SaltEdgeConnection, SaltEdgeProvider, String)? in
      let store = ProviderStore(tx, vault: parts.vault)
      guard let connection = try ConnectionStore(tx, vault: parts.vault).find(id),
        let provider = try store.find(connection.provider), let secret = try store.webhookSecret(of: provider.id)
      else { return nil }
      return (connection, provider, secret)
    }
    guard let (connection, provider, secret) = found else { return }
    try await post(
      Event(
        type: "connection.revoked", timestamp: moment.rfc3339,
        data: RevokedConnectionView(connection: ConnectionView(connection), user_id: connection.secrets.user)),
      id: "msg_\(id)_revoked", to: provider, secret: secret)
  }

  /// - Parameter moment: when it happened.
  func consentRevoked(_ reference: String, of provider: SaltEdgeProvider, at moment: Instant) async throws {
    let found = try await parts.database.read { [parts] tx -> (RevokedConsentView, String)? in
      let consents = try ConsentStore(tx, vault: parts.vault).all(reference, of: provider.id)
      guard let first = consents.first,
        let secret = try ProviderStore(tx, vault: parts.vault).webhookSecret(of: provider.id)
      else { return nil }
      let owner = try ConnectionStore(tx, vault: parts.vault).find(first.connection)
      return (
        RevokedConsentView(
          consent: .init(reference: reference, state: ConsentState.revoked.rawValue, devices: consents.count),
          user_id: owner?.secrets.user), secret
      )
    }
    guard let (view, secret) = found else { return }
    try await post(
      Event(type: "consent.revoked", timestamp: moment.rfc3339, data: view), id: "msg_consent_\(reference)_revoked",
      to: provider, secret: secret)
  }
}
