// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport
internal import GatehouseWire
public import SaltEdgeCore

/// An authenticator in an app: its connections to banks, what they ask to be confirmed, and the lock in front of it all
/// (specification §1, §10). Connections of v1 and of v2 stand side by side.
///
/// Everything but setting up the lock, taking links apart and push tokens needs the app to be unlocked. Of one store
/// there is one authenticator at a time.
public actor Authenticator {
  let setup: AuthenticatorSetup
  let client: ServiceHTTPClient
  let keys: ConnectionKeys
  let records: ConnectionRecords
  let lockRecords: LockRecords
  let clock: ClientClock
  let randomness: ClientRandomness
  /// Since when the app is open, and by what; nil while it is locked.
  var unlocked: Unlocked?
  /// The one proof that is good for a confirmation still.
  var presence: (proof: UserPresence, until: Duration)?
  /// Until when nothing may be tried, by the clock that cannot be set; nil when this process does not know of a block.
  var blockedUntil: Duration?
  /// How often everything was erased in this process.
  var wipes = 0
  var list: AuthorizationList

  /// - Parameters:
  ///   - store: seals what is kept: `KeychainStore` on Apple platforms, `SealedFileStore` elsewhere.
  ///   - transport: the network, once per request; polling asks again by itself, connecting and picking up an action
  ///     do where that does nothing twice, and a decision is never repeated unasked.
  public init(
    _ setup: AuthenticatorSetup, store: any DirectSecureStore, transport: HTTPTransport = .live(),
    clock: ClientClock = .live, randomness: ClientRandomness = .live
  ) {
    self.setup = setup
    client = ServiceHTTPClient(transport: transport, clock: clock, device: setup.device, limits: setup.policy.limits)
    keys = ConnectionKeys(store, protection: setup.keyProtection)
    records = ConnectionRecords(store: store)
    lockRecords = LockRecords(store: store)
    self.clock = clock
    self.randomness = randomness
    list = AuthorizationList(finalsShown: setup.policy.finalsShown)
  }

  /// What a scanned code or an opened link asks for; nil when it is not one of ours.
  public nonisolated func link(_ text: String) -> DeepLink? {
    try? DeepLink(text: text, schemes: setup.schemes, returnSchemes: setup.returnSchemes)
  }

  var now: WireInstant { WireInstant(millisecondsSince1970: Int64((clock.wallTime() * 1000).rounded(.down))) }

  /// What a call in the name of a connection needs.
  /// - Throws: `outOfOrder` when it has to be made again, `keyMissing`, or `store`.
  func access(_ connection: Connection) throws(AuthenticatorError) -> ServiceAccess {
    try access(connection, by: permit)
  }

  /// - Parameter permit: opens the connection's key; nil where the app is locked or keys are not protected.
  func access(
    _ connection: Connection, by permit: KeyProtection.Permit?
  ) throws(AuthenticatorError) -> ServiceAccess {
    guard connection.status == .active else { throw AuthenticatorError(.outOfOrder, .connectionInactive) }
    guard let key = try keys.key(KeyTag.pair(connection.guid), by: permit) else {
      try deactivate(connection.guid)
      throw AuthenticatorError(.keyMissing, .apiRequest)
    }
    return ServiceAccess(
      baseURL: connection.serviceURL, accessToken: connection.accessToken, key: key, language: setup.language)
  }

  /// Notes on the connection what a failure says about it: its key is lost, or the service does not know it. In v2 it
  /// may not know it yet (§5.3).
  func note(_ error: AuthenticatorError, on guid: String) throws(AuthenticatorError) {
    guard error.endsConnection || error.kind == .keyMissing, let connection = try records.load()[guid] else { return }
    let graceEnd = connection.connectedAt.millisecondsSince1970 + setup.policy.connectingGrace.milliseconds
    let mayBeNew = connection.apiVersion == 2 && error.errorClass == .connectionNotFound
    guard !(mayBeNew && now.millisecondsSince1970 < graceEnd) else { return }
    try deactivate(guid)
  }

  func deactivate(_ guid: String) throws(AuthenticatorError) {
    let now = now
    try records.change { list in
      guard var connection = list[guid], connection.status != .inactive else { return }
      connection.status = .inactive
      connection.updatedAt = now
      list[guid] = connection
    }
  }

  /// Sends a call in the name of a connection and notes what its failure says.
  /// - Parameter repetition: nil sends it once.
  func send<Answer>(
    _ call: ServiceCall<Answer>, for guid: String, repeating repetition: Repetition? = nil
  ) async throws(AuthenticatorError) -> Answer {
    do throws(AuthenticatorError) {
      guard let repetition else { return try await client.send(call) }
      return try await client.send(call, repeating: repetition, after: setup.policy.repeatDelays)
    } catch {
      try note(error, on: guid)
      throw error
    }
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
