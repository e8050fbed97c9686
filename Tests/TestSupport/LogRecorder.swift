// SPDX-License-Identifier: Apache-2.0

import Logging
import Synchronization

/// Keeps everything that is offered to the log, as it is offered: before anything is taken out of it.
package final class LogRecorder: Sendable {
  private let kept = Mutex<[String]>([])

  package init() {}

  /// Each record as message and metadata.
  package var records: [String] { kept.withLock { $0 } }

  /// Records from the level `trace` on.
  package var logger: Logger {
    var logger = Logger(label: "recorded") { _ in RecordingLogHandler { line in self.kept.withLock { $0.append(line) } }
    }
    logger.logLevel = .trace
    return logger
  }

  /// The records that hold any of these, which should be none.
  package func leaks(of secrets: some Sequence<String>) -> [String] {
    let secrets = Array(secrets)
    return records.filter { record in secrets.contains { record.contains($0) } }
  }
}

private struct RecordingLogHandler: LogHandler {
  let keep: @Sendable (String) -> Void
  var logLevel = Logger.Level.trace
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?

  init(keep: @escaping @Sendable (String) -> Void) { self.keep = keep }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let values = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let error = event.error.map { " \($0)" } ?? ""
    keep("\(event.message)\(error) " + values.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))
  }
}
