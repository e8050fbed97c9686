// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// A posting of the bank whose value date is to come: it waits, and is booked once when its day has begun
/// (decision 123). Limits of the caller, and the second person's word, were asked for when it was ordered.
package struct ScheduledPosting: Sendable, Equatable {
  package typealias ID = Identifier<ScheduledPosting>

  package let id: ID
  package let tenant: Int
  package let account: BankAccount.ID
  let purpose: PostingPurpose
  let reason: PostingReason
  /// What the books are asked for, with the value date.
  let order: TransferOrder
  /// What the bank's own system calls it; nil after an erasure too.
  let reference: String?
  /// Who ordered it, as in the audit log.
  package let maker: String
  package let orderedAt: Instant
  package internal(set) var state: ScheduledPostingState
  /// What was booked or declined; nil while it waits, when it was withdrawn, and when the books could not keep it.
  package internal(set) var transfer: LedgerTransfer.ID?
  /// A word of the books for what was not booked.
  package internal(set) var declined: String?
  var version: Int64

  /// Days since 1970-01-01.
  var valueDay: Int64 { order.valueDay ?? Ledger.day(of: orderedAt) }
}

package enum ScheduledPostingState: String, Sendable, CaseIterable, SQLConvertible {
  case scheduled, booked, declined, withdrawn
}

package enum ScheduledPostingEvent: String, Sendable, CaseIterable { case booked, declined, withdrawn }

/// The life of a posting with a value date to come: it ends once.
/// Diagram: docs/flows/finaptic-scheduled-posting.mmd.
let scheduledPostingFlow: TransitionTable<ScheduledPostingState, ScheduledPostingEvent, Never> = .init([
  .init(.scheduled, on: .booked, to: .booked),
  .init(.scheduled, on: .declined, to: .declined),
  .init(.scheduled, on: .withdrawn, to: .withdrawn),
])

/// The moves of rows of `finaptic_scheduled_posting`.
struct ScheduledPostingMachine: StateMachine {
  typealias State = ScheduledPostingState
  typealias Event = ScheduledPostingEvent
  typealias Effect = Never

  let vault: Vault

  let flow = "finaptic.scheduledPosting"
  var table: TransitionTable<State, Event, Effect> { scheduledPostingFlow }
  var state: WritableKeyPath<ScheduledPosting, ScheduledPostingState> { \.state }

  func refusal(of event: ScheduledPostingEvent, in state: ScheduledPostingState) -> any Error {
    Problem(.conflict, "posting-ended", "The posting was booked, declined or withdrawn before.")
  }

  func save(_ posting: inout ScheduledPosting, in tx: any SQLTransaction) throws {
    try ScheduledPostingStore(tx, vault: vault).save(posting)
    posting.version += 1
  }

  func auditEntry(for move: Move, of posting: ScheduledPosting) -> AuditEntry? {
    var facts = ["posting": posting.id.rawValue]
    facts["transfer"] = posting.transfer?.rawValue
    facts["declined"] = posting.declined
    return AuditEntry(
      "finaptic.scheduledPosting.\(move.event.rawValue)", chain: "finaptic-account-\(posting.account)", facts: facts)
  }
}
