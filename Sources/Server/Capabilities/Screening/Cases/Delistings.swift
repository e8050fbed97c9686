// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Which entries that cases are about are in their lists no more, and since which version: an analyst decides on them
/// all the same, by what the list said when the entry was found, and has to know it.
///
/// Looked up among the versions of the store. Of a list of a folder, of a provider's alert and of versions that cannot
/// be read any more nothing is known, and nothing is said.
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

  package init(_ core: CoreDependencies) { lists = ScreeningLists(core) }

  /// - Returns: one element for each hit; nil for an entry that the list still has, and where that is not known.
  package func of(_ found: [Found]) async throws -> [Delisting?] {
    var answers: [Delisting?] = Array(repeating: nil, count: found.count)
    for (code, numbers) in Dictionary(grouping: found.indices, by: { found[$0].hit.list }) {
      let versions = try await lists.versions(of: code)
      guard let current = versions.first(where: { $0.replacedAt == nil }) else { continue }
      var contents = Contents(lists, found.map(\.hit), numbers)
      for number in numbers {
        guard await contents.lack(number, in: current) else { continue }
        answers[number] = await first(without: number, found[number].lists, versions, current, &contents)
      }
    }
    return answers
  }

  /// - Parameter versions: of the list, the latest first.
  private func first(
    without number: Int, _ searched: [WatchList.Version], _ versions: [StoredList], _ current: StoredList,
    _ contents: inout Contents
  ) async -> Delisting {
    var (missing, present) = (0, versions.firstIndex { searched.contains($0.version) } ?? versions.count)
    // An older version was put back that the entry had come after.
    if versions[0].id != current.id, await !contents.lack(number, in: versions[0]) {
      return Delisting(version: current.version, at: current.loadedAt)
    }
    while present - missing > 1 {
      let middle = (missing + present) / 2
      if await contents.lack(number, in: versions[middle]) { missing = middle } else { present = middle }
    }
    return Delisting(version: versions[missing].version, at: versions[missing].loadedAt)
  }

  /// What versions lack, each read once.
  private struct Contents {
    let lists: ScreeningLists
    let hits: [Screening.Hit]
    let numbers: [Int]
    private var lacks: [StoredList.ID: Set<Int>] = [:]

    init(_ lists: ScreeningLists, _ hits: [Screening.Hit], _ numbers: [Int]) {
      (self.lists, self.hits, self.numbers) = (lists, hits, numbers)
    }

    /// - Returns: false also of a version that cannot be read: no one is told that an entry is gone for that.
    mutating func lack(_ number: Int, in version: StoredList) async -> Bool {
      if let known = lacks[version.id] { return known.contains(number) }
      var lacking: Set<Int> = []
      if let entries = try? await lists.load(version).entries {
        let references = Set(numbers.map { hits[$0].entityID })
        let named = Dictionary(grouping: entries.lazy.filter { references.contains($0.reference) }, by: \.reference)
        lacking = Set(numbers.filter { !hits[$0].isAmong(named[hits[$0].entityID] ?? []) })
      }
      lacks[version.id] = lacking
      return lacking.contains(number)
    }
  }
}

extension Screening.Hit {
  /// Whether the entry is one of those with its reference, as cases tell entries apart.
  fileprivate func isAmong(_ entries: [WatchList.Entry]) -> Bool {
    isReferenceShared == true ? entries.contains { $0.names.first == caption } : !entries.isEmpty
  }
}

extension ScreeningCaseService {
  /// Of each case, since when its entry is in its list no more.
  package func delistings(of items: [Item]) async throws -> [Delistings.Delisting?] {
    try await Delistings(core).of(items.map { ($0.item.hit, $0.record?.lists ?? []) })
  }
}
