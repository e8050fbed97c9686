// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

/// What happens to an activation.
package enum ActivationEvent: String, CaseIterable, Hashable, Sendable {
  /// A device sent its key and got the server's.
  case keysExchanged
  /// The same, without a confirmation.
  case keysExchangedAndCommitted
  case committed
  case lapsed
  /// Too many wrong activation OTPs.
  case otpExhausted
  case blocked
  /// Too many wrong signatures.
  case attemptsExhausted
  case unblocked
  case removed
  /// Another device took its place with a recovery code.
  case replaced
}

/// What a row of the table leaves behind in the same transaction. Nothing outside of the server learns of it here: what
/// callers tell others is their own.
package enum ActivationEffect: String, Hashable, Sendable {
  /// Tokens and temporary keys go: nothing that an activation handed out outlives it.
  case deleteCredentials
}

/// The life of an activation (powerauth.md §3.4). Diagram: docs/flows/activation.mmd.
package let activationFlow: TransitionTable<ActivationState, ActivationEvent, ActivationEffect> = .init([
  .init(.created, on: .keysExchanged, to: .pendingCommit),
  .init(.created, on: .keysExchangedAndCommitted, to: .active),
  .init(.created, on: .lapsed, to: .removed),
  .init(.created, on: .otpExhausted, to: .removed),
  .init(.created, on: .removed, to: .removed),
  .init(.pendingCommit, on: .committed, to: .active),
  .init(.pendingCommit, on: .lapsed, to: .removed, do: .deleteCredentials),
  .init(.pendingCommit, on: .otpExhausted, to: .removed, do: .deleteCredentials),
  .init(.pendingCommit, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.active, on: .blocked, to: .blocked),
  .init(.active, on: .attemptsExhausted, to: .blocked),
  .init(.active, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.active, on: .replaced, to: .removed, do: .deleteCredentials),
  .init(.blocked, on: .unblocked, to: .active),
  .init(.blocked, on: .removed, to: .removed, do: .deleteCredentials),
  .init(.blocked, on: .replaced, to: .removed, do: .deleteCredentials),
])

/// The same where two persons let a blocked device in again. Blocking it takes one: a stop counts at once.
package let activationFlowOfTwo: TransitionTable<ActivationState, ActivationEvent, ActivationEffect> = .init(
  activationFlow.rows.map { $0.event == .unblocked ? $0.under(Activation.unblockRule) : $0 })

extension Activation {
  /// Who blocks devices asks, and a colleague agrees.
  package static let unblockRule = FourEyes(maker: "block:users", checker: "approve:verdicts")
  private static let unblockAction = "activation.unblocked"

  /// Letting a blocked device in again as the colleague agrees to it: for a reason, as the device is now.
  package func unblocking(because reason: String) -> BoundAct { Self.unblocking(id, version, because: reason) }

  static func unblocking(_ id: ID, _ version: Int, because reason: String) -> BoundAct {
    BoundAct(unblockAction, subject: id.rawValue, version: Int64(version), content: reason)
  }

  /// Of a device that is blocked; nil of others: there is nothing to let in again.
  package static func version(ofBlocked id: ID, in tx: any SQLTransaction) throws -> Int64? {
    try ActivationStore(tx).find(id).flatMap { $0.state == .blocked ? Int64($0.version) : nil }
  }

  /// Whether an act lets a blocked device in again; its content is why.
  package static func isUnblocking(_ act: BoundAct) -> Bool { act.action == unblockAction }
}

/// The moves of rows of `activation`.
struct ActivationMachine: StateMachine {
  typealias State = ActivationState
  typealias Event = ActivationEvent
  typealias Effect = ActivationEffect

  let vault: Vault
  /// Of a move to `blocked`; every other move clears the reason.
  let blockedReason: String?
  /// Of a move by which two persons let a device in again, why; nil where one does.
  var unblockReason: String?

  let flow = "activation"
  var table: TransitionTable<State, Event, Effect> {
    unblockReason == nil ? activationFlow : activationFlowOfTwo
  }
  var state: WritableKeyPath<ActivationRow, ActivationState> { \.state }

  static func name(of state: ActivationState) -> String { state.name }

  func refusal(of event: ActivationEvent, in state: ActivationState) -> any Error {
    Problem.activationState(state.name)
  }

  func prepare(_ row: inout ActivationRow, for move: Move) {
    row.blockedReason = blockedReason
    if move.to != .created, move.to != .pendingCommit { row.expiresAt = nil }
  }

  func save(_ row: inout ActivationRow, in tx: any SQLTransaction) throws {
    if row.state == .removed { try retire(&row) }
    row = try ActivationStore(tx).save(row)
  }

  func auditEntry(for move: Move, of row: ActivationRow) -> AuditEntry? {
    AuditEntry("activation.\(move.event.rawValue)", chain: Activations.chain(row.id))
  }

  /// Nothing: the only effect is one on the database, in `complete`.
  func owedEffect(_ effect: ActivationEffect, for move: Move, of row: ActivationRow) -> OwedEffect? { nil }

  func complete(_ move: Move, of row: inout ActivationRow, by actor: String, in tx: any SQLTransaction) throws {
    for effect in move.effects {
      switch effect {
      case .deleteCredentials:
        try ActivationTokenStore(tx).deleteAll(of: row.id)
        try TemporaryKeyStore(tx).deleteAll(of: row.id)
      }
    }
  }

  func boundAct(of event: ActivationEvent, on row: ActivationRow) -> BoundAct? {
    unblockReason.map { Activation.unblocking(row.id, row.version, because: $0) }
  }

  /// Nothing of a removed activation can prove or decrypt anything any more.
  private func retire(_ row: inout ActivationRow) throws {
    row.codeDigest = nil
    row.otp = nil
    row.sealedServerKey = nil
    if let sealed = row.sealedKeys {
      row.sealedKeys = try ActivationSecrets(sealed, of: row.id, by: vault).retired.sealed(for: row.id, by: vault)
    }
  }
}
