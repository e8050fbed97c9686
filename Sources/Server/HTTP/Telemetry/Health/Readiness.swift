import Kit

/// One thing without which this node should get no requests.
package struct HealthCheck: Sendable {
  /// How long a check may take.
  package static let limit = Duration.seconds(2)

  let name: String
  let probe: Probe<Void>

  /// - Parameter check: throws when it fails; the error is not shown.
  package init(_ name: String, limit: Duration = limit, check: @escaping @Sendable () async throws -> Void) {
    self.name = name
    probe = Probe(limit: limit, ask: check)
  }
}

/// Whether this node should get requests.
package struct Readiness: Sendable {
  let checks: [HealthCheck]
  let drain: Drain
  let world: World

  package init(_ checks: [HealthCheck], drain: Drain, world: World) {
    self.checks = checks
    self.drain = drain
    self.world = world
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
    return HealthReport(
      status: outcomes.allSatisfy { $0.status == .ok } ? .ready : .failing, checks: outcomes)
  }

  private func outcome(_ check: HealthCheck) async -> HealthReport.Check {
    let start = world.ticks()
    let isOK: Bool
    do {
      try await check.probe.answer()
      isOK = true
    } catch { isOK = false }
    return .init(name: check.name, status: isOK ? .ok : .failing, ms: (world.ticks() - start).milliseconds)
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
  }

  package let status: Status
  package let checks: [Check]
}

/// A check failed; says nothing more.
package struct HealthCheckFailed: Error, Sendable {
  package init() {}
}
