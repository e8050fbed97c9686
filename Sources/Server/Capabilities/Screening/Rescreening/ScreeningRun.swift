// SPDX-License-Identifier: Apache-2.0

import Kit

/// A search for all customers in what a change of the lists brought.
package struct ScreeningRun: Sendable, Hashable {
  package typealias ID = Identifier<ScreeningRun>

  package let id: ID
  /// From 1, in the order in which runs began.
  let number: Int
  /// The versions that all customers were searched for in before; none stands for all entries.
  let base: [WatchList.Version]
  /// The versions that are searched now.
  package let target: [WatchList.Version]
  /// Thresholds and weights with the version of the code, in little room.
  let rules: String
  /// Entries that are new or changed.
  package internal(set) var changedEntries: Int
  /// Customers who were looked at.
  package internal(set) var customers: Int
  /// Customers of whom a search was kept, because a changed entry resembles them.
  package internal(set) var found: Int
  /// The last screening that was looked at.
  var place: Place
  package let startedAt: Instant
  /// Nil while it goes on.
  package internal(set) var finishedAt: Instant?
  /// Until when a node works on it; another one takes it over after that.
  var heldUntil: Instant
  /// When a node last searched in these lists by these rules.
  var confirmedAt: Instant
  var version: Int

  /// A screening in the order in which they were made.
  struct Place: Sendable, Hashable {
    var at: Instant
    var id: String

    static let start = Place(at: Instant(milliseconds: 0), id: "")
  }
}
