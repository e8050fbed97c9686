// SPDX-License-Identifier: Apache-2.0

/// Is told of every run of a scheduled job that ended by itself, for operators.
package struct JobReports: Sendable {
  package enum Outcome: String, Sendable { case done, failed }

  package let report: @Sendable (_ job: String, _ outcome: Outcome, _ duration: Duration, _ endedAt: Instant) -> Void
  /// Is told of each error of a run that failed, as the log names it.
  package let failure: @Sendable (_ job: String, _ error: String) -> Void

  package init(
    failure: @escaping @Sendable (_ job: String, _ error: String) -> Void = { _, _ in },
    report: @escaping @Sendable (_ job: String, _ outcome: Outcome, _ duration: Duration, _ endedAt: Instant) -> Void
  ) {
    (self.failure, self.report) = (failure, report)
  }

  /// Keeps nothing.
  package static let discarded = JobReports { _, _, _, _ in }
}
