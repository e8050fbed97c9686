// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where an authorization of v2 stands; the words of its wire (saltedge-authenticator §5.6).
package enum AuthorizationState: String, Sendable, CaseIterable, SQLConvertible {
  case pending
  case confirming = "confirm_processing"
  case denying = "deny_processing"
  case confirmed, denied
  case failed = "error"
  /// The bank's answer to the decision is unknown.
  case unavailable
  case timedOut = "time_out"
  case closed
}

package enum AuthorizationEvent: String, Sendable, CaseIterable {
  case confirmed, denied
  case acceptedByBank, refusedByBank
  /// The bank may have acted on the decision, and its answer was lost.
  case outcomeLost
  case expired
  /// By the bank, by another device's decision, or because its device is gone.
  case withdrawn
}

package enum AuthorizationEffect: String, Sendable {
  case forwardDecision
}

/// The life of an authorization on one device (saltedge-authenticator §5.7). Diagram:
/// docs/flows/saltedge-authorization.mmd.
package let authorizationFlow: TransitionTable<AuthorizationState, AuthorizationEvent, AuthorizationEffect> = .init([
  .init(.pending, on: .confirmed, to: .confirming, do: .forwardDecision),
  .init(.pending, on: .denied, to: .denying, do: .forwardDecision),
  .init(.pending, on: .expired, to: .timedOut),
  .init(.pending, on: .withdrawn, to: .closed),
  .init(.confirming, on: .acceptedByBank, to: .confirmed),
  .init(.confirming, on: .refusedByBank, to: .failed),
  .init(.confirming, on: .outcomeLost, to: .unavailable),
  .init(.denying, on: .acceptedByBank, to: .denied),
  .init(.denying, on: .refusedByBank, to: .failed),
  .init(.denying, on: .outcomeLost, to: .unavailable),
])

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
