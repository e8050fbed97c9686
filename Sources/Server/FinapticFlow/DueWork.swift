import Storage

extension FinapticParts {
  /// Items of one look at what is due, and looks of one run.
  private static let dueMax = 100
  private static let looksMax = 100

  /// Does what is due, each by itself: what fails stands aside, so that one bad row holds up nothing else, and is tried
  /// again by the next run. Where as much fails as one look finds, the fault is not in the rows, and the run ends.
  /// - Parameters:
  ///   - due: up to so many of what is due, the first first, besides those that failed.
  ///   - work: after it the item is not due any more.
  /// - Throws: the first failure, after the rest was done.
  func perform<Item: Sendable>(
    _ due: @escaping @Sendable (_ failed: [Item], _ limit: Int, any SQLTransaction) throws -> [Item],
    each work: (Item) async throws -> Void
  ) async throws {
    var (failed, first) = ([Item](), (any Error)?.none)
    for _ in 0..<Self.looksMax where failed.count < Self.dueMax {
      let items = try await database.read { [failed] in try due(failed, Self.dueMax, $0) }
      for item in items {
        do { try await work(item) } catch let error as CancellationError { throw error } catch {
          failed.append(item)
          first = first ?? error
        }
      }
      if items.count < Self.dueMax { break }
    }
    if let first { throw first }
  }
}
