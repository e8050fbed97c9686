import Kit
import Storage

/// Ends what time has run out on, one transaction for each, until nothing is left. A row that cannot be ended fails
/// alone: those behind it have their turn.
struct OverdueSweep: Sendable {
  /// A row in the order of its ending.
  struct Place<Subject>: Sendable {
    let end: Instant
    let id: Identifier<Subject>

    /// Before every row.
    static var start: Place { Place(end: Instant(milliseconds: 0), id: .init(rawValue: "")) }
  }

  private static let batch = 200
  /// What is left after so many waits for the next sweep.
  private static let batchesMax = 100

  let parts: SaltEdgeParts

  /// - Parameters:
  ///   - page: rows behind a place, at most so many, in the order of their ending.
  ///   - end: ends one, when it is overdue still.
  /// - Throws: the first failure, after everything else was ended; at once when the store does not answer.
  func run<Subject>(
    _ page: @escaping @Sendable (any SQLTransaction, Place<Subject>, Int) throws -> [Place<Subject>],
    _ end: @escaping @Sendable (Identifier<Subject>, any SQLTransaction) throws -> Void
  ) async throws {
    var (last, failure) = (Place<Subject>.start, (any Error)?.none)
    for _ in 0..<Self.batchesMax {
      let after = last
      let found = try await parts.database.read { try page($0, after, Self.batch) }
      for place in found {
        try Task.checkCancellation()
        do { try await parts.writing { try end(place.id, $0) } } catch SQLError.unreachable(let why) {
          throw SQLError.unreachable(why)
        } catch { failure = failure ?? error }
      }
      guard found.count == Self.batch, let end = found.last else { break }
      last = end
    }
    if let failure { throw failure }
  }
}
