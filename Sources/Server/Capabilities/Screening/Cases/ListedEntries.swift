// SPDX-License-Identifier: Apache-2.0

import Kit

/// Which entries versions of lists have. What a version holds never changes, and to read it is to open and decode all
/// of its entries, 10⁵ of them and more: each version is read once, and forgotten when others were asked for since.
actor ListedEntries {
  /// Entries that are remembered of all versions together, 16 bytes each. The version that was asked for last is
  /// remembered in any case.
  static let countMax = 4 << 20

  /// The entries of one version, as numbers by which they are known again in this process.
  struct Entries: Sendable {
    private var marks: [Int] = []

    /// How many entries there are.
    var count: Int { marks.count / 2 }

    fileprivate init() {}

    /// Whether the entry of a hit is among them, as cases tell entries apart.
    func has(_ hit: Screening.Hit) -> Bool {
      let mark = Self.mark(hit.entityID, hit.isReferenceShared == true ? hit.caption : nil)
      var (first, end) = (0, marks.count)
      while first < end {
        let middle = (first + end) / 2
        if marks[middle] < mark { first = middle + 1 } else { end = middle }
      }
      return first < marks.count && marks[first] == mark
    }

    fileprivate mutating func add(_ entry: WatchList.Entry) {
      marks.append(Self.mark(entry.reference, nil))
      marks.append(Self.mark(entry.reference, entry.names.first))
    }

    fileprivate mutating func arrange() { marks.sort() }

    private static func mark(_ reference: String, _ name: String?) -> Int {
      var hasher = Hasher()
      hasher.combine(reference)
      hasher.combine(name)
      return hasher.finalize()
    }
  }

  private let lists: ScreeningLists
  /// The version that was asked for last is the last.
  private var known: [(id: StoredList.ID, entries: Entries)] = []
  private var reading: [StoredList.ID: Task<Entries, any Error>] = [:]

  init(_ lists: ScreeningLists) { self.lists = lists }

  /// - Throws: when the version cannot be read; that is not remembered.
  func entries(of version: StoredList) async throws -> Entries {
    if let place = known.firstIndex(where: { $0.id == version.id }) {
      let found = known.remove(at: place)
      known.append(found)
      return found.entries
    }
    // Persons who look at the same time wait for one reading; a task of its own, so that one who goes away does not end
    // it for the others.
    if let reading = reading[version.id] { return try await reading.value }
    let task = Task { [lists] in try await Self.read(version, lists) }
    reading[version.id] = task
    defer { reading[version.id] = nil }
    let entries = try await task.value
    known.append((version.id, entries))
    while known.count > 1, known.reduce(0, { $0 + $1.entries.count }) > Self.countMax { known.removeFirst() }
    return entries
  }

  private static func read(_ version: StoredList, _ lists: ScreeningLists) async throws -> Entries {
    var entries = Entries()
    for part in try await lists.parts(of: version) {
      for entry in try await lists.entries(ofPart: part) { entries.add(entry) }
    }
    guard entries.count == version.entryCount else { throw ListArchive.Fault.unreadable }
    entries.arrange()
    return entries
  }
}
