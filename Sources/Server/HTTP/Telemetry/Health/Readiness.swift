// SPDX-License-Identifier: Apache-2.0

import Kit

/// One thing without which this node should get no requests.
package struct HealthCheck: Sendable {
  /// How long a check may take.
  package static let limit = Duration.seconds(2)

  let name: String
  /// What a check measured, and how much of it is too much.
  let probe: Probe<Duration?>
  let ageMax: Duration?

  /// - Parameter check: throws when it fails; the error is not shown.
  package init(_ name: String, limit: Duration = limit, check: @escaping @Sendable () async throws -> Void) {
    (self.name, ageMax) = (name, nil)
    probe = Probe(limit: limit) {
      try await check()
      return nil
    }
  }

  /// - Parameters:
  ///   - ageMax: it fails when something was done longer ago; nil only shows how long ago that is.
  ///   - age: how long ago that is. The report shows it.
  package init(_ name: String, ageMax: Duration?, age: @escaping @Sendable () async throws -> Duration) {
    (self.name, self.ageMax) = (name, ageMax)
    probe = Probe(limit: Self.limit) { try await age() }
  }
}

/// Whether this node should get requests.
package struct Readiness: Sendable {
  let checks: [HealthCheck]
  let drain: Drain
  let world: World
  let failingJobs: @Sendable () -> [String]

  /// - Parameter failingJobs: names of the scheduled jobs whose last run failed. They are shown and are no check: another
  ///   node cannot do better, and this one still serves.
  package init(
    _ checks: [HealthCheck], drain: Drain, world: World, failingJobs: @escaping @Sendable () -> [String] = { [] }
  ) {
    (self.checks, self.drain, self.world, self.failingJobs) = (checks, drain, world, failingJobs)
  }

  /// A node that drains is not ready, and makes no check.
  package func report() async -> HealthReport {
    guard !drain.isDraining else { return HealthReport(status: .draining, checks: []) }
    let outcomes = await withTaskGroup(of: (Int, HealthReport.Check).self) { group in
      for (index, check) in checks.enumerated() {
        group.addTask { (index, await outcome(check)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }.sorted { $0.0 < $1.0 }.map(\.1)
    let failing = failingJobs()
    return HealthReport(
      status: outcomes.allSatisfy { $0.status == .ok } ? .ready : .failing, checks: outcomes,
      failingJobs: failing.isEmpty ? nil : failing)
  }

  private func outcome(_ check: HealthCheck) async -> HealthReport.Check {
    let start = world.ticks()
    var (isOK, age) = (false, Duration?.none)
    do {
      age = try await check.probe.answer()
      isOK = age.flatMap { age in check.ageMax.map { age <= $0 } } ?? true
    } catch {}
    return .init(
      name: check.name, status: isOK ? .ok : .failing, ms: (world.ticks() - start).milliseconds,
      age: age?.wholeSeconds)
  }
}

/// Answer of `GET /health/ready`: what was asked and how it went, nothing of why.
package struct HealthReport: Sendable, Encodable, Equatable {
  package enum Status: String, Sendable, Encodable { case ready, failing, draining }

  package struct Check: Sendable, Encodable, Equatable {
    package enum Status: String, Sendable, Encodable { case ok, failing }
    package let name: String
    package let status: Status
    package let ms: Int64
    /// Seconds since what the check is about was last done; nil for a check that does not ask that.
    package let age: Int?

    package init(name: String, status: Status, ms: Int64, age: Int? = nil) {
      (self.name, self.status, self.ms, self.age) = (name, status, ms, age)
    }
  }

  package let status: Status
  package let checks: [Check]
  /// Nil when every job's last run succeeded.
  package var failingJobs: [String]?
}

/// A check failed; says nothing more.
package struct HealthCheckFailed: Error, Sendable {
  package init() {}
}
