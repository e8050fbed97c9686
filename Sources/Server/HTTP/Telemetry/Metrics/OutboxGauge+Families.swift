// SPDX-License-Identifier: Apache-2.0

import Kit

extension OutboxGauge {
  package var families: [MetricFamily] {
    [
      .labelled(
        "gatehouse_outbox_effects", help: "Owed effects by topic, state and attempts begun.",
        labels: ["topic", "state", "attempts"],
        groups.reduce(into: [:]) {
          $0[[$1.topic, $1.state.rawValue, Self.attempts($1.attempts)], default: 0] += $1.count
        }
        .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, Double($0.value)) }),
      .single(
        "gatehouse_outbox_lag_seconds", help: "How long the oldest due effect that was not begun has been due.",
        lag.inSeconds),
      .labelled(
        "gatehouse_outbox_failing_seconds",
        help: "How long the oldest effect has been tried that has failed before.",
        labels: ["topic"], failing.sorted { $0.key < $1.key }.map { ([$0.key], $0.value.inSeconds) }),
    ]
  }

  /// Few values: a day of failures is some sixty attempts.
  private static func attempts(_ count: Int) -> String {
    switch count {
    case ...1: String(count)
    case ...4: "2-4"
    case ...12: "5-12"
    default: "13 and more"
    }
  }
}
