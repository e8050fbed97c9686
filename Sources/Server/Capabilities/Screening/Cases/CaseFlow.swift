// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Screening {
  /// Where the question stands whether a customer is a listed entry. Diagram: docs/flows/screening-case.mmd.
  package enum CaseState: String, Sendable, CaseIterable, SQLConvertible, Codable {
    /// Waits for an analyst.
    case open
    /// Judged, and waits for a second person.
    case awaitingApproval = "awaiting_approval"
    /// Another person: not asked again until the entry or what is known of the customer changes.
    case falsePositive = "false_positive"
    /// The same person.
    case trueMatch = "true_match"

    /// Whether it waits for a person.
    package var isWaiting: Bool { self == .open || self == .awaitingApproval }

    /// What officers made of the hit, in the words of a kept screening.
    var disposition: Disposition {
      switch self {
      case .open, .awaitingApproval: .open
      case .falsePositive: .falsePositive
      case .trueMatch: .trueMatch
      }
    }
  }

  /// What happened to a case.
  package enum CaseEvent: String, Sendable, CaseIterable {
    /// A search found the entry again, and the entry or what is known of the customer is not what it was.
    case changed
    case judgedFalsePositive, judgedTrueMatch
    /// An analyst judged where two persons decide.
    case proposed
    case approvedFalsePositive, approvedTrueMatch
    /// The second person, or the first one, takes the proposal back.
    case returned
  }

  /// What a move of a case owes.
  package enum CaseEffect: String, Sendable, Hashable {
    /// Tell those who watch that a case waits.
    case alert
  }
}

/// The legal moves of a case. What was judged once is asked again only when its facts changed; a true match stays one,
/// for it takes more than a change of a list to clear a person of it.
package let screeningCaseFlow: TransitionTable<Screening.CaseState, Screening.CaseEvent, Screening.CaseEffect> = .init([
  .init(.open, on: .changed, to: .open),
  .init(.open, on: .judgedFalsePositive, to: .falsePositive),
  .init(.open, on: .judgedTrueMatch, to: .trueMatch),
  .init(.open, on: .proposed, to: .awaitingApproval),

  // What the first person looked at is not what the second one would approve.
  .init(.awaitingApproval, on: .changed, to: .open, do: .alert),
  .init(.awaitingApproval, on: .approvedFalsePositive, to: .falsePositive),
  .init(.awaitingApproval, on: .approvedTrueMatch, to: .trueMatch),
  .init(.awaitingApproval, on: .returned, to: .open),

  .init(.falsePositive, on: .changed, to: .open, do: .alert),

  .init(.trueMatch, on: .changed, to: .trueMatch),
])
