// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycleTestKit
import Synchronization
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: scheduled jobs", .timeLimit(.minutes(1)))
struct SchedulerTests {
  private struct Broken: Error {}

  private let clock = SleepClock()
  private let log = LogRecorder()

  @Test("a job that does not end delays no other")
  func independent() async throws {
    let quick = Counter()
    let jobs = [
      ScheduledJob("slow") { await Notifier().wait() },
      ScheduledJob("quick") { _ = quick.next() },
    ]
    try await running(jobs) {
      for wait in [Duration.seconds(1), .seconds(30), .seconds(30)] {
        await clock.waitForSleepers(1)
        clock.advance(by: wait)
      }
      await clock.waitForSleepers(1)
      #expect(quick.count == 3)
    }
  }

  @Test("a job that fails is reported and logged with its name and the kind of error, and runs again")
  func failing() async throws {
    let (runs, world) = (Counter(), TestWorld())
    let reported = Mutex<[String]>([])
    let job = ScheduledJob("fickle", every: .seconds(30), retryAfter: .seconds(5)) {
      world.advance(by: .seconds(2))
      if runs.next() == 1 { throw Broken() }
    }
    let reports = JobReports { name, outcome, duration, endedAt in
      reported.withLock { $0.append("\(name) \(outcome) \(duration.wholeSeconds) \(endedAt.rfc3339)") }
    }
    try await running([job], world: world.world, reports: reports) {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(5))
      await clock.waitForSleepers(1)
      // The interval of one that succeeded is longer.
      clock.advance(by: .seconds(29))
      #expect(clock.sleeperCount == 1)
    }
    #expect(
      reported.withLock { $0 } == ["fickle failed 2 2026-11-21T06:00:02Z", "fickle done 2 2026-11-21T06:00:04Z"])
    #expect(log.records == ["scheduled job failed error=Broken job=fickle"])
  }

  @Test("what a job could not do while it did the rest is told part by part, and counted by its errors")
  func partial() async throws {
    let errors = Mutex<[String]>([])
    let job = ScheduledJob("halves", every: .seconds(30)) {
      throw PartialFailure([
        .init(["tenant": "7"], error: Broken()),
        .init(["tenant": "8", "account": "an-account", "duty": "fee"], reason: "outOfRange"),
      ])
    }
    let reports = JobReports(failure: { job, error in errors.withLock { $0.append("\(job) \(error)") } }) {
      _, _, _, _ in
    }
    try await running([job], reports: reports) { await clock.waitForSleepers(1) }
    #expect(errors.withLock { $0 } == ["halves Broken", "halves outOfRange"])
    #expect(
      log.records == [
        "a part of a scheduled job failed error=Broken job=halves tenant=7",
        "a part of a scheduled job failed account=an-account duty=fee error=outOfRange job=halves tenant=8",
        "scheduled job failed in part count=2 job=halves",
      ])
  }

  @Test("a job is never run twice at once, however long it takes")
  func alone() async throws {
    let (runs, begun, end) = (Counter(), Notifier(), Notifier())
    let job = ScheduledJob("slow") {
      _ = runs.next()
      begun.notify()
      await end.wait()
    }
    let other = ScheduledJob("other", every: .minutes(10)) {}
    try await running([job, other]) {
      await begun.wait()
      for wait in [Duration.seconds(1), .minutes(10), .minutes(10)] {
        await clock.waitForSleepers(1)
        clock.advance(by: wait)
      }
      await clock.waitForSleepers(1)
      #expect(runs.count == 1)
      end.notify()
      await clock.waitForSleepers(2)
      clock.advance(by: .seconds(30))
      await begun.wait()
      #expect(runs.count == 2)
    }
  }

  @Test("no more jobs run at once than the limit, and the next begins when one ends", .storeless)
  func bounded() async throws {
    let (running, ends) = (Counter(), (0...Scheduler.concurrencyMax).map { _ in Notifier() })
    let jobs = ends.indices.map { index in
      ScheduledJob("slow-\(index)", every: .hours(1)) {
        _ = running.next()
        await ends[index].wait()
      }
    }
    try await self.running(jobs) {
      await clock.waitForSleepers(jobs.count - 1)
      clock.advance(by: .seconds(jobs.count))
      try await waitUntil("as many run as may") { running.count == Scheduler.concurrencyMax }
      #expect(running.count == Scheduler.concurrencyMax)
      for end in ends.dropLast() { end.notify() }
      try await waitUntil("the last one runs") { running.count == jobs.count }
    }
  }

  @Test("the first runs are apart by the stagger, in the order of the jobs", .storeless)
  func staggered() async throws {
    let begun = Mutex<[String]>([])
    let jobs = ["a", "b", "c"].map { name in
      ScheduledJob(name) { [clock] in begun.withLock { $0.append("\(name) \(clock.now.wholeSeconds)") } }
    }
    try await running(jobs) {
      for _ in 1...2 {
        await clock.waitForSleepers(3)
        clock.advance(by: .seconds(1))
      }
      await clock.waitForSleepers(3)
    }
    #expect(begun.withLock { $0 } == ["a 0", "b 1", "c 2"])
  }

  @Test("a graceful shutdown cancels the running jobs and waits for their end, which is no failure")
  func ends() async throws {
    let (begun, ended, reported) = (Notifier(), Counter(), Counter())
    let job = ScheduledJob("slow") {
      begun.notify()
      await Notifier().wait()
      _ = ended.next()
      try Task.checkCancellation()
    }
    try await running([job], reports: JobReports { _, _, _, _ in _ = reported.next() }) { await begun.wait() }
    #expect(ended.count == 1)
    #expect(reported.count == 0)
    #expect(log.records.isEmpty)
  }

  /// Runs a scheduler beside a body, after which a graceful shutdown ends it.
  private func running(
    _ jobs: [ScheduledJob], world: World = TestWorld().world, reports: JobReports = .discarded,
    _ body: () async throws -> Void
  ) async throws {
    let scheduler = Scheduler(
      jobs, stagger: .seconds(1), world: world, reports: reports, logger: log.logger, pause: clock.sleep)
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await scheduler.run() }
        try await body()
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
  }
}
