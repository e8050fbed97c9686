// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import Ledger
import Storage

/// New terms of a kind of account, which are announced now and apply from a later day (decision 137).
package struct TermsChange: Sendable, Equatable {
  package typealias ID = Identifier<TermsChange>

  package let id: ID
  package let tenant: Int
  /// As in `current_account.v39`.
  package let product: String
  let currency: String
  /// In millionths of the balance.
  package let yearlyInterest: Int64
  /// In minor units.
  package let monthlyFee: Int64
  /// The first day on which they apply, in days since 1970-01-01 (UTC).
  package let fromDay: Int64
  package let announcedAt: Instant
  package internal(set) var state: TermsChangeState
  var version: Int64

  package var from: WireDate { WireDate(daysSince1970: Int(fromDay)) }
  package var fee: Money { Money(monthlyFee, currency) }
}

package enum TermsChangeState: String, Sendable, CaseIterable, SQLConvertible { case announced, withdrawn, effective }

package enum TermsChangeEvent: String, Sendable, CaseIterable {
  /// The bank takes the announcement back.
  case withdrawn
  /// Its day has begun.
  case begun
}

/// The life of a change of terms: it ends once.
/// Diagram: docs/flows/finaptic-terms-change.mmd.
let termsChangeFlow = TransitionTable<TermsChangeState, TermsChangeEvent, Never>([
  .init(.announced, on: .withdrawn, to: .withdrawn),
  .init(.announced, on: .begun, to: .effective),
])

/// The moves of rows of `finaptic_terms_change`.
struct TermsChangeMachine: StateMachine {
  typealias State = TermsChangeState
  typealias Event = TermsChangeEvent
  typealias Effect = Never

  let flow = "finaptic.termsChange"
  var table: TransitionTable<State, Event, Effect> { termsChangeFlow }
  var state: WritableKeyPath<TermsChange, TermsChangeState> { \.state }

  func refusal(of event: TermsChangeEvent, in state: TermsChangeState) -> any Error {
    Problem(.conflict, "terms-change-ended", "This change was withdrawn, or its day has begun.")
  }

  func save(_ change: inout TermsChange, in tx: any SQLTransaction) throws {
    try TermsChangeStore(tx).save(change)
    change.version += 1
  }

  func auditEntry(for move: Move, of change: TermsChange) -> AuditEntry? {
    AuditEntry(
      "finaptic.termsChange.\(move.event.rawValue)", chain: "finaptic-tenant-\(change.tenant)",
      facts: ["change": change.id.rawValue, "product": change.product, "from": "\(change.from)"])
  }
}

/// A notice of a change that is owed to the holders of one account, since when, and when the first of them was told.
/// Whether its mail arrived is not kept here; an owner without a user gets none.
package struct TermsNotice: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable, SQLConvertible { case announced, withdrawn }

  package let change: TermsChange
  package let kind: Kind
  package let account: BankAccount.ID
  package let madeAt: Instant
  /// Days that the account is told before the change counts for it.
  var noticeDays: Int64 = 0
  /// When the first mail was sent, or the bank reported that it had told the owners itself; nil before that.
  package var sentAt: Instant?
  /// Owners whom no mail reaches and whom the bank has not told yet.
  package var unreached = 0

  /// The first day on which the change counts for the account: its own day, or a later one where the notice was late.
  /// While nothing was sent, the earliest possible one.
  var fromDay: Int64 {
    kind == .withdrawn ? change.fromDay : max(change.fromDay, Ledger.day(of: sentAt ?? madeAt) + noticeDays)
  }
  package var from: WireDate { WireDate(daysSince1970: Int(fromDay)) }
}
