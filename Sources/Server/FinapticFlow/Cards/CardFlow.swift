// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Whether a card pays (finaptic §8.4).
package enum CardState: String, Sendable, CaseIterable, SQLConvertible {
  /// The issuer has not made it yet; the wire has no state for that.
  case ordered = "CARD_STATE_UNSPECIFIED"
  case active = "CARD_STATE_ACTIVE"
  case locked = "CARD_STATE_LOCKED"
}

package enum CardEvent: String, Sendable, CaseIterable {
  /// The issuer made it.
  case issued
  case locked
  case unlocked
  /// The customer who carries it was erased: what is left of it does not pay.
  case erased
}

/// Nothing has to happen after a card's moves.
package enum CardEffect: Hashable, Sendable {}

/// The life of a card (finaptic §8.4). Diagram: docs/flows/finaptic-card.mmd.
package let cardFlow: TransitionTable<CardState, CardEvent, CardEffect> = .init([
  .init(.ordered, on: .issued, to: .active),
  .init(.active, on: .locked, to: .locked),
  .init(.locked, on: .unlocked, to: .active),
  .init(.ordered, on: .erased, to: .locked),
  .init(.active, on: .erased, to: .locked),
  .init(.locked, on: .erased, to: .locked),
])
