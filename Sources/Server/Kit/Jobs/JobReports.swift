/// Is told of every run of a scheduled job that ended by itself, for operators.
package struct JobReports: Sendable {
  package enum Outcome: String, Sendable { case done, failed }

  package let report: @Sendable (_ job: String, _ outcome: Outcome, _ duration: Duration, _ endedAt: Instant) -> Void

  package init(
    report: @escaping @Sendable (_ job: String, _ outcome: Outcome, _ duration: Duration, _ endedAt: Instant) -> Void
  ) {
    self.report = report
  }

  /// Keeps nothing.
  package static let discarded = JobReports { _, _, _, _ in }
}
