// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where an operation stands that a bank without a server of its own wants confirmed.
package enum OperationState: String, Sendable, CaseIterable, SQLConvertible {
  /// Shown as a QR code: the user who scans it becomes its customer.
  case offered
  /// Waits for its customer.
  case pending
  case confirmed, denied, expired, cancelled
}

package enum OperationEvent: String, Sendable, CaseIterable {
  /// A device picked it up, and has to confirm it still.
  case pickedUp
  /// A device picked it up, and that is all it takes.
  case accepted
  case confirmed, denied, expired, cancelled
}

package enum OperationEffect: String, Sendable {
  /// The bank learns how it ended.
  case notifyProvider
}

/// The life of an operation, whatever wire its customer's devices speak. Of every end its bank hears, also of one that
/// another of its systems asked for. Diagram: docs/flows/saltedge-operation.mmd.
package let operationFlow: TransitionTable<OperationState, OperationEvent, OperationEffect> = .init([
  .init(.offered, on: .pickedUp, to: .pending),
  .init(.offered, on: .accepted, to: .confirmed, do: .notifyProvider),
  .init(.offered, on: .expired, to: .expired, do: .notifyProvider),
  .init(.offered, on: .cancelled, to: .cancelled, do: .notifyProvider),
  .init(.pending, on: .confirmed, to: .confirmed, do: .notifyProvider),
  .init(.pending, on: .denied, to: .denied, do: .notifyProvider),
  .init(.pending, on: .expired, to: .expired, do: .notifyProvider),
  .init(.pending, on: .cancelled, to: .cancelled, do: .notifyProvider),
])

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
