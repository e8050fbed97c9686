// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// What is counted of the scheduled jobs of this process, by their names.
package final class JobMetrics: Sendable {
  /// Seconds of a job: from a look at a few rows to a walk through a large bucket.
  private static let bounds = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 30, 60, 300, 1800]

  private let runs = Counter(
    "gatehouse_job_runs_total", help: "Runs of scheduled jobs by this process.", labels: ["job", "outcome"])
  private let errors = Counter(
    "gatehouse_job_errors_total", help: "What scheduled jobs of this process failed of, as the log names it.",
    labels: ["job", "error"])
  private let seconds = Histogram(
    "gatehouse_job_duration_seconds", help: "Time that a run of a scheduled job took.", labels: ["job"],
    bounds: bounds)
  private let successes = Mutex(BoundedSeries<Double>(kept: [false]))
  /// How many of the last runs of a job failed, one after another.
  private let failures = Mutex<[String: Int]>([:])

  package init() {}

  package var reports: JobReports {
    JobReports(failure: { job, error in self.errors.add(1, job, error) }) { job, outcome, duration, endedAt in
      self.runs.add(1, job, outcome.rawValue)
      self.seconds.observe(duration.inSeconds, job)
      self.failures.withLock { $0[job] = outcome == .done ? 0 : $0[job, default: 0] + 1 }
      guard outcome == .done else { return }
      self.successes.withLock { $0.update([job], from: 0) { $0 = Double(endedAt.milliseconds) / 1000 } }
    }
  }

  /// The jobs whose last run failed, by name.
  package var failing: [String] { failures.withLock { $0.filter { $0.value > 0 }.keys.sorted() } }

  package var families: [MetricFamily] {
    [
      runs.family, errors.family, seconds.family,
      .labelled(
        "gatehouse_job_failures_in_a_row", help: "Runs of a scheduled job that failed since the last that succeeded.",
        labels: ["job"], failures.withLock { $0.map { ([$0.key], Double($0.value)) } }.sorted { $0.0[0] < $1.0[0] }),
      .labelled(
        "gatehouse_job_last_success_timestamp_seconds",
        help: "When a run of a scheduled job last succeeded, in seconds since 1970.", labels: ["job"],
        successes.withLock { $0 }.sorted),
    ]
  }
}
