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
  /// Items of one transaction, where the work is one.
  static let groupMax = 25
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
    try await forEachDuePage(paging, page) { items in
      var failures: [(Item, any Error)] = []
      for item in items {
        try Task.checkCancellation()
        do { try await work(item) } catch {
          try Self.goOn(after: error)
          failures.append((item, error))
        }
      }
      return failures
    }
  }

  /// Does what is due in transactions of 25 items (decision 198). When one of them fails, each of its items is tried in
  /// a transaction of its own, so that one that fails holds up no other here either.
  ///
  /// Not for work that holds what a customer waits for, such as the row of an account: it would be held for all items.
  /// - Parameters:
  ///   - paging, page: as above.
  ///   - conflict: which conflicts of transactions make one run again.
  ///   - work: looks whether the item is due still, does it in the transaction, and may be run several times. After it
  ///     the item is not due any more.
  /// - Throws: as above.
  package func writeEachDue<Item: Sendable>(
    paging: DuePaging = .besidesFailed, retrying conflict: WriteConflict,
    _ page: @escaping @Sendable (DuePage<Item>, any SQLTransaction) throws -> [Item],
    do work: @escaping @Sendable (Item, any SQLTransaction) throws -> Void
  ) async throws {
    try await forEachDuePage(paging, page) { items in
      var (failures, rest) = ([(Item, any Error)](), items[...])
      while !rest.isEmpty {
        let group = rest.prefix(DueBounds.groupMax)
        rest = rest.dropFirst(group.count)
        try Task.checkCancellation()
        do {
          try await write(retrying: conflict) { tx in for item in group { try work(item, tx) } }
          continue
        } catch {
          try Self.goOn(after: error)
          guard group.count > 1 else {
            failures += group.map { ($0, error) }
            continue
          }
        }
        for item in group {
          try Task.checkCancellation()
          do { try await write(retrying: conflict) { try work(item, $0) } } catch {
            try Self.goOn(after: error)
            failures.append((item, error))
          }
        }
      }
      return failures
    }
  }

  /// - Throws: what ends a run at once.
  private static func goOn(after error: any Error) throws {
    if error is CancellationError { throw error }
    if case SQLError.unreachable = error { throw error }
  }

  /// - Parameter work: returns which items of a page failed, and why.
  private func forEachDuePage<Item: Sendable>(
    _ paging: DuePaging, _ page: @escaping @Sendable (DuePage<Item>, any SQLTransaction) throws -> [Item],
    do work: ([Item]) async throws -> [(Item, any Error)]
  ) async throws {
    var (last, failed, first) = (Item?.none, [Item](), (any Error)?.none)
    for _ in 0..<DueBounds.pagesMax {
      if paging == .besidesFailed, failed.count >= DueBounds.itemsMax { break }
      let place = DuePage(last: last, failed: failed, limit: DueBounds.itemsMax)
      let items = try await read { try page(place, $0) }
      let failures = try await work(items)
      failed += failures.map(\.0)
      first = first ?? failures.first?.1
      if items.count < DueBounds.itemsMax { break }
      last = items.last
    }
    if let first { throw first }
  }
}
