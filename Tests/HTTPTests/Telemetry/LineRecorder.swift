// SPDX-License-Identifier: Apache-2.0

import HTTP
import Logging
import Synchronization
import TestSupport

/// Keeps what the log would hold.
final class LineRecorder: Sendable {
  private let kept = Mutex<[LogLine]>([])

  var lines: [LogLine] { kept.withLock { $0 } }

  var logger: Logger {
    var logger = Logger(label: "test") { label in
      GatehouseLogHandler(label: label, world: TestWorld().world) { line in self.kept.withLock { $0.append(line) } }
    }
    logger.logLevel = .trace
    return logger
  }
}
