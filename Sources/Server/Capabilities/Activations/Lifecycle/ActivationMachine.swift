// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

/// The moves of rows of `activation`.
struct ActivationMachine: StateMachine {
  typealias Move = TransitionTable<ActivationState, ActivationEvent, ActivationEffect>.Row

  let vault: Vault
  /// Of a move to `blocked`; every other move clears the reason.
  let blockedReason: String?
  /// Of a move by which two persons let a device in again, why; nil where one does.
  var unblockReason: String?

  let flow = "activation"
  var table: TransitionTable<ActivationState, ActivationEvent, ActivationEffect> {
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
