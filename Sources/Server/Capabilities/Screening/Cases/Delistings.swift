// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which entries that cases are about are in their lists no more, and since which version: an analyst decides on them
/// all the same, by what the list said when the entry was found, and has to know it.
///
/// Looked up among the versions of the store. Of a list of a folder, of a provider's alert and of versions that cannot
/// be read any more nothing is known, and nothing is said. One serves a whole process, so that versions are read once.
package struct Delistings: Sendable {
  /// A version in which the entry is missing.
  package struct Delisting: Sendable, Hashable {
    /// The first kept version without the entry since the one in which it was found.
    package let version: WatchList.Version
    /// When that version was loaded.
    package let at: Instant
  }

  /// A hit, and the lists that the search looked into which found it last.
  package typealias Found = (hit: Screening.Hit, lists: [WatchList.Version])

  private let lists: ScreeningLists
  private let listed: ListedEntries

  package init(_ core: CoreDependencies) {
    lists = ScreeningLists(core)
    listed = ListedEntries(lists)
  }

  /// - Returns: one element for each hit; nil for an entry that the list still has, and where that is not known.
  package func of(_ found: [Found]) async throws -> [Delisting?] {
    var answers: [Delisting?] = Array(repeating: nil, count: found.count)
    for (code, numbers) in Dictionary(grouping: found.indices, by: { found[$0].hit.list }) {
      let versions = try await lists.versions(of: code)
      guard let current = versions.first(where: { $0.replacedAt == nil }) else { continue }
      // What was found in the version of today is in it.
      for number in numbers where !found[number].lists.contains(current.version) {
        let (hit, searched) = found[number]
        guard await isMissing(hit, in: current) else { continue }
        answers[number] = await first(without: hit, searched, versions, current)
      }
    }
    return answers
  }

  /// - Parameter versions: of the list, the latest first.
  private func first(
    without hit: Screening.Hit, _ searched: [WatchList.Version], _ versions: [StoredList], _ current: StoredList
  ) async -> Delisting {
    var (missing, present) = (0, versions.firstIndex { searched.contains($0.version) } ?? versions.count)
    // An older version was put back that the entry had come after.
    if versions[0].id != current.id, await !isMissing(hit, in: versions[0]) {
      return Delisting(version: current.version, at: current.loadedAt)
    }
    while present - missing > 1 {
      let middle = (missing + present) / 2
      if await isMissing(hit, in: versions[middle]) { missing = middle } else { present = middle }
    }
    return Delisting(version: versions[missing].version, at: versions[missing].loadedAt)
  }

  /// - Returns: false also of a version that cannot be read: no one is told that an entry is gone for that.
  private func isMissing(_ hit: Screening.Hit, in version: StoredList) async -> Bool {
    guard let entries = try? await listed.entries(of: version) else { return false }
    return !entries.has(hit)
  }
}

extension ScreeningCaseService {
  /// Of each case, since when its entry is in its list no more.
  package func delistings(of items: [Item]) async throws -> [Delistings.Delisting?] {
    try await delisted.of(items.map { ($0.item.hit, $0.record?.lists ?? []) })
  }
}
