// SPDX-License-Identifier: Apache-2.0

/// What is new in the lists that are searched, against those that were searched before.
struct ListChanges: Sendable {
  /// Codes of lists of which every entry counts: new ones, and those whose older version cannot be had.
  private(set) var whole: Set<String> = []
  /// References of new and changed entries, by the code of their list.
  private(set) var references: [String: Set<String>] = [:]
  /// Entries that count; those of a list that cannot be loaded are not among them.
  private(set) var count = 0

  /// Whether entries went away: words are rarer then, and other entries may be hits.
  private(set) var hasRemovals = false

  /// Whether the lists say the same as before.
  var isEmpty: Bool { whole.isEmpty && references.isEmpty && !hasRemovals }

  /// Adds a list.
  /// - Parameters:
  ///   - entries: nil when they cannot be had.
  ///   - before: nil when all entries count.
  mutating func add(_ code: String, _ entries: [WatchList.Entry]?, before: [WatchList.Entry]?) {
    guard let entries, let before else {
      whole.insert(code)
      count += entries?.count ?? 0
      return
    }
    let known = Set(before)
    if !known.isSubset(of: entries) { hasRemovals = true }
    let changed = entries.filter { !known.contains($0) }
    guard !changed.isEmpty else { return }
    references[code] = Set(changed.map(\.reference))
    count += changed.count
  }

  /// Notes that a list is not searched any more.
  mutating func noteRemoval() { hasRemovals = true }

  /// Whether any of the hits is of an entry that counts.
  func touch(_ report: Screening.Report) -> Bool {
    // Of a search that found more than it gives, any may be among the rest.
    report.hits.count >= ScreeningIndex.hitsMax
      || report.hits.contains { whole.contains($0.list) || references[$0.list]?.contains($0.entityID) == true }
  }
}
