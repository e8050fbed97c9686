// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeWire

extension Authenticator {
  /// Whether a notification is to be shown while the app is in the foreground: only those of active connections are
  /// (specification §9.2). Needs no unlocking.
  public func concerns(_ push: PushPayload) throws(AuthenticatorError) -> Bool { try !candidates(push).isEmpty }

  /// The authorization that a notification names: show it after unlocking, and poll it (specification §1.2).
  ///
  /// In v1 every bank numbers its connections, so that two may have the same: each is asked.
  /// - Throws: `outOfOrder` when it does not belong to this device; what the last service said.
  public func authorization(for push: PushPayload) async throws(AuthenticatorError) -> Authorization {
    try requireUnlocked()
    var failure = AuthenticatorError(.outOfOrder, .connectionUnknown)
    for connection in try candidates(push) {
      do throws(AuthenticatorError) {
        return try await authorization(.init(connection: connection.guid, id: push.authorizationID))
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// Keeps the device's push token, APNs' in hexadecimal, for new connections, and tells the services of v2 that have
  /// another one. v1 has no call for it. Needs no unlocking; call it whenever the app learns its token.
  /// - Returns: by guid, the connections whose services were not told: call again later.
  @discardableResult
  public func updatePushToken(_ token: String) async throws(AuthenticatorError) -> [String: AuthenticatorError] {
    try records.change { $0.pushToken = token }
    var failures: [String: AuthenticatorError] = [:]
    for connection in try records.load().connections
    where connection.apiVersion == 2 && connection.status == .active && connection.pushToken != token {
      do throws(AuthenticatorError) {
        let call = try SaltEdgeV2Calls.updateConnection(connection.id, .init(pushToken: token), try access(connection))
        _ = try await send(call, for: connection.guid)
        try records.change { $0[connection.guid]?.pushToken = token }
      } catch {
        failures[connection.guid] = error
      }
    }
    return failures
  }

  private func candidates(_ push: PushPayload) throws(AuthenticatorError) -> [Connection] {
    try records.load().connections.filter { $0.status == .active && $0.id == push.connectionID }
  }
}
