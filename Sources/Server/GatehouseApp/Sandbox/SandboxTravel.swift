// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Moves the clock of a sandbox forward and lets happen what falls due on the way, day by day: so that days end in
/// their order, and what one day makes due happens before the next day is over.
package struct SandboxTravel: Sendable {
  /// What one journey goes forward at most.
  package static let spanMax = Duration.days(400)
  /// Passes over the outbox after one step: an effect that makes itself due again and again holds up nothing for ever.
  static let passesMax = 1000
  /// The first ones go by the time of files and of other machines, which does not move. The self-test measures the
  /// matcher, which no day changes, for seconds of a processor; a server makes it once for the day of arrival.
  static let leftOut: Set<String> = ["audit-checkpoints", "blobs", SandboxClock.job, "screening-self-test"]

  /// What happened.
  package struct Report: Sendable {
    package var steps = 0
    /// Effects that were begun, successful or not.
    package var effects = 0
    /// Jobs of which a run failed, with the name of the first error.
    package var failures: [String: String] = [:]
  }

  let app: App
  let clock: SandboxClock
  /// How much time goes by before the jobs run again.
  var step = Duration.days(1)

  init(app: App, clock: SandboxClock) { (self.app, self.clock) = (app, clock) }

  /// Goes forward. Repeating what was interrupted goes on from the last whole step.
  /// - Parameters:
  ///   - span: up to `spanMax`.
  ///   - actor: who is named in the audit log.
  ///   - stepped: is told after each step how many are done, of how many.
  /// - Throws: `Problem` conflict when another one moves the clock meanwhile, not found when the store has customers.
  package func advance(
    by span: Duration, for actor: String, stepped: @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws -> Report {
    precondition(span > .zero && span <= Self.spanMax, "Such a span is refused before.")
    return try await clock.alone { try await go(span, actor, stepped) }
  }

  private func go(
    _ span: Duration, _ actor: String, _ stepped: @Sendable (Int, Int) -> Void
  ) async throws -> Report {
    try await clock.refresh(from: app.database)
    let (worker, jobs) = (app.worker, jobs)
    let steps = Int((span.milliseconds + step.milliseconds - 1) / step.milliseconds)
    var (report, left, at) = (Report(), span, clock.lead)
    while left > .zero {
      try Task.checkCancellation()
      let part = min(left, step)
      try await clock.advance(by: part, from: at, in: app.database) { [audit = app.core.audit] tx in
        try audit.append(
          "sandbox.clock_moved", to: "sandbox", by: actor, facts: ["seconds": "\(part.wholeSeconds)"], in: tx)
      }
      for job in jobs { try await run(job, &report) }
      for _ in 0..<Self.passesMax {
        let begun = try await worker.runDue()
        report.effects += begun
        if begun == 0 { break }
      }
      (left, at) = (left - part, at + part)
      report.steps += 1
      stepped(report.steps, steps)
    }
    return report
  }

  private var jobs: [ScheduledJob] {
    (app.keyWatch.jobs + app.scheduler.jobs).filter { !Self.leftOut.contains($0.name) }
  }

  /// A job that fails holds up no other, as in a server.
  private func run(_ job: ScheduledJob, _ report: inout Report) async throws {
    do { try await job.run() } catch let error as CancellationError { throw error } catch {
      guard report.failures[job.name] == nil else { return }
      report.failures[job.name] = (error as? PartialFailure)?.parts.first?.error ?? "\(type(of: error))"
    }
  }
}
