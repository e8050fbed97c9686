// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire
import Storage

/// Opens and closes actions and moves their authorizations.
struct ActionService: Sendable {
  let core: CoreDependencies

  /// What a bank shows on its customer's devices.
  struct Opening: Sendable {
    let provider: SaltEdgeProvider.ID
    let reference: String
    let userDigest: String?
    let isMultiple: Bool
    let expiresAt: Instant
    /// Of the whole request.
    let contentDigest: String
    let items: [SaltEdgeBank.Item]
  }

  /// Makes an action and an authorization for every item whose connection can be reached. An action that is there and
  /// was made of the same is left as it is.
  /// - Parameter announcing: whether devices are notified; one that asked for the action itself is not.
  /// - Throws: `Problem` WrongRequestFormat for another action of that name, and for a device of another customer;
  ///   ConnectionNotFound when no connection can be reached.
  @discardableResult
  func open(
    _ opening: Opening, announcing: Bool = true, in tx: any SQLTransaction
  ) throws -> [SaltEdgeAuthorization] {
    let (store, now) = (AuthorizationStore(tx, vault: core.vault), core.world.now())
    if let known = try store.action(opening.reference, of: opening.provider) {
      guard known.contentDigest == opening.contentDigest else { throw Problem.wrongFormat }
      return try store.all(of: known.id)
    }
    let action = SaltEdgeAction(
      id: core.number(), provider: opening.provider, reference: opening.reference, userDigest: opening.userDigest,
      isMultiple: opening.isMultiple, contentDigest: opening.contentDigest, expiresAt: opening.expiresAt, createdAt: now
    )
    try store.insert(action)
    return try add(opening.items, to: action, announcing: announcing, in: tx)
  }

  /// Adds authorizations to an action that is open, with what their bank says of it by now.
  /// - Throws: also `Problem` ActionClosed.
  @discardableResult
  func add(
    _ items: [SaltEdgeBank.Item], to action: SaltEdgeAction, announcing: Bool = true, in tx: any SQLTransaction
  ) throws -> [SaltEdgeAuthorization] {
    let now = core.world.now()
    let (store, connections) = (
      AuthorizationStore(tx, vault: core.vault), ConnectionStore(tx, vault: core.vault)
    )
    guard try store.saveOpen(action) else { throw Problem.saltEdge(.actionClosed) }
    guard try store.all(of: action.id).count + items.count <= SaltEdgePolicy.authorizationsMax else {
      throw Problem.wrongFormat
    }
    let reach = try connections.reach(items.map(\.connection), of: action.provider, at: now)
    try reach.requireAny()
    let isOneQuestion = Set(items.map(\.connection)).count == items.count
    var addition: String?
    return try items.compactMap { item in
      guard let connection = reach.living[item.connection] else { return nil }
      guard connection.apiVersion == 2, action.userDigest == nil || connection.userDigest == action.userDigest else {
        throw Problem.wrongFormat
      }
      var authorization = SaltEdgeAuthorization(
        id: core.number(), action: action.id, reference: action.reference, provider: action.provider,
        connection: connection.id, state: .pending, payload: item.payload, expiresAt: action.expiresAt, createdAt: now)
      if isOneQuestion { addition = addition ?? authorization.id.rawValue }
      authorization.addition = addition
      try store.insert(authorization)
      // What the device is shown, by its digest: the bytes themselves are kept, sealed, beside the decision.
      try core.note(
        "authorization.created", connection.id, by: "provider:\(action.provider)",
        ["authorization": authorization.id.rawValue, "shown": item.payload.digest], in: tx)
      if announcing { try PushNotices.owe(authorization.id.rawValue, to: connection, core, in: tx) }
      return authorization
    }
  }

  /// The bank answered a decision by closing: that ends its action, or, of an action that the bank may add to, the one
  /// question that was decided, on the customer's other devices. The other questions end by their own decisions, with
  /// their time, or when the bank closes the action itself (§7.3;
  /// docs/decisions/0070-one-question-of-a-multiple-action.md).
  func close(after decided: SaltEdgeAuthorization, by actor: String, in tx: any SQLTransaction) throws {
    let store = AuthorizationStore(tx, vault: core.vault)
    guard let action = try store.action(decided.action) else { return }
    guard action.isMultiple else { return try close(action.id, by: actor, in: tx) }
    guard let addition = decided.addition else { return }
    for other in try store.all(of: action.id) where other.state == .pending && other.addition == addition {
      try move(other, on: .withdrawn, by: actor, in: tx)
    }
  }

  /// Closes an action and withdraws what was not decided.
  func close(_ action: SaltEdgeAction.ID, by actor: String, in tx: any SQLTransaction) throws {
    let store = AuthorizationStore(tx, vault: core.vault)
    try store.close(action)
    for authorization in try store.all(of: action) where authorization.state == .pending {
      try move(authorization, on: .withdrawn, by: actor, in: tx)
    }
  }

  /// Moves an authorization on an event.
  /// - Returns: the authorization as it is now.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  @discardableResult
  func move(
    _ authorization: SaltEdgeAuthorization, on event: AuthorizationEvent, by actor: String,
    facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws -> SaltEdgeAuthorization {
    var moved = authorization
    try core.mover.move(&moved, on: event, of: AuthorizationMachine(core: core), by: actor, facts: facts, in: tx)
    return moved
  }

  /// Ends authorizations whose time ran out. A scheduled job.
  func sweepOverdue() async throws {
    let now = core.world.now()
    try await core.database.writeEachDue(
      paging: .behindLast, retrying: .outdated,
      { [core] page, tx in
        try AuthorizationStore(tx, vault: core.vault)
          .overdue(before: now, after: page.last ?? .start, limit: page.limit)
      }
    ) { [self] place, tx in
      guard let authorization = try AuthorizationStore(tx, vault: core.vault).find(place.id),
        authorization.state == .pending, authorization.expiresAt <= core.world.now()
      else { return }
      try move(authorization, on: .expired, by: "system", in: tx)
    }
  }

  /// Ends authorizations that were decided and that are no longer forwarded: an effect that was set aside would let
  /// them, and what waits for them, be in process for ever. A scheduled job.
  /// - Parameter wait: how long a bank may take.
  func sweepUnanswered(after wait: Duration) async throws {
    let horizon = core.world.now() - wait
    try await core.database.writeEachDue(
      paging: .behindLast, retrying: .outdated,
      { [core] page, tx in
        try AuthorizationStore(tx, vault: core.vault)
          .unanswered(decidedBefore: horizon, after: page.last ?? .start, limit: page.limit)
      }
    ) { [self] place, tx in
      guard let authorization = try AuthorizationStore(tx, vault: core.vault).find(place.id),
        authorization.isProcessing, let decision = authorization.decision, decision.at <= horizon
      else { return }
      try move(authorization, on: .outcomeLost, by: "system", facts: ["reason": "unanswered"], in: tx)
    }
  }
}

extension SaltEdgeBank.Item {
  var connection: SaltEdgeConnection.ID { .init(rawValue: connectionID.text) }
}

extension SaltEdge.Ciphertext {
  /// SHA-256 over its members, each behind its length.
  var digest: String {
    var bytes = Data()
    for text in [key, iv, data] { bytes += Data("\(text.utf8.count):\(text)".utf8) }
    return bytes.sha256Hex
  }
}
