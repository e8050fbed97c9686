import Storage

/// Counts the moves of flows, for operators: each one once, when it is durable.
package struct FlowMoves: Sendable {
  private let count: @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void

  package init(count: @escaping @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void) {
    self.count = count
  }

  /// Counts nothing.
  package static let uncounted = FlowMoves { _, _, _, _ in }

  /// Counts a row of a table that this transaction makes. A transaction that is rolled back or run again counts once
  /// or not at all.
  package func note<State, Event, Effect>(
    _ flow: String, _ row: TransitionTable<State, Event, Effect>.Row, in tx: any SQLTransaction
  ) {
    let (count, from, event, to) = (count, "\(row.from)", "\(row.event)", "\(row.to)")
    tx.afterCommit { count(flow, from, event, to) }
  }
}
