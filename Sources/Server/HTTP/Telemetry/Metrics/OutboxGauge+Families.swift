import Kit

extension OutboxGauge {
  package var families: [MetricFamily] {
    [
      .labelled(
        "gatehouse_outbox_effects", help: "Owed effects by topic, state and attempts begun.",
        labels: ["topic", "state", "attempts"],
        groups.map { ([$0.topic, $0.state.rawValue, String($0.attempts)], Double($0.count)) }),
      .single("gatehouse_outbox_lag_seconds", help: "How long the oldest due effect has been due.", lag.inSeconds),
      .labelled(
        "gatehouse_outbox_failing_seconds",
        help: "How long the oldest effect has been owed that failed and waits for its next attempt.",
        labels: ["topic"], failing.sorted { $0.key < $1.key }.map { ([$0.key], $0.value.inSeconds) }),
    ]
  }
}
