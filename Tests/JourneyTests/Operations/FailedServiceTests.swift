// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit
import ServiceLifecycle
import TestSupport
import Testing

@testable import GatehouseApp

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

      try await SplitRegistration.expectAnswer(of: app, at: port) { tell.finish() }
      await #expect(throws: Failed.self) { try await running.value }
    }
  }
}
