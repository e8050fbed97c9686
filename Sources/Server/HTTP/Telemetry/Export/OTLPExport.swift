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
/// what finds no place is dropped and counted, and the code that hands it over never waits.
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
  private let lastAnswer = Mutex(OTLPAnswer.taken)
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
    // From nothing, so that the first drop shows as an increase in the metrics.
    metrics.sent.add(0, signal)
    for reason in ["full", "busy", "refused"] { metrics.dropped.add(0, signal, reason) }
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
        guard await empty() else { return dropWaiting() }
      }
      // What came while the last batch was on its way.
      if await !empty() { dropWaiting() }
    } onGracefulShutdown: {
      self.caller.finish()
    }
  }

  /// - Returns: false when the process is about to end and the collector does not take; the rest is still here then.
  private func empty() async -> Bool {
    while true {
      let batch = waiting.withLock { waiting in
        let batch = Array(waiting.prefix(Self.batchMax))
        waiting.removeFirst(batch.count)
        return batch
      }
      guard !batch.isEmpty else { return true }
      guard await deliver(batch) else { return false }
    }
  }

  /// - Returns: false when the process is about to end and the collector was busy.
  private func deliver(_ batch: [Element]) async -> Bool {
    let request = encode(batch)
    for attempt in 1...Self.attemptsMax {
      let answer = await send(request)
      report(answer)
      switch answer {
      case .taken:
        metrics.sent.add(Double(batch.count), signal)
        return true
      case .refused:
        metrics.dropped.add(Double(batch.count), signal, "refused")
        return true
      case .busy:
        guard attempt < Self.attemptsMax else { break }
        guard await rest(Self.backoff(attempt, world: world)) else {
          metrics.dropped.add(Double(batch.count), signal, "busy")
          return false
        }
      }
    }
    metrics.dropped.add(Double(batch.count), signal, "busy")
    return true
  }

  /// A line when the answer is another than before: a collector that is away for a day is not a line each second.
  private func report(_ answer: OTLPAnswer) {
    let before = lastAnswer.withLock { last in
      defer { last = answer }
      return last
    }
    guard answer != before else { return }
    switch answer {
    case .taken: logger.info("the collector takes telemetry again")
    case .busy: logger.warning("the collector does not take telemetry")
    case .refused: logger.warning("the collector refuses telemetry")
    }
  }

  /// A process that ends does not wait for a collector that is away: batch after batch would take its last seconds.
  private func dropWaiting() {
    let count = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting.count
    }
    if count > 0 { metrics.dropped.add(Double(count), signal, "busy") }
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
