// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeCore
internal import SaltEdgeWire

extension Authenticator {
  /// The consents that the bank of a connection knows of, the next to expire first (specification §4.9, §5.9).
  public func consents(of guid: String) async throws(AuthenticatorError) -> [Consent] {
    try requireUnlocked()
    let connection = try connection(guid)
    let access = try access(connection)
    let entities =
      connection.apiVersion == 2
      ? try await send(SaltEdgeV2Calls.consents(access), for: guid).items
      : try await send(SaltEdgeV1Calls.consents(access), for: guid).items
    try requireUnlocked()
    guard !entities.isEmpty else { return [] }
    let key = try access.key.opened()
    return entities.compactMap { Consent($0, connection: guid, key: key) }
      .sorted { ($0.expiresAt, $0.id) < ($1.expiresAt, $1.id) }
  }

  /// Takes a permission back.
  /// - Returns: false when the bank did not.
  public func revoke(_ consent: Consent) async throws(AuthenticatorError) -> Bool {
    try requireUnlocked()
    let connection = try connection(consent.connection)
    let access = try access(connection)
    if connection.apiVersion == 2 {
      _ = try await send(SaltEdgeV2Calls.revokeConsent(consent.id, access), for: consent.connection)
      return true
    }
    return try await send(SaltEdgeV1Calls.revokeConsent(consent.id, access), for: consent.connection).success
  }
}
