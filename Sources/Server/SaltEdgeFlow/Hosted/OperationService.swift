// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Storage

/// Opens operations and moves them.
struct OperationService: Sendable {
  let core: CoreDependencies

  /// Writes a new operation and shows it on every device of its customer. What devices of v1 are shown is made when
  /// they ask.
  /// - Returns: on how many devices.
  func open(_ asked: Operation, by actor: String, in tx: any SQLTransaction) throws -> Int {
    var operation = asked
    if operation.state == .pending { try operation.settleWording() }
    try core.hold(operation.userDigest, of: operation.provider, in: tx)
    try OperationStore(tx, vault: core.vault).insert(operation)
    try core.audit.append(
      "saltedge.operation.opened", to: core.chain(operation.id), by: actor,
      facts: ["provider": operation.provider.rawValue], in: tx)
    return try show(operation, in: tx)
  }

  private func show(_ operation: Operation, in tx: any SQLTransaction) throws -> Int {
    guard let user = operation.userDigest, operation.state == .pending else { return 0 }
    let connections = try ConnectionStore(tx, vault: core.vault).valid(
      user: user, at: core.world.now(), limit: SaltEdgePolicy.itemsMax)
    let shown = Data(try operation.shownV2().utf8)
    let items = try connections.filter { $0.apiVersion == 2 }.map { try core.item(shown, for: $0) }
    if !items.isEmpty {
      try ActionService(core: core).open(
        .init(
          provider: operation.provider, reference: operation.id.rawValue, userDigest: user, isMultiple: false,
          expiresAt: operation.expiresAt, contentDigest: shown.sha256Hex, items: items), in: tx)
    }
    for connection in connections where connection.apiVersion == 1 {
      try PushNotices.owe(operation.id.rawValue, to: connection, core, in: tx)
    }
    return connections.count
  }

  /// A device picked it up: it is its customer's now.
  /// - Throws: `Problem` ActionNotFound, ActionExpired, ActionClosed.
  func pickUp(
    _ id: Operation.ID, by connection: SaltEdgeConnection, in tx: any SQLTransaction
  ) throws -> Operation {
    guard let found = try OperationStore(tx, vault: core.vault).find(id), found.provider == connection.provider else {
      throw Problem.saltEdge(.actionNotFound)
    }
    guard found.expiresAt > core.world.now() else { throw Problem.saltEdge(.actionExpired) }
    // The same customer again, with this device or another.
    if found.state == .pending, found.userDigest == connection.userDigest { return found }
    guard found.state == .offered else { throw Problem.saltEdge(.actionClosed) }
    var operation = found
    operation.userDigest = connection.userDigest
    operation.content.user = connection.secrets.user
    operation.content.pickedUpOn = connection.id.rawValue
    try operation.settleWording()
    try core.hold(operation.userDigest, of: operation.provider, in: tx)
    return try move(operation, on: operation.needsConfirmation ? .pickedUp : .accepted, by: connection.actor, in: tx)
  }

  /// Takes a customer's decision: the code was compared, the signature was checked.
  func decide(
    _ operation: Operation, confirms: Bool, _ evidence: Operation.Evidence, in tx: any SQLTransaction
  ) throws {
    var decided = operation
    decided.evidence = evidence
    try move(
      decided, on: confirms ? .confirmed : .denied, by: "device:\(evidence.connection)",
      facts: ["signed": evidence.signed.sha256Hex, "shown": Data(evidence.shown.utf8).sha256Hex], in: tx)
  }

  /// Moves an operation on an event.
  /// - Returns: the operation as it is now.
  /// - Throws: `IllegalMove`; `SQLError.outdated`.
  @discardableResult
  func move(
    _ operation: Operation, on event: OperationEvent, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws -> Operation {
    var moved = operation
    try core.mover.move(&moved, on: event, of: OperationMachine(core: core), by: actor, facts: facts, in: tx)
    return moved
  }

  /// Ends operations whose time ran out: offered or pending ones. A scheduled job.
  func sweepOverdue(_ state: OperationState) async throws {
    let now = core.world.now()
    try await core.database.writeEachDue(
      paging: .behindLast, retrying: .outdated,
      { [core] page, tx in
        try OperationStore(tx, vault: core.vault)
          .overdue(state, before: now, after: page.last ?? .start, limit: page.limit)
      }
    ) { [self] place, tx in
      guard let operation = try OperationStore(tx, vault: core.vault).find(place.id),
        operation.expiresAt <= core.world.now(), operationFlow.allows(.expired, from: operation.state),
        // Decided in time, and on its way.
        try !isBeingDecided(operation, in: tx)
      else { return }
      try move(operation, on: .expired, by: "system", in: tx)
    }
  }

  private func isBeingDecided(_ operation: Operation, in tx: any SQLTransaction) throws -> Bool {
    let store = AuthorizationStore(tx, vault: core.vault)
    guard let action = try store.action(operation.id.rawValue, of: operation.provider) else { return false }
    try store.touch(action.id)
    return try store.all(of: action.id).contains { $0.state == .confirming || $0.state == .denying }
  }
}

extension CoreDependencies {
  /// Bytes that one device alone can read.
  func item(_ shown: Data, for connection: SaltEdgeConnection) throws -> SaltEdgeBank.Item {
    let payload = try EncryptedPayload(encrypting: shown, for: connection.deviceKey(), randomness: randomness)
    return SaltEdgeBank.Item(connectionID: .init(connection.id.rawValue), payload: payload.wire)
  }
}

extension EncryptedPayload {
  var wire: SaltEdge.Ciphertext { .init(key: key, iv: iv, data: data) }

  init(_ wire: SaltEdge.Ciphertext) { self.init(key: wire.key, iv: wire.iv, data: wire.data) }
}
