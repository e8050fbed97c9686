// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How an operation moves, and what ends with it.
struct OperationMachine: StateMachine {
  typealias State = OperationState
  typealias Event = OperationEvent
  typealias Effect = OperationEffect

  let core: CoreDependencies

  let flow = "saltedge.operation"
  var table: TransitionTable<State, Event, Effect> { operationFlow }
  var state: WritableKeyPath<Operation, State> { \.state }

  func prepare(_ operation: inout Operation, for move: Move) {
    if move.to != .pending { operation.endedAt = core.world.now() }
  }

  func save(_ operation: inout Operation, in tx: any SQLTransaction) throws {
    try OperationStore(tx, vault: core.vault).save(operation)
    operation.version += 1
  }

  func auditEntry(for move: Move, of operation: Operation) -> AuditEntry? {
    AuditEntry(
      "saltedge.operation.\(move.event.rawValue)", chain: core.chain(operation.id),
      facts: ["provider": operation.provider.rawValue, "to": move.to.rawValue])
  }

  func owedEffect(_ effect: Effect, for move: Move, of operation: Operation) -> OwedEffect? {
    OwedEffect("saltedge.\(effect.rawValue)", subject: operation.id.rawValue)
  }

  /// Withdraws what other devices still show.
  func complete(_ move: Move, of operation: inout Operation, by actor: String, in tx: any SQLTransaction) throws {
    // Authorizations whose time ran out are ended by a sweep of their own.
    guard move.to != .pending, move.to != .expired,
      let action = try AuthorizationStore(tx, vault: core.vault).action(operation.id.rawValue, of: operation.provider)
    else { return }
    try ActionService(core: core).close(action.id, by: actor, in: tx)
  }
}
