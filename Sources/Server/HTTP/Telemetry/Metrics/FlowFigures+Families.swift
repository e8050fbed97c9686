// SPDX-License-Identifier: Apache-2.0

import Kit

extension [FlowFigures.Row] {
  /// The figures of the console's page, of all nodes.
  package var families: [MetricFamily] {
    let steps = Dictionary(grouping: filter { $0.timed > 0 && $0.from != $0.to }) { [$0.flow, $0.from] }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return [
      .labelled(
        "gatehouse_flow_figures_moves", help: "Moves of flows in thirty days, by row of the transition table.",
        labels: ["flow", "from", "event", "to"],
        map { ([$0.flow, $0.from, $0.event, $0.to], Double($0.moves)) }),
      .labelled(
        "gatehouse_flow_step_seconds", help: "Mean time in a step of those who left it in thirty days.",
        labels: ["flow", "step"],
        steps.map { key, rows in
          let time = rows.reduce(0.0) { $0 + $1.time.inSeconds }
          return (key, time / Double(rows.reduce(0) { $0 + $1.timed }))
        }),
    ]
  }
}
