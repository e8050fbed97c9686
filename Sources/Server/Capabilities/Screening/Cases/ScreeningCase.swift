// SPDX-License-Identifier: Apache-2.0

import Kit

extension Screening {
  /// Why an analyst holds a customer for another person than the listed one. The text beside it says more.
  package enum FalsePositiveReason: String, Sendable, CaseIterable, Codable {
    /// Only the name is alike, and nothing else tells of the listed person.
    case nameOnly = "name-only"
    case otherBirthDate = "other-birth-date"
    case otherNationality = "other-nationality"
    case otherSex = "other-sex"
    /// A document or a number of the customer's is not the listed one's.
    case otherDocument = "other-document"
    /// The entry is an organisation, a vessel or an aircraft.
    case otherKind = "other-kind"
    /// The listed person is dead or held where the customer was not.
    case otherWhereabouts = "other-whereabouts"
    /// The text alone tells why.
    case other
  }

  /// What a person said of a case.
  package struct CaseNote: Sendable, Hashable, Codable {
    /// Who, as in the audit log.
    package let by: String
    package let at: Instant
    /// What was judged, proposed or approved; `open` when a proposal was returned.
    package let disposition: Disposition
    /// Of a false positive; nil where the interface does not ask for one.
    package let reason: FalsePositiveReason?
    package let text: String
  }

  /// The question whether a customer is a listed entry, from the first hit to the decision. There is one for each
  /// customer and entry, however often it is found.
  package struct Case: Sendable, Hashable, Identifiable {
    package typealias ID = Identifier<Case>

    package let id: ID
    /// The customer, in the flow's own ids.
    package let subjectID: String
    package internal(set) var state: CaseState
    /// As it was found last; sealed where it is stored.
    package internal(set) var hit: Hit
    /// The screening that found it last, which names lists, matcher and thresholds.
    package internal(set) var screeningID: Record.ID
    /// Of what the list said when it was found last; nil of a provider's alert.
    var entryDigest: String?
    /// Of what was known of the customer then.
    var subjectDigest: String
    /// What waits for a second person.
    package internal(set) var proposal: Disposition?
    /// Who judged first.
    package internal(set) var proposedBy: String?
    /// Who decided.
    package internal(set) var decidedBy: String?
    package internal(set) var decidedAt: Instant?
    /// Oldest first.
    package internal(set) var notes: [CaseNote]
    package let openedAt: Instant
    /// Since when it waits for a person; nil while it does not.
    package internal(set) var waitsSince: Instant?
    /// Counts changes; an approval names the one that it approves.
    package internal(set) var version: Int
    /// The tenant in whose work queue it stands while it waits; nil where the flow's own case tells of it, and of
    /// customers whom no flow knows.
    var queue: String?
  }

  /// In whose work queue the cases of a customer stand while they wait.
  package struct Queue: Sendable, Hashable {
    /// As the flow names it.
    package let tenant: String
    /// Of the customer, so that members of staff do not work on their own cases.
    package let email: String?

    package init(tenant: String, email: String?) { (self.tenant, self.email) = (tenant, email) }
  }
}
