// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import ServiceLifecycle

/// Writes spans to a file, a line each, behind the requests' backs. Spans that come faster than the disk takes them are
/// dropped and counted: a trace is never worth a request.
package struct SpanFile: Service {
  /// Spans that wait for the disk.
  static let waitingMax = 4096

  private let file: FileHandle
  private let service: String
  private let logger: Logger
  private let spans: AsyncStream<FinishedSpan>
  private let queue: AsyncStream<FinishedSpan>.Continuation
  private let dropped = Counter("gatehouse_spans_dropped_total", help: "Spans that the trace file could not take.")

  /// Opens or creates the file, readable by its owner only, and adds to its end; it may be truncated while it is open.
  /// - Parameter service: as `service.name` in every line.
  package init(path: String, service: String, logger: Logger) throws {
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw CannotOpen(path: path) }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    self.service = service
    self.logger = logger
    (spans, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.waitingMax))
  }

  package struct CannotOpen: Error, CustomStringConvertible {
    let path: String
    package var description: String { "the trace file \(path) cannot be opened" }
  }

  package var export: @Sendable (FinishedSpan) -> Void {
    let (queue, dropped) = (queue, dropped)
    return { span in
      if case .dropped = queue.yield(span) { dropped.add() }
    }
  }

  package var families: [MetricFamily] { [dropped.family] }

  /// - Precondition: the first service of its group, so that the last one to stop can still write.
  package func run() async throws {
    await withGracefulShutdownHandler {
      for await span in spans { write(span) }
    } onGracefulShutdown: {
      queue.finish()
    }
  }

  private func write(_ span: FinishedSpan) {
    do { try file.write(contentsOf: OTLPLine.data(span, service: service)) } catch {
      dropped.add()
      logger.warning("span not written", metadata: .error(error))
    }
  }
}
