// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How an authorization of v2 moves.
struct AuthorizationMachine: StateMachine {
  typealias State = AuthorizationState
  typealias Event = AuthorizationEvent
  typealias Effect = AuthorizationEffect

  let core: CoreDependencies

  let flow = "saltedge.authorization"
  var table: TransitionTable<State, Event, Effect> { authorizationFlow }
  var state: WritableKeyPath<SaltEdgeAuthorization, State> { \.state }

  func tenant(of authorization: SaltEdgeAuthorization, in tx: any SQLTransaction) throws -> String? {
    try ProviderStore(tx, vault: core.vault).tenant(of: authorization.connection)
  }

  func prepare(_ authorization: inout SaltEdgeAuthorization, for move: Move) {
    switch move.to {
    case .pending, .confirming, .denying: break
    case .timedOut: authorization.finishedAt = authorization.expiresAt
    case .confirmed, .denied, .failed, .unavailable, .closed: authorization.finishedAt = core.world.now()
    }
  }

  func save(_ authorization: inout SaltEdgeAuthorization, in tx: any SQLTransaction) throws {
    try AuthorizationStore(tx, vault: core.vault).save(authorization)
    authorization.version += 1
  }

  func auditEntry(for move: Move, of authorization: SaltEdgeAuthorization) -> AuditEntry? {
    AuditEntry(
      "saltedge.authorization.\(move.event.rawValue)", chain: core.chain(authorization.connection),
      facts: ["authorization": authorization.id.rawValue, "to": move.to.rawValue])
  }

  /// The payload counts the attempts that were made before.
  func owedEffect(
    _ effect: Effect, for move: Move, of authorization: SaltEdgeAuthorization
  ) -> OwedEffect? {
    OwedEffect("saltedge.\(effect.rawValue)", subject: authorization.id.rawValue, payload: "0")
  }
}
