// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle

/// Answers the watchdog of the manager that started this process, for as long as the process runs. A process whose
/// tasks do not get on any more is silent, so that the manager ends it and starts another one.
///
/// - Precondition: the first service of its group. Groups stop in reverse order, and the others may take longer to end
///   than the watchdog waits.
package struct Supervision: Service {
  let manager: ServiceManager
  let logger: Logger

  package init(_ manager: ServiceManager, logger: Logger) {
    self.manager = manager
    self.logger = logger
  }

  package func run() async throws {
    guard let watchdog = manager.watchdog else {
      try? await gracefulShutdown()
      return
    }
    if !manager.tell(.alive) { logger.warning("the service manager does not take what it is told") }
    await cancelWhenGracefulShutdown {
      // Half of the time, as sd_watchdog_enabled(3) advises: one that is late by a little is not too late.
      while (try? await Task.sleep(for: watchdog / 2)) != nil { manager.tell(.alive) }
    }
  }
}
