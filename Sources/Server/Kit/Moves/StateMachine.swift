// SPDX-License-Identifier: Apache-2.0

import Storage

/// How one kind of row moves: its transition table, and what belongs to a move besides the new state.
///
/// A conforming type is made for one move, from the dependencies of its flow. `Mover` calls its functions in the order
/// in which they stand here.
package protocol StateMachine<Subject> {
  /// The row as a value.
  associatedtype Subject
  associatedtype State: Hashable & Sendable & CaseIterable
  associatedtype Event: Hashable & Sendable & CaseIterable & RawRepresentable<String>
  associatedtype Effect: Hashable & Sendable
  typealias Move = TransitionTable<State, Event, Effect>.Row

  /// The label `flow` of the metric of moves.
  var flow: String { get }
  var table: TransitionTable<State, Event, Effect> { get }
  /// Where the subject holds its state.
  var state: WritableKeyPath<Subject, State> { get }

  /// What a state is called in metrics: a stable raw value, never the name of a case.
  static func name(of state: State) -> String

  /// The error for an event that the state does not know. `IllegalMove` unless the flow has words of its own.
  func refusal(of event: Event, in state: State) -> any Error

  /// Sets what a move changes besides the state, before the subject is saved. Nothing unless the flow says otherwise.
  func prepare(_ subject: inout Subject, for move: Move)

  /// Writes the subject, on condition that its row is as it was when it was read.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func save(_ subject: inout Subject, in tx: any SQLTransaction) throws

  /// What the audit log says of the move. Nil where the flow audits a larger step that the move is part of.
  func auditEntry(for move: Move, of subject: Subject) -> AuditEntry?

  /// What the outbox owes for an effect of the move. Nil where nothing is owed for this subject.
  func owedEffect(_ effect: Effect, for move: Move, of subject: Subject) throws -> OwedEffect?

  /// What else goes with the move in the same transaction, such as rows that end with this one. Nothing unless the flow
  /// says otherwise.
  func complete(_ move: Move, of subject: inout Subject, by actor: String, in tx: any SQLTransaction) throws

  /// What a person of the institution has to do while the subject is as it is; nil where nothing waits for a person.
  /// Nothing unless the flow says otherwise. `Mover` compares it before and after a move.
  func awaitedWork(for subject: Subject, in tx: any SQLTransaction) throws -> AwaitedWork?

  /// What the decision of a person rests on that ends what was awaited. Nothing unless the flow says otherwise.
  func decisionBasis(for subject: Subject, in tx: any SQLTransaction) throws -> DecisionBasis

  /// Whose subject it is, for the figures: the tenant as the flow names it. Nil where the flow does not say.
  func tenant(of subject: Subject, in tx: any SQLTransaction) throws -> String?

  /// What an approval of a move that is under four eyes binds. Nil refuses such a move.
  func boundAct(of event: Event, on subject: Subject) -> BoundAct?
}

extension StateMachine {
  package func refusal(of event: Event, in state: State) -> any Error {
    IllegalMove(state: Self.name(of: state), event: event.rawValue)
  }

  package func prepare(_ subject: inout Subject, for move: Move) {}

  package func complete(_ move: Move, of subject: inout Subject, by actor: String, in tx: any SQLTransaction) throws {}

  package func awaitedWork(for subject: Subject, in tx: any SQLTransaction) -> AwaitedWork? { nil }

  package func tenant(of subject: Subject, in tx: any SQLTransaction) throws -> String? { nil }

  package func decisionBasis(for subject: Subject, in tx: any SQLTransaction) -> DecisionBasis { DecisionBasis() }

  package func boundAct(of event: Event, on subject: Subject) -> BoundAct? { nil }
}

extension StateMachine where Effect == Never {
  /// Nothing: the table has no effects.
  package func owedEffect(_ effect: Never, for move: Move, of subject: Subject) -> OwedEffect? {}
}

extension StateMachine where State: RawRepresentable<String> {
  package static func name(of state: State) -> String { state.rawValue }
}

/// What one line of the audit log says, apart from who acted.
package struct AuditEntry: Sendable {
  /// `topic.verb`.
  package let action: String
  /// The audit chain that the line of the move belongs to.
  package let chain: String
  /// Codes and ids, never personal data.
  package let facts: [String: String]

  package init(_ action: String, chain: String, facts: [String: String] = [:]) {
    (self.action, self.chain, self.facts) = (action, chain, facts)
  }
}

/// An effect as a row of the outbox.
package struct OwedEffect: Sendable {
  /// Which handler performs it, `module.effect`.
  package let topic: String
  /// The id of what it is about.
  package let subject: String
  /// What the handler needs beside the subject. Never a secret in clear.
  package let payload: String
  /// Nil is at once.
  package let dueAt: Instant?

  package init(_ topic: String, subject: String, payload: String = "", dueAt: Instant? = nil) {
    (self.topic, self.subject, self.payload, self.dueAt) = (topic, subject, payload, dueAt)
  }
}
