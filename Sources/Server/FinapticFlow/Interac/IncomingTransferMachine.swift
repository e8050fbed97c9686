// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How money that waits moves: its row, when it ended, and its line in the audit log.
struct IncomingTransferMachine: StateMachine {
  typealias Move = TransitionTable<IncomingTransferStatus, IncomingTransferEvent, Never>.Row

  let world: World
  let vault: Vault

  let flow = "finaptic.incomingTransfer"
  var table: TransitionTable<IncomingTransferStatus, IncomingTransferEvent, Never> { incomingTransferFlow }
  var state: WritableKeyPath<IncomingTransfer, IncomingTransferStatus> { \.status }

  func prepare(_ transfer: inout IncomingTransfer, for move: Move) {
    switch move.to {
    case .accepted, .canceled: transfer.endedAt = world.now()
    case .available, .authorized: break
    }
  }

  func save(_ transfer: inout IncomingTransfer, in tx: any SQLTransaction) throws {
    try IncomingTransferStore(tx, vault: vault).advance(transfer)
  }

  func auditEntry(for move: Move, of transfer: IncomingTransfer) -> AuditEntry? {
    AuditEntry(
      "finaptic.interac.\(move.event.rawValue)", chain: "finaptic-interac-\(transfer.number)",
      facts: ["status": move.to.rawValue])
  }

  /// Nothing: the table has no effects.
  func owedEffect(_ effect: Never, for move: Move, of transfer: IncomingTransfer) -> OwedEffect? {}
}
