/// What went wrong first in a sweep: one row that cannot be read must not keep time from those behind it.
struct FirstFailure {
  private var error: (any Error)?

  /// - Throws: `CancellationError` only; what else goes wrong is kept.
  mutating func noting(_ work: () async throws -> Void) async throws {
    do { try await work() } catch let cancellation as CancellationError { throw cancellation } catch {
      self.error = self.error ?? error
    }
  }

  func rethrow() throws {
    if let error { throw error }
  }
}
