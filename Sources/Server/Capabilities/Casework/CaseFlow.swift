// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where a case stands. Diagram: docs/flows/case.mmd.
package enum CaseState: String, Sendable, CaseIterable, SQLConvertible {
  /// No member of staff has it in hand.
  case open
  case claimed
  /// A person decided.
  case decided
  /// Nothing is to be decided any more: the customer, time or another rule ended it.
  case withdrawn

  package var isClosed: Bool { self == .decided || self == .withdrawn }
}

/// What moves a case.
package enum CaseEvent: String, Sendable, CaseIterable {
  case claimed, handedOver, released, decided, withdrawn
  /// The same subject waits again.
  case reopened
}

/// The life of a case. A service client of the institution decides without a claim, because its own program gives out
/// the work.
package let caseFlow: TransitionTable<CaseState, CaseEvent, Never> = .init([
  .init(.open, on: .claimed, to: .claimed),
  .init(.open, on: .decided, to: .decided),
  .init(.open, on: .withdrawn, to: .withdrawn),
  .init(.claimed, on: .handedOver, to: .claimed),
  .init(.claimed, on: .released, to: .open),
  .init(.claimed, on: .decided, to: .decided),
  .init(.claimed, on: .withdrawn, to: .withdrawn),
  .init(.decided, on: .reopened, to: .open),
  .init(.withdrawn, on: .reopened, to: .open),
])
