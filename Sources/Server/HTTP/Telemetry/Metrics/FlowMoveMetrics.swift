// SPDX-License-Identifier: Apache-2.0

import Kit

/// Moves of flows by table row.
package struct FlowMoveMetrics: Sendable {
  private let counter = Counter(
    "gatehouse_flow_moves_total", help: "Durable moves of flows by this process.",
    labels: ["flow", "from", "event", "to"])

  package init() {}

  package var moves: FlowMoves {
    let counter = counter
    return FlowMoves { counter.add(1, $0, $1, $2, $3) }
  }

  package var families: [MetricFamily] { [counter.family] }
}
