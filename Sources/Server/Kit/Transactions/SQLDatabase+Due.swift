// SPDX-License-Identifier: Apache-2.0

import Storage

/// Where a run over due items stands when it asks for more of them.
package struct DuePage<Item: Sendable>: Sendable {
  /// The last item of the page before; nil for the first page.
  package let last: Item?
  /// What failed in this run and is therefore due still.
  package let failed: [Item]
  /// How many items to return at most, the first due first.
  package let limit: Int
}

/// How a run over due items goes on from one page to the next.
package enum DuePaging: Sendable {
  /// The query begins behind `last`. Failures never hold up what stands behind them.
  case behindLast
  /// The query leaves `failed` out. A run ends when as many items failed as one page holds, because the query would
  /// have to leave out more and more of them.
  case besidesFailed
}

/// The bounds of one run.
private enum DueBounds {
  static let itemsMax = 100
  static let pagesMax = 200
}

extension SQLDatabase {
  /// Does what is due, item by item, so that one that fails holds up no other; it is tried again by the next run.
  ///
  /// - Parameters:
  ///   - paging: which member of `DuePage` the query goes by.
  ///   - page: what is due, from behind `last` or besides `failed`.
  ///   - work: after it the item is not due any more.
  /// - Throws: the first failure, after the rest was done; a cancellation, and a store that does not answer, at once.
  package func forEachDue<Item: Sendable>(
    paging: DuePaging = .besidesFailed,
    _ page: @escaping @Sendable (DuePage<Item>, any SQLTransaction) throws -> [Item],
    do work: (Item) async throws -> Void
  ) async throws {
    var (last, failed, first) = (Item?.none, [Item](), (any Error)?.none)
    for _ in 0..<DueBounds.pagesMax {
      if paging == .besidesFailed, failed.count >= DueBounds.itemsMax { break }
      let place = DuePage(last: last, failed: failed, limit: DueBounds.itemsMax)
      let items = try await read { try page(place, $0) }
      for item in items {
        try Task.checkCancellation()
        do { try await work(item) } catch let error as CancellationError { throw error } catch SQLError.unreachable(
          let why)
        {
          throw SQLError.unreachable(why)
        } catch {
          failed.append(item)
          first = first ?? error
        }
      }
      if items.count < DueBounds.itemsMax { break }
      last = items.last
    }
    if let first { throw first }
  }
}
