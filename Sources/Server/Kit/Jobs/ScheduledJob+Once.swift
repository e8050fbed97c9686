// SPDX-License-Identifier: Apache-2.0

extension Sequence<ScheduledJob> {
  /// Runs each job once, one after another: for demonstrations and tests, where time is what they say it is.
  /// - Throws: the first failure, after the other jobs ran.
  package func runOnce() async throws {
    var failure: (any Error)?
    for job in self {
      do { try await job.run() } catch let error as CancellationError { throw error } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
