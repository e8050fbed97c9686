import Kit
import Storage

/// How an operation moves, and what ends with it.
struct OperationMachine: StateMachine {
  typealias State = OperationState
  typealias Event = OperationEvent
  typealias Effect = OperationEffect

  let parts: SaltEdgeDependencies

  let flow = "saltedge.operation"
  var table: TransitionTable<State, Event, Effect> { operationFlow }
  var state: WritableKeyPath<Operation, State> { \.state }

  func prepare(_ operation: inout Operation, for move: Move) {
    if move.to != .pending { operation.endedAt = parts.world.now() }
  }

  func save(_ operation: inout Operation, in tx: any SQLTransaction) throws {
    try OperationStore(tx, vault: parts.vault).save(operation)
    operation.version += 1
  }

  func auditEntry(for move: Move, of operation: Operation) -> AuditEntry? {
    AuditEntry(
      "saltedge.operation.\(move.event.rawValue)", chain: parts.chain(operation.id),
      facts: ["provider": operation.provider.rawValue, "to": move.to.rawValue])
  }

  func owedEffect(_ effect: Effect, for move: Move, of operation: Operation) -> OwedEffect? {
    OwedEffect("saltedge.\(effect.rawValue)", subject: operation.id.rawValue)
  }

  /// Withdraws what other devices still show.
  func complete(_ move: Move, of operation: inout Operation, by actor: String, in tx: any SQLTransaction) throws {
    // Authorizations whose time ran out are ended by a sweep of their own.
    guard move.to != .pending, move.to != .expired,
      let action = try AuthorizationStore(tx, vault: parts.vault).action(operation.id.rawValue, of: operation.provider)
    else { return }
    try ActionService(parts: parts).close(action.id, by: actor, in: tx)
  }
}
