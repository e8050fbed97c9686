// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Logging
import ServiceLifecycle
import Synchronization

/// What became of one request to a collector.
package enum OTLPAnswer: Sendable {
  case taken
  /// Later it may be taken: the collector is away, or overloaded.
  case busy
  /// Repeating it changes nothing.
  case refused
}

/// What was handed to the collector and what was not, by signal.
package struct OTLPMetrics: Sendable {
  let sent = Counter(
    "gatehouse_otlp_sent_total", help: "Spans and lines of the log that the collector took.", labels: ["signal"])
  let dropped = Counter(
    "gatehouse_otlp_dropped_total", help: "Spans and lines of the log that the collector did not get.",
    labels: ["signal", "reason"])

  package init() {}

  package var families: [MetricFamily] { [sent.family, dropped.family] }
}

/// Sends spans or lines of the log to a collector, in batches and behind the requests' backs. What waits is bounded:
/// what finds no place is dropped and counted, and whoever hands it over never waits.
package final class OTLPExport<Element: Sendable>: Service {
  /// What waits for the collector.
  static var waitingMax: Int { 4096 }
  /// Of one request.
  static var batchMax: Int { 512 }
  /// For a batch to gather.
  static var interval: Duration { .seconds(1) }
  /// Attempts at one batch, over a minute and a half.
  static var attemptsMax: Int { 8 }

  private let signal: String
  private let encode: @Sendable ([Element]) -> Data
  private let send: @Sendable (Data) async -> OTLPAnswer
  private let pause: @Sendable (Duration) async throws -> Void
  private let metrics: OTLPMetrics
  private let world: World
  private let logger: Logger
  private let waiting = Mutex<[Element]>([])
  private let calls: AsyncStream<Void>
  private let caller: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - signal: `traces` or `logs`, in metrics.
  ///   - send: hands over one request; it has a limit of its own.
  ///   - pause: waits, and ends early when its task is cancelled.
  ///   - logger: is told when the collector stops taking; not one that exports its lines here.
  package init(
    _ signal: String, metrics: OTLPMetrics, world: World, logger: Logger,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    encode: @escaping @Sendable ([Element]) -> Data, send: @escaping @Sendable (Data) async -> OTLPAnswer
  ) {
    self.signal = signal
    self.metrics = metrics
    self.world = world
    self.logger = logger
    self.pause = pause
    self.encode = encode
    self.send = send
    (calls, caller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  package func take(_ element: Element) {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < Self.waitingMax else { return false }
      waiting.append(element)
      return true
    }
    guard hasRoom else { return metrics.dropped.add(1, signal, "full") }
    caller.yield()
  }

  /// - Precondition: among the first services of its group, so that the last one to stop is still heard.
  package func run() async throws {
    await withGracefulShutdownHandler {
      for await _ in calls {
        await rest(Self.interval)
        await empty()
      }
      // What came while the last batch was on its way.
      await empty()
    } onGracefulShutdown: {
      self.caller.finish()
    }
  }

  private func empty() async {
    while true {
      let batch = waiting.withLock { waiting in
        let batch = Array(waiting.prefix(Self.batchMax))
        waiting.removeFirst(batch.count)
        return batch
      }
      guard !batch.isEmpty else { return }
      await deliver(batch)
    }
  }

  private func deliver(_ batch: [Element]) async {
    let request = encode(batch)
    for attempt in 1...Self.attemptsMax {
      switch await send(request) {
      case .taken: return metrics.sent.add(Double(batch.count), signal)
      case .refused:
        logger.warning("the collector refuses telemetry", metadata: ["count": "\(batch.count)"])
        return metrics.dropped.add(Double(batch.count), signal, "refused")
      case .busy:
        if attempt == 1 { logger.warning("the collector does not take telemetry") }
        // A process that ends asks once.
        guard attempt < Self.attemptsMax, await rest(Self.backoff(attempt, world: world)) else {
          return metrics.dropped.add(Double(batch.count), signal, "busy")
        }
      }
    }
  }

  /// 1 s, doubled with each attempt, to half a minute; up to a quarter less, so that nodes do not come all at once.
  static func backoff(_ attempt: Int, world: World) -> Duration {
    let whole = min(Duration.seconds(1 << min(attempt - 1, 5)), .seconds(30))
    return whole - whole * Int(world.number(below: 250)) / 1000
  }

  /// - Returns: false when the process is about to end.
  @discardableResult
  private func rest(_ time: Duration) async -> Bool {
    do {
      try await cancelWhenGracefulShutdown { [pause] in try await pause(time) }
      return true
    } catch { return false }
  }
}
