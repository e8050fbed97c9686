// SPDX-License-Identifier: Apache-2.0
import Foundation
import HTTP
import Kit

/// How this node and what it works with are.
struct HealthPage: ConsolePage {
  static var template: [UInt8] { PackageResources.HealthPage_mustache }
  static var scripts: [Asset] { [.idle, .again] }
  /// More are left to `/metrics`.
  private static let figuresMax = 200
  /// Of the metrics that are shown as they are. Those of single customers' ways are on the page of figures.
  private static let shown = ["outbox", "store", "screening", "audit", "tls", "metrics_source"].map {
    "gatehouse_\($0)_"
  }

  struct Check {
    let name: Phrase
    let state: Phrase
    let tone: String
    let took: String
    /// When what the check is about was last done; nil for a check that does not ask that.
    let done: Moment?
  }

  struct Job {
    let name: String
    let state: Phrase
    let tone: String
    /// Nil where no run of this process succeeded yet.
    let success: Moment?
    /// In a row.
    let failures: Count
    /// As the log names them, with how often.
    let errors: String
  }

  struct List {
    let code: String
    let version: String
    let loaded: Moment
    let entries: Count
  }

  struct Figure {
    let name: String
    let labels: String
    let value: String
  }

  let state: Phrase
  let tone: String
  let at: Moment
  let checks: [Check]
  let jobs: [Job]
  let lists: [List]
  /// Tells that the store of lists did not answer, or holds none; nil otherwise.
  let listFault: Phrase?
  let figures: [Figure]
  let foot: StaffFooter

  /// - Parameter lists: nil where the store did not answer.
  init(
    _ report: HealthReport, _ families: [MetricFamily], lists: [HealthRoutes.List]?, at now: Instant,
    for visit: StaffVisit
  ) {
    (state, tone) = (Phrase("health_\(report.status.rawValue)"), report.status == .ready ? "good" : "bad")
    at = Moment(now)
    checks = report.checks.map { check in
      let isOK = check.status == .ok
      return Check(
        name: Phrase("health_check_\(check.name)", otherwise: check.name),
        state: Phrase(isOK ? "health_ok" : "health_not_ok"), tone: isOK ? "good" : "bad", took: "\(check.ms) ms",
        done: check.age.map { Moment(now - .seconds($0)) })
    }
    jobs = Self.jobs(families)
    self.lists = (lists ?? []).map {
      List(code: $0.code, version: $0.version, loaded: Moment($0.loadedAt), entries: Count($0.entries))
    }
    listFault = lists == nil ? Phrase("health_no_answer") : lists?.isEmpty == true ? Phrase("health_no_lists") : nil
    figures = Array(
      families.filter { family in
        family.kind != .histogram && Self.shown.contains { family.name.hasPrefix($0) }
      }.flatMap { family in
        family.samples.map { sample in
          Figure(
            name: family.name, labels: sample.labels.map { "\($0.name): \($0.value)" }.joined(separator: ", "),
            value: Self.text(sample.value))
        }
      }.prefix(Self.figuresMax))
    foot = StaffFooter(visit)
  }

  /// Every job of which this process knows a run, those that fail before the others.
  private static func jobs(_ families: [MetricFamily]) -> [Job] {
    func values(_ name: String) -> [(labels: [String], value: Double)] {
      let samples = families.first { $0.name == name }?.samples ?? []
      return samples.map { (labels: $0.labels.map(\.value), value: $0.value) }
    }
    let successes = Dictionary(
      values("gatehouse_job_last_success_timestamp_seconds").map { ($0.labels[0], $0.value) }
    ) { $1 }
    let errors = Dictionary(grouping: values("gatehouse_job_errors_total")) { $0.labels[0] }
    let runs = values("gatehouse_job_failures_in_a_row").sorted { ($1.value, $0.labels[0]) < ($0.value, $1.labels[0]) }
    return runs.map { run in
      let (name, isOK) = (run.labels[0], run.value == 0)
      return Job(
        name: name, state: Phrase(isOK ? "health_ok" : "health_not_ok"), tone: isOK ? "good" : "bad",
        success: successes[name].map { Moment(Instant(milliseconds: Int64($0 * 1000))) },
        failures: Count(Int(run.value)),
        errors: (errors[name] ?? []).map { "\($0.labels[1]) (\(text($0.value)))" }.joined(separator: ", "))
    }
  }

  private static func text(_ value: Double) -> String {
    value.rounded() == value && abs(value) < 1e15 ? "\(Int64(value))" : String(format: "%.3f", value)
  }
}
