// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// Where money stands that was sent by Interac to an alias without a registration (finaptic §4.4, §8.8).
enum IncomingTransferStatus: String, Sendable, CaseIterable, SQLConvertible {
  /// Waits to be taken.
  case available = "AVAILABLE"
  /// The question was answered.
  case authorized = "AUTHORIZED"
  /// It is on an account.
  case accepted = "ACCEPTED"
  /// Declined, recalled, or over: the sender has it again.
  case canceled = "CANCELED"
}

enum IncomingTransferEvent: String, Sendable, CaseIterable {
  case answered
  case answeredWrong
  /// Wrong, and for the last time.
  case answersExhausted
  case completed
  /// By who was to have it.
  case declined
  /// By who sent it.
  case recalled
  case expired
}

/// The life of money that waits: one row a legal move.
let incomingTransferFlow: TransitionTable<IncomingTransferStatus, IncomingTransferEvent, Never> = .init(
  [
    .init(.available, on: .answered, to: .authorized),
    .init(.available, on: .answeredWrong, to: .available),
    .init(.available, on: .answersExhausted, to: .canceled),
  ]
    + [IncomingTransferStatus.available, .authorized].flatMap { status in
      [
        .init(status, on: .completed, to: .accepted),
        .init(status, on: .declined, to: .canceled),
        .init(status, on: .recalled, to: .canceled),
        .init(status, on: .expired, to: .canceled),
      ]
    })

/// How money that waits moves: its row, when it ended, and its line in the audit log.
struct IncomingTransferMachine: StateMachine {
  typealias State = IncomingTransferStatus
  typealias Event = IncomingTransferEvent
  typealias Effect = Never

  let world: World
  let vault: Vault

  let flow = "finaptic.incomingTransfer"
  var table: TransitionTable<State, Event, Effect> { incomingTransferFlow }
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
}
