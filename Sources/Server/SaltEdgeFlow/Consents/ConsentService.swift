// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeWire
import Storage

/// Keeps consents and takes them back.
struct ConsentService: Sendable {
  let core: CoreDependencies

  /// What there is already of a reference.
  enum Status: Sendable, Equatable {
    case none, open, revoked
    /// Another customer's.
    case foreign
  }

  /// - Parameter user: whose it should be; nil when the bank does not say.
  func status(
    _ reference: String, of provider: SaltEdgeProvider.ID, user: String?, in tx: any SQLTransaction
  ) throws -> Status {
    let known = try ConsentStore(tx, vault: core.vault).all(reference, of: provider)
    guard let first = known.first else { return .none }
    let owner = try ConnectionStore(tx, vault: core.vault).find(first.connection)?.userDigest
    guard user == nil || owner == user else { return .foreign }
    return known.contains { $0.state == .open } ? .open : .revoked
  }

  /// Puts a consent on those devices of one customer that can be reached; those that have it already keep what they
  /// have. What was taken back does not come back under its name.
  /// - Throws: `Problem` WrongRequestFormat for a device of another customer, for a reference of another customer's
  ///   consent, and for one that was taken back; ConnectionNotFound when no connection can be reached.
  func add(
    _ reference: String, of provider: SaltEdgeProvider, user: String?,
    items: [(item: SaltEdgeBank.Item, expiresAt: Instant)], in tx: any SQLTransaction
  ) throws {
    let (store, now) = (ConsentStore(tx, vault: core.vault), core.world.now())
    try store.touch(reference, of: provider.id)
    guard [.none, .open].contains(try status(reference, of: provider.id, user: user, in: tx)) else {
      throw Problem.wrongFormat
    }
    let connections = ConnectionStore(tx, vault: core.vault)
    let known = try store.all(reference, of: provider.id).map(\.connection)
    // A bank that does not say whose it is means one customer all the same.
    var owner = try user ?? known.first.flatMap { try connections.find($0)?.userDigest }
    let reach = try connections.reach(items.map(\.item.connection), of: provider.id, at: now)
    try reach.requireAny()
    for (item, expiresAt) in items {
      guard let connection = reach.living[item.connection] else { continue }
      guard owner == nil || connection.userDigest == owner else { throw Problem.wrongFormat }
      owner = connection.userDigest
      guard !known.contains(connection.id) else { continue }
      let consent = SaltEdgeConsent(
        id: core.number(), provider: provider.id, reference: reference, connection: connection.id, state: .open,
        payload: item.payload, expiresAt: expiresAt, createdAt: now)
      try store.insert(consent)
      try core.note(
        "consent.created", connection.id, by: "provider:\(provider.id)", ["consent": consent.id.rawValue], in: tx)
    }
  }

  /// Takes a consent back because one of the customer's devices asked.
  ///
  /// What is decrypted has the bank's name for it as its `id` (saltedge-authenticator §4.9). iOS prefers the id of the
  /// entity around it; a client that does not names the consent by the bank's.
  /// - Parameter id: of the entity, or the bank's name.
  /// - Returns: the id of the entity.
  /// - Throws: `Problem` ConsentNotFound.
  @discardableResult
  func revoke(
    _ id: String, on connection: SaltEdgeConnection, in tx: any SQLTransaction
  ) throws -> SaltEdgeConsent.ID {
    let store = ConsentStore(tx, vault: core.vault)
    let listed = try store.find(.init(rawValue: id)).flatMap { $0.connection == connection.id ? $0 : nil }
    guard let consent = try listed ?? store.find(id, of: connection.provider, on: connection.id),
      consent.expiresAt > core.world.now(), consentFlow.allows(.revokedByDevice, from: consent.state)
    else { throw Problem.saltEdge(.consentNotFound) }
    try revoke(consent.reference, of: consent.provider, on: .revokedByDevice, by: connection.actor, in: tx)
    return consent.id
  }

  /// Takes a consent back on every device that shows it; the bank is told once, when a device asked.
  func revoke(
    _ reference: String, of provider: SaltEdgeProvider.ID, on event: ConsentEvent, by actor: String,
    in tx: any SQLTransaction
  ) throws {
    var effects: Set<ConsentEffect> = []
    let consents = try ConsentStore(tx, vault: core.vault).all(reference, of: provider)
    for var consent in consents where consentFlow.allows(event, from: consent.state) {
      let move = try core.mover.move(&consent, on: event, of: ConsentMachine(core: core), by: actor, in: tx)
      effects.formUnion(move.effects)
    }
    for effect in effects {
      try core.outbox.enqueue("saltedge.\(effect.rawValue)", subject: provider.rawValue, payload: reference, in: tx)
    }
  }
}
