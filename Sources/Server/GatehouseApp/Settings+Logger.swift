// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import Logging

extension Settings {
  /// Lines on standard error, for people or for collectors.
  package func logger(_ label: String) -> Logger {
    let write = LogOutput.standardError(logFormat ?? LogOutput.standardFormat)
    var logger = Logger(label: label) { GatehouseLogHandler(label: $0, world: .live, write: write) }
    logger.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    return logger
  }
}
