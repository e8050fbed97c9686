// SPDX-License-Identifier: Apache-2.0

import Kit
import Logging
import ServiceLifecycle
import Synchronization

/// Whether this node is on its way out: not ready, but still answering.
package final class Drain: Sendable {
  private let begun = Atomic(false)

  package init() {}

  package var isDraining: Bool { begun.load(ordering: .acquiring) }
  package func begin() { begun.store(true, ordering: .releasing) }
}

/// The first to stop: says that the node drains and gives balancers time to notice, before the listener closes.
///
/// - Precondition: the last service of its group, because groups stop in reverse order.
package struct DrainGate: Service {
  let drain: Drain
  let grace: Duration
  let manager: ServiceManager?

  /// - Parameter manager: is told that the process is on its way out.
  package init(_ drain: Drain, grace: Duration, telling manager: ServiceManager? = nil) {
    self.drain = drain
    self.grace = grace
    self.manager = manager
  }

  package func run() async throws {
    try? await gracefulShutdown()
    drain.begin()
    manager?.tell(.stopping)
    try? await Task.sleep(for: grace)
  }
}

/// A service that may take no longer than a limit to stop; past it, it is cancelled, which is no error.
package struct ShutdownTimeout: Service {
  let limit: Duration
  let service: any Service

  package init(_ limit: Duration, _ service: any Service) {
    self.limit = limit
    self.service = service
  }

  package func run() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await service.run() }
      group.addTask {
        try? await gracefulShutdown()
        try await Task.sleep(for: limit)
      }
      // What is cut off here is repeated elsewhere, under its idempotency key.
      defer { group.cancelAll() }
      try await group.next()
    }
  }
}

/// A server that stops in order when it is cancelled, too, as when another service of its group fails.
///
/// A cancelled server drops connections that it has accepted and not begun to serve, at which NIO ends the process
/// ("Deinited NIOAsyncWriter without calling finish()"), and the reason of the failure is never told (decision 280).
///
/// - Precondition: the service has a limit of its own, such as `ShutdownTimeout`: no cancellation reaches it.
package struct GracefulCancellation: Service {
  let service: any Service
  let logger: Logger

  package init(_ service: any Service, logger: Logger) {
    self.service = service
    self.logger = logger
  }

  package func run() async throws {
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "server")
        ], logger: logger))
    // A task that hears of the shutdown of the group around it, as a child would, and not of the cancellation.
    let running = Task { try await group.run() }
    try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      Task { await group.triggerGracefulShutdown() }
    }
  }
}
