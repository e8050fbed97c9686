// SPDX-License-Identifier: Apache-2.0

import Kit
import Tracing

/// What is counted of owed effects as a worker performs them. Each attempt is also a span, below the one of the request
/// that owes the effect: whatever node performs it, and however much later, one trace shows both.
package struct EffectMetrics: Sendable {
  private let attempts = Counter(
    "gatehouse_outbox_attempts_total", help: "Attempts at owed effects by this process.",
    labels: ["topic", "outcome"])
  private let seconds = Histogram(
    "gatehouse_outbox_attempt_duration_seconds", help: "Time that an attempt took.", labels: ["topic"])

  package init() {}

  package var families: [MetricFamily] { [attempts.family, seconds.family] }

  /// The same handlers, counted and traced.
  package func observing(
    _ handlers: [String: OutboxWorker.Handler], tracer: GatehouseTracer, world: World
  ) -> [String: OutboxWorker.Handler] {
    var observed: [String: OutboxWorker.Handler] = [:]
    for (topic, handler) in handlers {
      observed[topic] = { item in
        let start = world.ticks()
        do {
          try await traced(item, by: tracer, handler)
          count(topic, "done", since: start, world)
        } catch {
          count(topic, error is any FinalFailure ? "final" : "failed", since: start, world)
          throw error
        }
      }
    }
    return observed
  }

  private func traced(_ item: OutboxItem, by tracer: GatehouseTracer, _ handler: OutboxWorker.Handler) async throws {
    var cause = InstrumentationContext.topLevel
    cause.trace = item.origin.flatMap { TraceContext(traceparent: $0, tracestate: nil) }
    // Without anybody to tell and without a trace to name in the log, ids would be made for nothing.
    guard tracer.isExporting || cause.trace != nil else { return try await handler(item) }
    try await tracer.traced("outbox \(item.topic)", from: cause, kind: .consumer) { _ in try await handler(item) }
  }

  private func count(_ topic: String, _ outcome: String, since start: Duration, _ world: World) {
    attempts.add(1, topic, outcome)
    seconds.observe((world.ticks() - start).inSeconds, topic)
  }
}
