// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where a connection stands; in v2 the words of its wire (saltedge-authenticator §5.4).
package enum ConnectionState: String, Sendable, CaseIterable, SQLConvertible {
  case authenticating = "authentication_pending"
  case failed = "authentication_fail"
  case valid
  case revoked
}

package enum ConnectionEvent: String, Sendable, CaseIterable {
  case authenticated, authenticationFailed
  /// The customer did not sign in in time.
  case lapsed
  /// The time of its token ran out.
  case expired
  case revokedByDevice, revokedByProvider
}

package enum ConnectionEffect: String, Sendable {
  /// The bank learns that a device of its customer is gone.
  case tellRevocation
}

/// The life of a connection between a device, a customer and a bank. Diagram:
/// docs/flows/saltedge-connection.mmd.
package let connectionFlow: TransitionTable<ConnectionState, ConnectionEvent, ConnectionEffect> = .init([
  .init(.authenticating, on: .authenticated, to: .valid),
  .init(.authenticating, on: .authenticationFailed, to: .failed),
  .init(.authenticating, on: .lapsed, to: .failed),
  .init(.authenticating, on: .revokedByProvider, to: .revoked),
  .init(.valid, on: .expired, to: .revoked, do: .tellRevocation),
  .init(.valid, on: .revokedByDevice, to: .revoked, do: .tellRevocation),
  .init(.valid, on: .revokedByProvider, to: .revoked),
])

/// How a connection moves, and what ends with it.
struct ConnectionMachine: StateMachine {
  typealias State = ConnectionState
  typealias Event = ConnectionEvent
  typealias Effect = ConnectionEffect

  private static let withdrawnMax = 1000

  let core: CoreDependencies

  let flow = "saltedge.connection"
  var table: TransitionTable<State, Event, Effect> { connectionFlow }
  var state: WritableKeyPath<SaltEdgeConnection, State> { \.state }

  func tenant(of connection: SaltEdgeConnection, in tx: any SQLTransaction) throws -> String? {
    try ProviderStore(tx, vault: core.vault).find(connection.provider)?.tenant
  }

  func prepare(_ connection: inout SaltEdgeConnection, for move: Move) {
    if move.to == .revoked { connection.secrets.pushToken = nil }
  }

  func save(_ connection: inout SaltEdgeConnection, in tx: any SQLTransaction) throws {
    try ConnectionStore(tx, vault: core.vault).save(connection, at: core.world.now())
    connection.version += 1
  }

  func auditEntry(for move: Move, of connection: SaltEdgeConnection) -> AuditEntry? {
    AuditEntry(
      "saltedge.connection.\(move.event.rawValue)", chain: core.chain(connection.id), facts: ["to": move.to.rawValue])
  }

  func owedEffect(_ effect: Effect, for move: Move, of connection: SaltEdgeConnection) -> OwedEffect? {
    OwedEffect("saltedge.\(effect.rawValue)", subject: connection.id.rawValue)
  }

  /// Withdraws what a revoked device still had to decide.
  func complete(
    _ move: Move, of connection: inout SaltEdgeConnection, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard move.to == .revoked else { return }
    let waiting = try AuthorizationStore(tx, vault: core.vault)
      .unfinished(on: connection.id, limit: Self.withdrawnMax)
    for authorization in waiting where authorization.state == .pending {
      try ActionService(core: core).move(authorization, on: .withdrawn, by: actor, in: tx)
    }
  }
}
