// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Logging
import Synchronization
import Tracing

/// Where every line of the server passes: what must not be in a log is taken out here, no matter which code wrote it.
package struct GatehouseLogHandler: LogHandler {
  private let label: String
  private let world: World
  private let write: @Sendable (LogLine) -> Void

  package var logLevel: Logger.Level = .info
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider? = Self.traceIDs

  /// - Parameter write: takes each line; it may be called by several threads at once.
  package init(label: String, world: World, write: @escaping @Sendable (LogLine) -> Void) {
    self.label = label
    self.world = world
    self.write = write
  }

  /// The same handler, whose lines go to another place too.
  package func alsoWriting(to other: @escaping @Sendable (LogLine) -> Void) -> GatehouseLogHandler {
    var handler = GatehouseLogHandler(label: label, world: world) { [write] line in
      write(line)
      other(line)
    }
    (handler.logLevel, handler.metadata, handler.metadataProvider) = (logLevel, metadata, metadataProvider)
    return handler
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var values = metadata
    if let provided = metadataProvider?.get() { values.merge(provided) { _, new in new } }
    if let given = event.metadata { values.merge(given) { _, new in new } }
    if let error = event.error { values.merge(.error(error)) { _, new in new } }
    write(
      LogLine(
        time: world.now(), level: event.level, logger: label, message: LogScrubber.scrubbed(event.message.description),
        metadata: values.sorted { $0.key < $1.key }.map { key, value in
          .init(key: LogScrubber.scrubbed(key), value: LogVocabulary.admitted(value.description, for: key))
        }))
  }

  /// The ids of the span that the line was written in.
  private static let traceIDs = Logger.MetadataProvider {
    guard let trace = InstrumentationContext.current?.trace else { return [:] }
    return ["trace_id": "\(trace.traceID)", "span_id": "\(trace.spanID)"]
  }
}

/// The process's log: lines on standard error, each written whole.
package enum LogOutput {
  private static let turn = Mutex(())

  package static func standardError(_ format: LogFormat) -> @Sendable (LogLine) -> Void {
    { line in
      let bytes = Data(line.text(format).utf8)
      // A log that cannot be written is no reason to fail, and there is no other place to report it.
      turn.withLock { _ in try? FileHandle.standardError.write(contentsOf: bytes) }
    }
  }

  /// Text where a person looks, JSON where a program does.
  package static var standardFormat: LogFormat { isatty(STDERR_FILENO) == 1 ? .text : .json }
}
