import Kit
import Storage

/// What customers of a bank without a server of its own took back on their devices.
extension ProviderNews {
  /// - Parameter moment: when it happened.
  func connectionRevoked(_ id: SaltEdgeConnection.ID, at moment: Instant) async throws {
    try await core.database.write { tx in
      let store = ConnectionStore(tx, vault: core.vault)
      guard try store.touch(id), let connection = try store.find(id) else { return }
      try publish(
        Event(
          type: "connection.revoked", timestamp: moment.rfc3339,
          data: RevokedConnectionView(connection: ConnectionView(connection), user_id: connection.secrets.user)),
        name: "msg_\(id)_revoked", to: connection.provider, about: core.chain(id), in: tx)
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
        name: "msg_consent_\(reference)_revoked", to: provider, about: core.chain(first.connection), in: tx)
    }
  }
}
