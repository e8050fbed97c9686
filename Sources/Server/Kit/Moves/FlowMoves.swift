import Storage

/// Counts the moves of flows, for operators: each one once, when it is durable.
package struct FlowMoves: Sendable {
  private let count: @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void

  package init(count: @escaping @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void) {
    self.count = count
  }

  /// Counts nothing.
  package static let uncounted = FlowMoves { _, _, _, _ in }

  /// Counts a move that this transaction makes. A transaction that is rolled back or run again counts once or not at
  /// all.
  func note(_ flow: String, from: String, event: String, to: String, in tx: any SQLTransaction) {
    tx.afterCommit { [count] in count(flow, from, event, to) }
  }
}
