// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Whether a review waits for a person.
package enum ReviewState: String, Sendable, CaseIterable { case waiting, decided }

/// The life of a review that a person decides.
package let reviewFlow: TransitionTable<ReviewState, ReviewCase.Verdict, Never> = .init(
  ReviewCase.Verdict.allCases.map { .init(.waiting, on: $0, to: .decided) })

/// The same where two persons decide. One person is enough to ask for other pictures, because that decides nothing.
package let reviewFlowOfTwo: TransitionTable<ReviewState, ReviewCase.Verdict, Never> = .init(
  reviewFlow.rows.map { $0.event == .retake ? $0 : $0.under(ReviewCase.rule) })

extension ReviewCase {
  /// A reviewer decides, and a colleague agrees.
  package static let rule = FourEyes(maker: "attend:video", checker: "approve:verdicts")
  private static let prefix = "wultra.review."

  /// A verdict as the colleague agrees to it: with its reason, on the verification as it is.
  func act(_ verdict: Verdict, reason: String?, on verification: IdentityVerification) -> BoundAct {
    BoundAct(
      Self.prefix + verdict.rawValue, subject: id.rawValue, version: Int64(verification.version), content: reason ?? "")
  }

  /// Whether an act is a verdict on a review.
  package static func isVerdict(_ act: BoundAct) -> Bool { verdict(of: act) != nil }

  /// Nil for other acts.
  static func verdict(of act: BoundAct) -> Verdict? {
    act.action.hasPrefix(prefix) ? Verdict(rawValue: String(act.action.dropFirst(prefix.count))) : nil
  }
}

/// A review that is being decided.
struct DecidedReview {
  let review: ReviewCase
  var state = ReviewState.waiting
}

/// The move of a row of `wultra_review`.
struct ReviewMachine: StateMachine {
  typealias State = ReviewState
  typealias Event = ReviewCase.Verdict
  typealias Effect = Never

  let verdict: ReviewCase.Verdict
  /// Sealed.
  let reason: Data?
  let actor: String
  let now: Instant
  let needsTwo: Bool
  /// Nil when the verification was deleted.
  let act: BoundAct?
  /// The audit chain that the line of the move belongs to.
  let chain: String

  let flow = "wultra.review"
  var table: TransitionTable<State, Event, Effect> { needsTwo ? reviewFlowOfTwo : reviewFlow }
  var state: WritableKeyPath<DecidedReview, ReviewState> { \.state }

  func save(_ decided: inout DecidedReview, in tx: any SQLTransaction) throws {
    guard
      try ReviewStore(tx).close(decided.review.id, verdict: verdict, reason: reason, by: actor, at: now)
    else { throw SQLError.outdated }
  }

  /// A separate audit line tells who agreed; the line of the verification's move tells the rest.
  func auditEntry(for move: Move, of decided: DecidedReview) -> AuditEntry? {
    guard move.fourEyes != nil else { return nil }
    return AuditEntry(
      "wultra.review.\(move.event.rawValue)", chain: chain, facts: ["review": decided.review.id.rawValue])
  }

  func boundAct(of event: ReviewCase.Verdict, on decided: DecidedReview) -> BoundAct? { act }
}
