// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage

/// What kind of work waits. Open: a flow may name one that is not known here, which then only those may hold who manage
/// cases.
package struct CaseKind: RawRepresentable, Hashable, Sendable, Comparable, SQLConvertible {
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }

  /// Rubix: a call in which an agent decides on documents.
  package static let rubixReview = CaseKind(rawValue: "rubix-review")
  /// Rubix: the call at the end of an onboarding.
  package static let rubixCall = CaseKind(rawValue: "rubix-call")
  /// Rubix: a hit of the screening.
  package static let rubixScreening = CaseKind(rawValue: "rubix-screening")
  /// A hit of a search that no step of a customer asked for, and a verdict on one that waits for a second person.
  package static let screeningHit = CaseKind(rawValue: "screening-hit")
  /// Wultra: documents that the checks do not decide.
  package static let wultraDocuments = CaseKind(rawValue: "wultra-documents")
  /// Wultra: a presence check.
  package static let wultraPresence = CaseKind(rawValue: "wultra-presence")
  /// OneAssist: the photos of a membership.
  package static let oneassistMembership = CaseKind(rawValue: "oneassist-membership")
  /// Finaptic: a payment by card is disputed.
  package static let cardDispute = CaseKind(rawValue: "finaptic-card-dispute")
  /// Finaptic: money of a card that no account took.
  package static let cardSuspense = CaseKind(rawValue: "finaptic-card-suspense")
  /// Finaptic: money that came in and that no account took.
  package static let suspense = CaseKind(rawValue: "finaptic-suspense")
  /// Finaptic: another bank asks a payment back.
  package static let recall = CaseKind(rawValue: "finaptic-recall")
  /// Finaptic: owners of accounts whom no notice of changed terms reached.
  package static let termsNotice = CaseKind(rawValue: "finaptic-terms-notice")
  /// A customer waits for an answer.
  package static let chat = CaseKind(rawValue: "chat")

  package static let known: [CaseKind] = [
    rubixReview, rubixCall, rubixScreening, screeningHit, wultraDocuments, wultraPresence, oneassistMembership,
    cardDispute, cardSuspense, suspense, recall, termsNotice, chat,
  ]

  /// What a member of staff needs to see and to hold a case of this kind; each of them is enough.
  package var permissions: [StaffPermission] {
    switch self {
    case .rubixReview, .rubixCall, .wultraDocuments, .wultraPresence, .oneassistMembership: [.attendVideo]
    case .rubixScreening, .screeningHit: [.decideAML]
    case .cardDispute, .cardSuspense, .suspense, .recall: [.postMoney]
    case .termsNotice: [.manageTenants]
    case .chat: [.chatCustomers]
    default: []
    }
  }

  /// How long a case may wait where the operator decided nothing.
  var standardPatience: Duration {
    switch self {
    case .chat: .minutes(5)
    case .rubixCall: .minutes(30)
    case .rubixScreening, .screeningHit: .hours(24)
    default: .hours(8)
    }
  }

  package static func < (one: CaseKind, other: CaseKind) -> Bool { one.rawValue < other.rawValue }
}

extension StaffPermission {
  /// See every case of the institution, hand over and release what others hold.
  package static let manageCases = StaffPermission(rawValue: "manage:cases")
}
