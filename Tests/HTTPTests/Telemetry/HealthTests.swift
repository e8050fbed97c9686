// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import HummingbirdTesting
import Kit
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@Suite("Telemetry: health and the way out", .storeless, .timeLimit(.minutes(5)))
struct HealthTests {
  private static let logger = Logger(label: "test")

  @Test("a node is ready when every check passes; one that fails is named, its error is not")
  func ready() async throws {
    let fine = HealthCheck("store") {}
    let broken = HealthCheck("blobs") { throw Hunter2() }
    try await Self.ask([fine], Drain()) { status, text in
      #expect(status == .ok)
      #expect(text == #"{"checks":[{"ms":0,"name":"store","status":"ok"}],"status":"ready"}"#)
    }
    try await Self.ask([fine, broken], Drain()) { status, text in
      #expect(status == .serviceUnavailable)
      #expect(
        text == #"{"checks":[{"ms":0,"name":"store","status":"ok"},{"ms":0,"name":"blobs","status":"failing"}],"#
          + #""status":"failing"}"#)
    }
  }

  @Test("jobs that fail are named, and keep no request away (issue 24)")
  func jobs() async throws {
    let report = await Readiness(
      [HealthCheck("store") {}], drain: Drain(), world: TestWorld().world, failingJobs: { ["ended-days"] }
    ).report()
    #expect(report.status == .ready && report.failingJobs == ["ended-days"])
  }

  @Test("a check that hangs fails within its limit, though it cannot be cancelled, and is not asked twice at once")
  func hanging() async throws {
    let asked = Mutex(0)
    let gate = TaskGate()
    let check = HealthCheck("store", limit: .milliseconds(20)) {
      asked.withLock { $0 += 1 }
      await gate.pass()
    }
    for _ in 0..<3 {
      try await Self.ask([check], Drain()) { status, text in
        #expect(status == .serviceUnavailable && text.contains("failing"))
      }
    }
    #expect(asked.withLock { $0 } == 1)
    gate.open()
  }

