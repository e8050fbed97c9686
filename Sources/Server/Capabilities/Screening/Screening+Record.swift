// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import Storage

extension Screening {
  /// Who asked for a search. Customers are only shown what their own step found.
  package enum Origin: String, Sendable, CaseIterable, SQLConvertible {
    /// A step of the customer, or a flow for the customer.
    case step
    /// A list changed.
    case listChange = "list_change"
    /// The review that is due after a time.
    case review
  }

  /// One search and what became of it.
  package struct Record: Sendable, Hashable {
    package typealias ID = Identifier<Record>

    /// This screening.
    package let id: ID
    /// Whose search it was, in the flow's own ids.
    package let subjectID: String
    /// The provider's reference, or ours; unique.
    package internal(set) var referenceNo: String
    /// Who asked for it.
    package let origin: Origin
    /// How it stands.
    package internal(set) var status: Status
    /// Who was looked for; sealed where it is stored.
    package let subject: Subject
    /// Which lists were searched, in which version.
    package internal(set) var lists: [WatchList.Version]
    /// Nil when a provider does not tell.
    package internal(set) var threshold: Double?
    /// By which rules was searched; nil when a provider does not tell, and of screenings from before it was kept.
    package internal(set) var matcher: Matcher?
    /// Sealed where they are stored.
    package internal(set) var hits: [Hit]
    /// Why nothing was decided; names files and faults, no person.
    package internal(set) var failure: String?
    /// Nil while pending.
    package internal(set) var screenedAt: Instant?
    /// When a subject found clean is screened again; nil otherwise, and once a newer screening took over.
    package internal(set) var nextReviewOn: CalendarDate?
    /// When the search was recorded.
    package let createdAt: Instant
    /// Counts changes; guards concurrent ones.
    package internal(set) var version: Int

    /// Whether a list has a newer version than was searched, or was not searched at all.
    package func isOutdated(by current: [WatchList.Version]) -> Bool { !Set(current).isSubset(of: lists) }
  }
}
