// SPDX-License-Identifier: Apache-2.0

internal import GatehouseWire
internal import SaltEdgeCore
internal import SaltEdgeWire

extension Authenticator {
  /// Confirms what was shown. Nothing is even written before the user has shown to be there: `unlock` gives the proof,
  /// which this uses up, whatever comes of it (specification §10.4).
  /// - Returns: the authorization as it stands now; in v2 mostly `processing`: poll on.
  /// - Throws: `outOfOrder` with `userPresenceMissing`, `geolocationMissing`, `authorizationOver` or `appLocked`, and
  ///   then nothing was sent.
  @discardableResult
  public func confirm(
    _ authorization: Authorization, by proof: UserPresence
  ) async throws(AuthenticatorError) -> Authorization {
    try requireUnlocked()
    try spend(proof)
    return try await decide(authorization, confirms: true, method: proof.method)
  }

  /// Denies what was shown; this needs no proof besides the unlocked app.
  @discardableResult
  public func deny(_ authorization: Authorization) async throws(AuthenticatorError) -> Authorization {
    try requireUnlocked()
    return try await decide(authorization, confirms: false, method: unlocked?.method ?? .passcode)
  }

  private func decide(
    _ authorization: Authorization, confirms: Bool, method: PresenceMethod
  ) async throws(AuthenticatorError) -> Authorization {
    let id = authorization.id
    let connection = try connection(id.connection)
    let access = try access(connection)
    let place = try await place(for: connection)
    // After the last wait: of two decisions at once one is made.
    guard authorization.state == .pending, !authorization.isExpired(at: now), list[id]?.state ?? .pending == .pending
    else {
      throw AuthenticatorError(.outOfOrder, .authorizationOver)
    }
    list.show(authorization)
    list.set(id, .processing, at: now)
    var decided = authorization
    do throws(AuthenticatorError) {
      decided.state =
        connection.apiVersion == 2
        ? try await decideV2(authorization, confirms, method, place, access)
        : try await decideV1(authorization, confirms, method, place, access)
    } catch {
      list.set(id, Self.state(after: error), at: now)
      throw error
    }
    list.set(id, decided.state, at: now)
    return decided
  }

  private func decideV1(
    _ authorization: Authorization, _ confirms: Bool, _ method: PresenceMethod, _ place: Geolocation?,
    _ access: ServiceAccess
  ) async throws(AuthenticatorError) -> AuthorizationState {
    let call = try SaltEdgeV1Calls.decide(
      authorization.id.id, .init(confirm: confirms, code: authorization.code), geolocation: place?.text,
      authorizationType: method.rawValue, access)
    guard try await send(call, for: authorization.id.connection).success else { return .error }
    return confirms ? .confirmed : .denied
  }

  private func decideV2(
    _ authorization: Authorization, _ confirms: Bool, _ method: PresenceMethod, _ place: Geolocation?,
    _ access: ServiceAccess
  ) async throws(AuthenticatorError) -> AuthorizationState {
    let guid = authorization.id.connection
    guard let bank = try keys.publicKey(KeyTag.provider(guid)) else {
      throw AuthenticatorError(.keyMissing, .apiRequest)
    }
    // What is signed does not say which of the two it is. A denial with the code could be passed off as a confirmation.
    let confirmation = SaltEdgeV2.Confirmation(
      code: confirms ? authorization.code : nil, userAuthorizationType: method.rawValue, geolocation: place?.text)
    guard let plaintext = try? WireJSON.encode(confirmation) else { throw AuthenticatorError(.notSent, .apiRequest) }
    let call = try SaltEdgeV2Calls.decide(
      authorization.id.id, confirms: confirms, .init(encrypting: plaintext, for: bank, randomness: randomness), access)
    // A word that this version does not know is not the end yet: the next poll tells.
    return AuthorizationState(try await send(call, for: guid).status) ?? .processing
  }

  /// §10.8: asked for only where the bank has use for it.
  private func place(for connection: Connection) async throws(AuthenticatorError) -> Geolocation? {
    guard let isRequired = connection.requiresGeolocation else { return nil }
    let place = await setup.places.current()
    guard place != nil || !isRequired else { throw AuthenticatorError(.outOfOrder, .geolocationMissing) }
    try requireUnlocked()
    return place
  }

  /// Where a row stands whose decision failed: when it may have been made, the next poll tells.
  private static func state(after error: AuthenticatorError) -> AuthorizationState {
    switch error.kind {
    case _ where error.errorClass == .authorizationNotFound: .unavailable
    case .transport, .unreadable, .notSent, .keyMissing: .pending
    case .refused(let status) where status == 429 || status >= 500: .pending
    default: .error
    }
  }
}
