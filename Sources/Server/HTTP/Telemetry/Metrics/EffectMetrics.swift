import Kit
import Tracing

/// What is counted of owed effects as a worker performs them; each attempt is also a trace of its own.
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
    _ handlers: [String: OutboxWorker.Handler], tracer: HouseTracer, world: World
  ) -> [String: OutboxWorker.Handler] {
    var observed: [String: OutboxWorker.Handler] = [:]
    for (topic, handler) in handlers {
      observed[topic] = { item in
        let start = world.ticks()
        do {
          try await tracer.traced("outbox \(topic)") { try await handler(item) }
          count(topic, "done", since: start, world)
        } catch {
          count(topic, error is any FinalFailure ? "final" : "failed", since: start, world)
          throw error
        }
      }
    }
    return observed
  }

  private func count(_ topic: String, _ outcome: String, since start: Duration, _ world: World) {
    attempts.add(1, topic, outcome)
    seconds.observe((world.ticks() - start).inSeconds, topic)
  }
}
