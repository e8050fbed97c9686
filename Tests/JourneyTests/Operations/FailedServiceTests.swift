// SPDX-License-Identifier: Apache-2.0

import Delivery
import Dispatch
import Hummingbird
import Kit
import ServiceLifecycle
import TestSupport
import Testing

@testable import GatehouseApp
@testable import HTTP

@Suite("Operations: a service that fails", .timeLimit(.minutes(5)))
struct FailedServiceTests {
  private struct Failed: Error {}

  private struct Failing: Service {
    let told: AsyncStream<Void>

    func run() async throws {
      for await _ in told {}
      throw Failed()
    }
  }

  @Test("has a request that is being sent answered whole, and its error is what the process ends with", .onOneEngine)
  func answered() async throws {
    try await JourneyTestApp.run { journey in
      var settings = journey.app.settings
      (settings.port, settings.operations.drainLimit) = (0, .seconds(300))
      let app = try await App.open(
        settings, database: journey.app.database, world: journey.clock.world, logger: journey.app.logger)
      let (ports, bound) = AsyncStream.makeStream(of: Int.self)
      let (told, tell) = AsyncStream.makeStream(of: Void.self)
      let group = ServiceGroup(
        services: app.drainingServer { bound.yield($0) } + [Failing(told: told)], logger: journey.app.logger)
      let running = Task { try await group.run() }
      defer { tell.finish() }
      let port = UInt16(try #require(await ports.first { _ in true }))

      let body = #"{"device_id": "6E0C1C5A-5B0D-4C67-9E53-0C8E2F1B7A11", "platform": "#
      let rest = #""neither"}"#
      let head =
        "POST /api/v1/onboarding/auth/register HTTP/1.1\r\nHost: house.example\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count + rest.utf8.count)\r\n\r\n"
      let isClosed = DispatchSemaphore(value: 0)
      async let answered = BlockingThreadPool("sockets", width: 1).run {
        let request = try HTTPSocket(port)
        try request.send(head + body)
        isClosed.wait()
        try request.send(rest)
        return try request.receiveAll()
      }
      defer { isClosed.signal() }
      try await waitUntil("the request is in flight") {
        PrometheusText.page(app.telemetry.requests.families).contains("gatehouse_http_requests_in_flight 1\n")
      }
      tell.finish()
      try await waitUntil("the listener is closed") { (try? HTTPSocket(port)) == nil }
      isClosed.signal()
      let answer = try await answered
      #expect(answer.hasPrefix("HTTP/1.1 422") && answer.hasSuffix("}"), "\(answer)")
      await #expect(throws: Failed.self) { try await running.value }
    }
  }
}
