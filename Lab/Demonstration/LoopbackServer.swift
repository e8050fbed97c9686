// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import HTTP
import Logging
import ServiceLifecycle

/// Services that run for as long as something is done with their server. They stop in order also when what is done is
/// cancelled, or when one of them fails: a server that is cancelled may end the process (`GracefulCancellation`).
package enum LoopbackServer {
  /// For running requests and effects to end.
  private static let stopLimit = Duration.seconds(10)

  /// - Parameters:
  ///   - services: made with where the server's port is told to.
  ///   - body: is given the port.
  package static func run<Value: Sendable>(
    _ services: (AsyncStream<Int>.Continuation) -> [any Service], logger: Logger,
    _ body: @escaping @Sendable (Int) async throws -> Value
  ) async throws -> Value {
    let (ports, bound) = AsyncStream.makeStream(of: Int.self)
    let group = ServiceGroup(
      configuration: .init(
        services: services(bound).map {
          .init(service: GracefulCancellation(ShutdownTimeout(stopLimit, $0), logger: logger))
        }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
      tasks.addTask {
        defer { bound.finish() }
        try await group.run()
      }
      var outcome: Result<Value, any Error> = .failure(DemoApp.NotStarted())
      for await port in ports {
        do { outcome = .success(try await body(port)) } catch { outcome = .failure(error) }
        break
      }
      await group.triggerGracefulShutdown()
      try await tasks.waitForAll()
      return try outcome.get()
    }
  }
}