  @Test("who asks at the same time gets the same answer")
  func shared() async throws {
    let asked = Mutex(0)
    let gate = TaskGate()
    let probe = Probe(limit: .seconds(30)) {
      await gate.pass()
      return asked.withLock { number in
        number += 1
        return number
      }
    }
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<5 { group.addTask { try await probe.answer() } }
      defer { gate.open() }
      try await waitUntil("five wait") { probe.waiterCount == 5 }
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == [1, 1, 1, 1, 1])
    #expect(try await probe.answer() == 2)
  }

  @Test("a node that drains is not ready, runs no check, still lives, and ends its connections")
  func draining() async throws {
    let drain = Drain()
    drain.begin()
    try await Self.ask([HealthCheck("store") { Issue.record("no check runs") }], drain) { status, text in
      #expect(status == .serviceUnavailable && text == #"{"checks":[],"status":"draining"}"#)
    }
    try await Self.router([], drain) { client in
      let answer = try await client.executeRequest(uri: "/health/live", method: .get, headers: [:], body: nil)
      #expect(answer.status == .ok && answer.headers[.connection] == "close")
    }
  }

  @Test("the gate closes first, and what stands before it stops afterwards")
  func order() async throws {
    let drain = Drain()
    let seen = Mutex<[String]>([])
    let server = Stopping { seen.withLock { $0.append("server, draining: \(drain.isDraining)") } }
    try await Self.stop([server, DrainGate(drain, grace: .zero)])
    #expect(seen.withLock { $0 } == ["server, draining: true"])
  }

  @Test("a service that does not stop is cut off at its limit, and the rest stops in order")
  func cutOff() async throws {
    let seen = Mutex<[String]>([])
    let worker = Stopping { seen.withLock { $0.append("worker") } }
    try await Self.stop([worker, ShutdownTimeout(.milliseconds(20), Endless())])
    #expect(seen.withLock { $0 } == ["worker"])
  }

  @Test("when another service of its group fails, a server is told to stop in order, and the failure is what is told")
  func failure() async throws {
    let seen = Mutex<[String]>([])
    let server = Stopping { seen.withLock { $0.append(Task.isCancelled ? "cancelled" : "told to stop") } }
    let services: [any Service] = [GracefulCancellation(server, logger: Self.logger), Failing()]
    let group = ServiceGroup(services: services, logger: Self.logger)
    await #expect(throws: Hunter2.self) { try await group.run() }
    #expect(seen.withLock { $0 } == ["told to stop"])
  }

  @Test("one that does not stop then is cut off at its limit")
  func failureCutOff() async throws {
    let server = GracefulCancellation(ShutdownTimeout(.milliseconds(20), Endless()), logger: Self.logger)
    let group = ServiceGroup(services: [server, Failing()], logger: Self.logger)
    await #expect(throws: Hunter2.self) { try await group.run() }
  }

  @Test("a server that fails itself ends the group with its own error")
  func ownFailure() async throws {
    let group = ServiceGroup(services: [GracefulCancellation(Failing(), logger: Self.logger)], logger: Self.logger)
    await #expect(throws: Hunter2.self) { try await group.run() }
  }

  @Test("a server that stops in order, too, stops in its turn")
  func inTurn() async throws {
    let seen = Mutex<[String]>([])
    let worker = Stopping { seen.withLock { $0.append("worker") } }
    let server = Stopping { seen.withLock { $0.append(Task.isCancelled ? "cancelled" : "server") } }
    try await Self.stop([worker, GracefulCancellation(server, logger: Self.logger)])
    #expect(seen.withLock { $0 } == ["server", "worker"])
  }

  @Test("a page of metrics leaves out a source that fails, and reports the failure")
  func sources() async throws {
    let page = MetricsPage([
      MetricSource("good") { [.single("a", help: "A.", 1)] }, MetricSource("bad") { throw Hunter2() },
    ])
    let text = await page.text()
    #expect(text.contains("\na 1\n") && !text.contains("Hunter2"))
    #expect(text.contains(#"gatehouse_metrics_source_up{source="good"} 1"#))
    #expect(text.contains(#"gatehouse_metrics_source_up{source="bad"} 0"#))
  }

  private static func ask(
    _ checks: [HealthCheck], _ drain: Drain, _ expect: @escaping @Sendable (HTTPResponse.Status, String) -> Void
  ) async throws {
    try await router(checks, drain) { client in
      let answer = try await client.executeRequest(uri: "/health/ready", method: .get, headers: [:], body: nil)
      expect(answer.status, String(buffer: answer.body))
    }
  }

  private static func router(
    _ checks: [HealthCheck], _ drain: Drain, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: DrainMiddleware(drain))
    OperationsRoutes(
      readiness: Readiness(checks, drain: drain, world: TestWorld().world), metrics: MetricsPage([])
    ).add(to: router)
    try await Application(router: router).test(.router) { client in try await body(client) }
  }

  private static func stop(_ services: [any Service]) async throws {
    let started = TaskGate()
    let starting = Starting { started.open() }
    let group = ServiceGroup(
      configuration: .init(
        services: ([starting] + services).map { .init(service: $0) }, logger: logger))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask { try await group.run() }
      await started.pass()
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
    }
  }
}

private struct Hunter2: Error {}

private struct Starting: Service {
  let started: @Sendable () -> Void

  func run() async throws {
    started()
    try? await gracefulShutdown()
  }
}

private struct Stopping: Service {
  let stopped: @Sendable () -> Void

  func run() async throws {
    try? await gracefulShutdown()
    stopped()
  }
}

private struct Failing: Service {
  func run() async throws { throw Hunter2() }
}

/// Stops for nothing but cancellation.
private struct Endless: Service {
  func run() async throws {
    let (stream, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in stream {}
  }
}
