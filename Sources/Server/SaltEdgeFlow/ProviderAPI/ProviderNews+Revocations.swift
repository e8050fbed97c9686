import Kit
import Storage

/// What customers of a bank without a server of its own took back on their devices.
extension ProviderNews {
  /// - Parameter moment: when it happened.
  func connectionRevoked(_ id: SaltEdgeConnection.ID, at moment: Instant) async throws {
    try await parts.database.write { tx in
      let store = ConnectionStore(tx, vault: parts.vault)
      guard try store.touch(id), let connection = try store.find(id) else { return }
      try publish(
        Event(
          type: "connection.revoked", timestamp: moment.rfc3339,
          data: RevokedConnectionView(connection: ConnectionView(connection), user_id: connection.secrets.user)),
        name: "msg_\(id)_revoked", to: connection.provider, about: parts.chain(id), in: tx)
    }
  }

  /// - Parameter moment: when it happened.
  func consentRevoked(_ reference: String, of provider: SaltEdgeProvider.ID, at moment: Instant) async throws {
    try await parts.database.write { tx in
      let consents = try ConsentStore(tx, vault: parts.vault).all(reference, of: provider)
      let connections = ConnectionStore(tx, vault: parts.vault)
      guard let first = consents.first, try connections.touch(first.connection) else { return }
      let owner = try connections.find(first.connection)
      try publish(
        Event(
          type: "consent.revoked", timestamp: moment.rfc3339,
          data: RevokedConsentView(
            consent: .init(reference: reference, state: ConsentState.revoked.rawValue, devices: consents.count),
            user_id: owner?.secrets.user)),
        name: "msg_consent_\(reference)_revoked", to: provider, about: parts.chain(first.connection), in: tx)
    }
  }
}
