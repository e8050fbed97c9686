// SPDX-License-Identifier: Apache-2.0

import Storage

/// The only code that changes a state: a legal move, the approval that its row demands, a guarded save, its line in the
/// audit log, its effects in the outbox, the case of what waits for a person and its count in the metrics, all in the
/// caller's transaction.
package struct Mover: Sendable {
  private let audit: Audit
  private let outbox: Outbox
  /// Counts the changes of states.
  package let moves: FlowMoves
  private let cases: any CaseRepository

  package init(audit: Audit, moves: FlowMoves, cases: any CaseRepository = NoCases()) {
    (self.audit, outbox, self.moves, self.cases) = (audit, Outbox(world: audit.world), moves, cases)
  }

  /// Moves a subject on an event.
  ///
  /// - Parameters:
  ///   - actor: who is responsible, as in the audit log.
  ///   - facts: added to those of the audit entry, and preferred to them. Of a row under four eyes the line also has
  ///     `checker`, who agreed.
  ///   - approval: the id of a second person's approval, for a row that is under four eyes.
  /// - Returns: the row of the table.
  /// - Throws: the machine's refusal when its table has no such row; `SQLError.outdated` when another transaction was
  ///   faster; `Problem` approval-required, or conflict when a colleague has the case in hand. The subject is unchanged
  ///   after each, and the caller's transaction has to be rolled back.
  @discardableResult
  package func move<Machine: StateMachine>(
    _ subject: inout Machine.Subject, on event: Machine.Event, of machine: Machine, by actor: String,
    facts: [String: String] = [:], approval: String? = nil, in tx: any SQLTransaction
  ) throws -> Machine.Move {
    let from = subject[keyPath: machine.state]
    guard let move = try? machine.table.move(from: from, on: event) else {
      throw machine.refusal(of: event, in: from)
    }
    var (facts, checker) = (facts, String?.none)
    if let rule = move.fourEyes {
      guard let act = machine.boundAct(of: event, on: subject) else { throw Problem.approvalRequired }
      try cases.spend(approval, on: act, under: rule, by: actor, in: tx)
      checker = try approval.flatMap { try cases.asked($0, in: tx)?.checker }
      facts["checker"] = checker
    }
    var moved = subject
    moved[keyPath: machine.state] = move.to
    machine.prepare(&moved, for: move)
    try machine.save(&moved, in: tx)
    let entry = machine.auditEntry(for: move, of: moved)
    if let entry {
      try audit.append(
        entry.action, to: entry.chain, by: actor, facts: entry.facts.merging(facts) { _, given in given }, in: tx)
    }
    for effect in move.effects {
      guard let owed = try machine.owedEffect(effect, for: move, of: moved) else { continue }
      try outbox.enqueue(owed.topic, subject: owed.subject, payload: owed.payload, dueAt: owed.dueAt, in: tx)
    }
    let isLast = !machine.table.rows.contains { $0.from == move.to }
    let made = FlowMove(
      flow: machine.flow, from: Machine.name(of: move.from), event: event.rawValue, to: Machine.name(of: move.to),
      story: entry?.chain, isLast: isLast)
    try moves.note(made, of: machine.tenant(of: moved, in: tx), in: tx)
    try machine.complete(move, of: &moved, by: actor, in: tx)
    try cases.follow(
      machine.awaitedWork(for: subject, in: tx), machine.awaitedWork(for: moved, in: tx), on: event.rawValue,
      by: actor, basis: machine.decisionBasis(for: moved, in: tx).agreed(by: checker), in: tx)
    subject = moved
    return move
  }
}

/// Counts the moves of flows, for operators: each one once, when it is durable.
package struct FlowMoves: Sendable {
  private let count: @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void
  private var figures: FlowFigures?

  package init(count: @escaping @Sendable (_ flow: String, _ from: String, _ event: String, _ to: String) -> Void) {
    self.count = count
  }

  /// Counts nothing.
  package static let uncounted = FlowMoves { _, _, _, _ in }

  /// The same, and each move is kept for the figures, in its transaction.
  package func keeping(_ figures: FlowFigures) -> FlowMoves {
    var moves = self
    moves.figures = figures
    return moves
  }

  /// Counts a move that this transaction makes. A transaction that is rolled back or run again counts once or not at
  /// all.
  /// - Parameter tenant: asked for where the move is kept for the figures.
  func note(
    _ move: FlowMove, of tenant: @autoclosure () throws -> String?, in tx: any SQLTransaction
  ) throws {
    if let figures, figures.counts(move.flow) {
      var move = move
      move.tenant = try tenant()
      try figures.note(move, in: tx)
    }
    tx.afterCommit { [count] in count(move.flow, move.from, move.event, move.to) }
  }
}
