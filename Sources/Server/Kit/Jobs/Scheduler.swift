// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Runs scheduled jobs, each in a task of its own: a slow or failing job delays no other, and no job runs twice at once
/// in one process. Other processes may run the same jobs at the same time.
///
/// At most `concurrencyMax` jobs run at once. While that many are slow, the others wait for the first of them to end,
/// each in its turn, and run late.
package struct Scheduler: Service {
  /// Half of the connections that a process has to PostgreSQL by default. After a long downtime every job has much to
  /// do, and the requests need connections too.
  package static let concurrencyMax = 8

  package let jobs: [ScheduledJob]
  let stagger: Duration
  let world: World
  let reports: JobReports
  let logger: Logger
  let pause: @Sendable (Duration) async throws -> Void

  /// - Parameter stagger: how long after the job before it each job runs for the first time. SQLite has one writer, and
  ///   jobs that begin together would all wait for it.
  /// - Parameter pause: returns when so much time has passed, and throws when the task is cancelled.
  package init(
    _ jobs: [ScheduledJob], stagger: Duration = .milliseconds(500), world: World, reports: JobReports, logger: Logger,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.jobs = jobs
    self.stagger = stagger
    self.world = world
    self.reports = reports
    self.logger = logger
    self.pause = pause
  }

  /// Runs until a graceful shutdown, which cancels the running jobs and waits for them.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      let slots = JobSlots(Self.concurrencyMax)
      await withDiscardingTaskGroup { group in
        for (index, job) in jobs.enumerated() {
          group.addTask { await keepRunning(job, after: stagger * index, in: slots) }
        }
      }
    }
  }

  private func keepRunning(_ job: ScheduledJob, after offset: Duration, in slots: JobSlots) async {
    var wait = offset
    while !Task.isCancelled {
      do { try await pause(wait) } catch { return }
      guard let outcome = await slots.run({ await runOnce(job) }) else { return }
      wait = outcome == .done ? job.interval : job.retryInterval
    }
  }

  /// - Returns: nil when the job was cancelled.
  private func runOnce(_ job: ScheduledJob) async -> JobReports.Outcome? {
    let start = world.ticks()
    var outcome = JobReports.Outcome.done
    do { try await job.run() } catch {
      guard !Task.isCancelled else { return nil }
      outcome = .failed
      tell(error, of: job)
    }
    reports.report(job.name, outcome, world.ticks() - start, world.now())
    return outcome
  }

  private func tell(_ error: any Error, of job: ScheduledJob) {
    let name: Logger.Metadata = ["job": "\(job.name)"]
    guard let partial = error as? PartialFailure else {
      let told = Logger.Metadata.error(error)
      logger.error("scheduled job failed", metadata: name.merging(told) { $1 })
      return reports.failure(job.name, told["error"].map { "\($0)" } ?? "unknown")
    }
    for part in partial.parts.prefix(PartialFailure.toldMax) {
      logger.error("a part of a scheduled job failed", metadata: name.merging(part.metadata) { $1 })
    }
    for part in partial.parts { reports.failure(job.name, part.error) }
    logger.error("scheduled job failed in part", metadata: name.merging(["count": "\(partial.parts.count)"]) { $1 })
  }
}
