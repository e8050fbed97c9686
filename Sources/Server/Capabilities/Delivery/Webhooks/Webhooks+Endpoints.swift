// SPDX-License-Identifier: Apache-2.0

import CTransfer
import Foundation
import Kit
import Storage

/// What operators do with endpoints.
extension Webhooks {
  /// An endpoint with its secret, which is shown this once.
  package struct Issued: Sendable {
    package let endpoint: WebhookEndpoint
    package let secret: WebhookSecret
  }

  /// Endpoints that are listed at once.
  package static let listMax = 1000

  /// - Parameter events: names of types; none is all.
  /// - Throws: `Problem` validation; conflict `too-many-endpoints`.
  package func add(
    _ url: String, tenant: TenantID, events: [String] = [], by actor: String
  ) async throws -> Issued {
    let endpoint = WebhookEndpoint(
      id: .init(world), tenant: tenant, url: url, events: try checked(url, events), isBound: false,
      createdAt: world.now(), formerUntil: nil, disabledAt: nil)
    let secret = WebhookSecret(world)
    try await database.write(.serializable) { [self] tx in
      let store = WebhookEndpointStore(tx, vault: vault)
      let own = try store.list(tenant: tenant, limit: WebhookPolicy.allEndpointsMax).filter { !$0.isBound }
      guard own.count < WebhookPolicy.endpointsMax else {
        throw Problem(
          .conflict, "too-many-endpoints", "A tenant has at most \(WebhookPolicy.endpointsMax) endpoints.")
      }
      try store.insert(endpoint, secret: secret)
      try note("added", endpoint.id, by: actor, ["tenant": tenant.description, "events": endpoint.events.text], in: tx)
    }
    return Issued(endpoint: endpoint, secret: secret)
  }

  /// Has messages of a tenant go where a record of its module says, too, signed with the secret of that record.
  /// - Parameters:
  ///   - outlivesGone: whether 410 ends one message only, and not the endpoint.
  ///   - isOwn: whether the operator's settings name it: it may be on a private address.
  package func bind(
    _ url: String, secret: WebhookSecret, tenant: TenantID, outlivesGone: Bool = false, isOwn: Bool = false,
    in tx: any SQLTransaction
  ) throws {
    let store = WebhookEndpointStore(tx, vault: vault)
    guard let endpoint = try store.bound(tenant: tenant) else {
      return try store.insert(
        .bound(to: tenant, url, world, outlivesGone: outlivesGone, isOwn: isOwn), secret: secret)
    }
    try Self.rebind(endpoint, url, secret, vault, at: world.now(), in: tx)
  }

  /// Has what waits for an endpoint that a record names go where the record says from now on. One that nothing was
  /// published to yet is not there, and `bind` makes it.
  package static func rebind(
    _ url: String, secret: WebhookSecret, tenant: TenantID, vault: Vault, at now: Instant, in tx: any SQLTransaction
  ) throws {
    guard let endpoint = try WebhookEndpointStore(tx, vault: vault).bound(tenant: tenant) else { return }
    try rebind(endpoint, url, secret, vault, at: now, in: tx)
  }

  private static func rebind(
    _ endpoint: WebhookEndpoint, _ url: String, _ secret: WebhookSecret, _ vault: Vault, at now: Instant,
    in tx: any SQLTransaction
  ) throws {
    let store = WebhookEndpointStore(tx, vault: vault)
    let isSame = try store.secrets(of: endpoint.id, at: now).first?.text == secret.text
    guard endpoint.url != url || !isSame else { return }
    try store.rebind(endpoint.id, url: url, secret: isSame ? nil : secret, at: now)
    try WebhookTurnStore(tx).save(endpoint.id, failures: 0, resumesAt: nil)
  }

  /// Makes a new secret. The one before it goes on signing beside it until the overlap is over. No overlap ends every
  /// secret before at once: for one that others may have seen.
  /// - Throws: `Problem` not found; validation; conflict `secret-turning-over` while the one before still signs, which
  ///   receivers were told they may count on.
  package func rotate(
    _ id: WebhookEndpoint.ID, overlap: Duration? = nil, by actor: String
  ) async throws -> Issued {
    let (overlap, secret) = (overlap ?? policy.overlap, WebhookSecret(world))
    return try await database.write { [self] tx in
      let store = WebhookEndpointStore(tx, vault: vault)
      try Self.requireOwn(id, store)
      let (endpoint, until) = try Self.turnOver(id, to: secret, overlap, at: world.now(), in: store)
      try note("rotated", id, by: actor, ["until": until.rfc3339], in: tx)
      return Issued(endpoint: endpoint, secret: secret)
    }
  }

  /// The same for the endpoint that a record names, whose new secret the caller writes into the record. One that
  /// nothing was published to yet is made, so that its first messages have both signatures, too.
  /// - Parameters:
  ///   - url: as the record says.
  ///   - former: the record's secret until now.
  ///   - outlivesGone: as for `bind`, of one that is made.
  /// - Returns: until when both sign.
  /// - Throws: as `rotate`.
  package static func rotateBound(
    _ tenant: TenantID, at url: String, from former: WebhookSecret, to secret: WebhookSecret, overlap: Duration,
    outlivesGone: Bool = false, vault: Vault, world: World, in tx: any SQLTransaction
  ) throws -> Instant {
    let (store, now) = (WebhookEndpointStore(tx, vault: vault), world.now())
    let endpoint = try store.bound(tenant: tenant) ?? .bound(to: tenant, url, world, outlivesGone: outlivesGone)
    if try store.find(endpoint.id) == nil { try store.insert(endpoint, secret: former) }
    let until = try turnOver(endpoint.id, to: secret, overlap, at: now, in: store).until
    // What stopped for the old secret goes on.
    if try store.enable(endpoint.id) { try WebhookTurnStore(store.tx).save(endpoint.id, failures: 0, resumesAt: nil) }
    return until
  }

