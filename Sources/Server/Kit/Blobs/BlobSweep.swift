// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Deletes objects that no row names: what a step left that stored an image and then was refused, or was killed.
///
/// 1. An object younger than `grace` is left alone: its row may be about to be committed.
/// 2. What the stores know stays.
/// 3. A store of which nothing is known is taken for another installation's: as long as no object was found that a row
///    names, none goes. A new database on an old bucket does not empty it.
///
/// A run that comes to its limit is gone on with by the next one, so that in the end every object is looked at.
package struct BlobSweep: Sendable {
  /// Longer than any step, and than any transaction, takes.
  package static let grace = Duration.hours(24)
  /// Unknown objects that are remembered until one is recognised.
  package static let strangersMax = 100
  /// Pages of one run at most; what is behind them is for the next.
  package static let pagesMax = 10_000

  /// More than `strangersMax` objects and none of them known; nothing was deleted.
  package struct Unrecognised: Error, Sendable, Equatable {}

  package struct Counts: Sendable, Equatable {
    /// Objects that were looked at.
    package var seen = 0
    /// Of these, too young to say.
    package var young = 0
    /// Of these, named by a row.
    package var referenced = 0
    package var deleted = 0
    /// Puts that were never ended, cleared away.
    package var unfinished = 0

    package init(seen: Int = 0, young: Int = 0, referenced: Int = 0, deleted: Int = 0, unfinished: Int = 0) {
      self.seen = seen
      self.young = young
      self.referenced = referenced
      self.deleted = deleted
      self.unfinished = unfinished
    }
  }

  private let blobs: Blobs
  private let referenced: @Sendable ([String]) async throws -> Set<String>
  private let world: World
  private let pageSize: Int
  private let pagesOfRun: Int
  private let place = Place()

  /// Where the next run begins; nil is at the beginning.
  private final class Place: Sendable {
    struct Stop: Sendable {
      let cursor: BlobPage.Cursor
      /// Whether a row named an object before this place.
      let isRecognised: Bool
    }

    private let stop = Mutex<Stop?>(nil)

    func take() -> Stop? { stop.withLock { $0.take() } }
    func put(_ next: Stop?) { stop.withLock { $0 = next } }
  }

  /// - Parameters:
  ///   - isReferenced: which of at most `pageSize` keys the stores know.
  ///   - pagesOfRun: what one run looks at.
  package init(
    _ blobs: Blobs, isReferenced: @escaping @Sendable ([String]) async throws -> Set<String>, world: World,
    pageSize: Int = Blobs.pageMax, pagesOfRun: Int = Self.pagesMax
  ) {
    self.blobs = blobs
    referenced = isReferenced
    self.world = world
    self.pageSize = pageSize
    self.pagesOfRun = pagesOfRun
  }

  /// Walks the store, on from where the last run stopped. Repeating it, also on several nodes at once, does no harm.
  /// - Throws: `Unrecognised`, or what the stores throw; what was deleted by then stays deleted.
  package func run() async throws -> Counts {
    let youngest = world.now() - Self.grace
    var counts = Counts()
    var held: [String] = []
    // A run that fails leaves nothing there: the store may not know the place any more.
    let stop = place.take()
    var cursor = stop?.cursor
    var isRecognised = stop?.isRecognised ?? false
    for _ in 0..<pagesOfRun {
      let page = try await blobs.list(cursor, pageSize)
      let keys = page.objects.filter { $0.modifiedAt < youngest }.map(\.key)
      // The objects are listed before the rows are read: a row that came between is seen.
      let known = keys.isEmpty ? [] : try await referenced(keys)
      counts.seen += page.objects.count
      counts.young += page.objects.count - keys.count
      counts.referenced += known.count
      held += keys.filter { !known.contains($0) }
      isRecognised = isRecognised || !known.isEmpty
      if isRecognised {
        try await delete(held, &counts)
        held = []
      } else if held.count > Self.strangersMax {
        throw Unrecognised()
      }
      cursor = page.next
      guard cursor != nil else { break }
    }
    place.put(cursor.map { .init(cursor: $0, isRecognised: isRecognised) })
    // What is still held was found in a store of which nothing is known.
    counts.unfinished = try await blobs.sweepUnfinished(youngest)
    return counts
  }

  private func delete(_ keys: [String], _ counts: inout Counts) async throws {
    for key in keys {
      try Task.checkCancellation()
      try await blobs.delete(key)
      counts.deleted += 1
    }
  }
}
