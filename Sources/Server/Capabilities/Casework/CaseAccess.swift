// SPDX-License-Identifier: Apache-2.0

/// Why a member of staff looks at a case, as far as the desk knows without asking: how they stand to it at that moment.
package enum CaseAccess: String, Sendable, CaseIterable {
  /// They have it in hand.
  case claimed = "claimed-case"
  /// A decision on it waits for their agreement.
  case approval
  /// It waits, and has no holder.
  case waiting = "waiting-case"
  /// A colleague has it in hand.
  case colleague = "case-of-colleague"
  /// It is over.
  case closed = "closed-case"

  init(_ item: Case, by actor: String, isAsked: Bool) {
    self =
      switch (item.holder, isAsked) {
      case (actor?, _) where !item.state.isClosed: .claimed
      case (_, true): .approval
      case _ where item.state.isClosed: .closed
      case (nil, _): .waiting
      default: .colleague
      }
  }
}
