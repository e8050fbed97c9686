// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which entries that cases are about are in their lists no more, and since which version: an analyst decides on them
/// all the same, by what the list said when the entry was found, and has to know it.
///
/// Looked up among the versions of the store. Of a list of a folder, of a provider's alert and of versions that cannot
/// be read any more nothing is known, and nothing is said. One serves a whole process, so that versions are read once.
package struct Delistings: Sendable {
  /// A version in which the entry is missing, or the end of the whole list.
  package struct Delisting: Sendable, Hashable {
    /// The first kept version without the entry since the one in which it was found; nil when the last version of the
    /// list still had it, and the list itself was removed.
    package let version: WatchList.Version?
    /// When that version was loaded, or the list was removed.
    package let at: Instant

    /// When the whole list was removed; nil when it goes on without the entry.
    package var removedAt: Instant? { version == nil ? at : nil }
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
      guard let current = versions.first(where: { $0.replacedAt == nil }) else {
        guard let (last, removedAt) = Self.removed(versions) else { continue }
        for number in numbers {
          let (hit, searched) = found[number]
          let wasMissing = searched.contains(last.version) ? false : await isMissing(hit, in: last)
          answers[number] =
            wasMissing ? await first(without: hit, searched, versions, last) : Delisting(version: nil, at: removedAt)
        }
        continue
      }
      // What was found in the version of today is in it.
      for number in numbers where !found[number].lists.contains(current.version) {
        let (hit, searched) = found[number]
        guard await isMissing(hit, in: current) else { continue }
        answers[number] = await first(without: hit, searched, versions, current)
      }
    }
    return answers
  }

  /// The version that was searched last, and when the list was removed; nil for one that a folder may have.
  private static func removed(_ versions: [StoredList]) -> (last: StoredList, at: Instant)? {
    let replaced = versions.compactMap { version in version.replacedAt.map { (last: version, at: $0) } }
    return replaced.max { $0.at < $1.at }.flatMap { $0.last.isOfFolder ? nil : $0 }
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