  private static func turnOver(
    _ id: WebhookEndpoint.ID, to secret: WebhookSecret, _ overlap: Duration, at now: Instant,
    in store: WebhookEndpointStore
  ) throws -> (endpoint: WebhookEndpoint, until: Instant) {
    guard (.zero...WebhookPolicy.overlapMax).contains(overlap) else {
      let days = WebhookPolicy.overlapMax.wholeSeconds / 86_400
      throw Problem.validation([.init("/overlap", "range", "0 to \(days) days.")])
    }
    if overlap > .zero, let until = try store.find(id)?.formerUntil, until > now {
      throw Problem(
        .conflict, "secret-turning-over",
        "The secret before this one signs until \(until.rfc3339). Wait for that, or end both now with no overlap.")
    }
    let until = now + overlap
    guard try store.rotate(id, to: secret, formerUntil: until, at: now), let endpoint = try store.find(id)
    else { throw Problem.missing(.endpoint) }
    return (endpoint, until)
  }

  /// Has messages go there again.
  /// - Throws: `Problem` not found; conflict `endpoint-enabled` for one that is not disabled.
  package func enable(_ id: WebhookEndpoint.ID, by actor: String) async throws {
    try await database.write { [self] tx in
      let store = WebhookEndpointStore(tx, vault: vault)
      guard try store.enable(id) else {
        guard try store.find(id) != nil else { throw Problem.missing(.endpoint) }
        throw Problem(.conflict, "endpoint-enabled", "The endpoint is not disabled: messages go there.")
      }
      try WebhookTurnStore(tx).save(id, failures: 0, resumesAt: nil)
      try note("enabled", id, by: actor, in: tx)
    }
  }

  /// Forgets an endpoint and what it was sent.
  /// - Throws: `Problem` not found.
  package func remove(_ id: WebhookEndpoint.ID, by actor: String) async throws {
    try await database.write { [self] tx in
      let store = WebhookEndpointStore(tx, vault: vault)
      try Self.requireOwn(id, store)
      guard try store.delete(id) else { throw Problem.missing(.endpoint) }
      try note("removed", id, by: actor, in: tx)
    }
  }

  private static func requireOwn(_ id: WebhookEndpoint.ID, _ store: WebhookEndpointStore) throws {
    guard try store.find(id)?.isBound == true else { return }
    throw Problem(
      .conflict, "endpoint-bound", "A record of its system says where it is and what signs: change it there.")
  }

  func note(
    _ action: String, _ id: WebhookEndpoint.ID, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try audit.append("webhook.\(action)", to: "webhook-endpoint-\(id)", by: actor, facts: facts, in: tx)
  }

  private func checked(_ url: String, _ types: [String]) throws -> WebhookEvents {
    var fields: [Problem.Field] = []
    if !Self.isAddress(url, allowsPrivate: policy.allowsPrivate, networks: policy.networks) {
      let address =
        policy.networks.isEmpty ? "A public HTTPS address" : "An HTTPS address, public or in webhooks.networks,"
      fields.append(.init("/url", "format", "\(address) without user and fragment, of 512 bytes at most."))
    }
    let events = WebhookEvents(types)
    if events == nil { fields.append(.init("/events", "format", "At most 64 names of types of events.")) }
    guard fields.isEmpty, let events else { throw Problem.validation(fields) }
    return events
  }

  /// A look at the text only; what its name stands for is asked at every call.
  static func isAddress(_ url: String, allowsPrivate: Bool, networks: [PeerNetwork] = []) -> Bool {
    guard let address = WebAddress(url, lengthMax: 512), !address.hasFragment else { return false }
    if allowsPrivate { return true }
    let host = address.host
    let isLiteral = host.contains(":") || host.wholeMatch(of: /[0-9.]+/) != nil
    guard !isLiteral || ctransfer_is_public(host) || PeerNetwork.admit(host, networks) else { return false }
    let name = host.lowercased().trimmingCharacters(in: ["."])
    // Names that only the institution's own name server knows stand for addresses of its own networks.
    let isInternal = networks.isEmpty && [".local", ".internal"].contains { name.hasSuffix($0) }
    return address.isSecure && !name.isOwnMachine && !isInternal
  }
}

extension WebhookEndpoint {
  /// One that a record of its module names, from now on.
  fileprivate static func bound(
    to tenant: TenantID, _ url: String, _ world: World, outlivesGone: Bool = false, isOwn: Bool = false
  ) -> WebhookEndpoint {
    WebhookEndpoint(
      id: .init(world), tenant: tenant, url: url, events: .all, isBound: true, createdAt: world.now(), formerUntil: nil,
      disabledAt: nil, outlivesGone: outlivesGone, isOwn: isOwn)
  }
}
