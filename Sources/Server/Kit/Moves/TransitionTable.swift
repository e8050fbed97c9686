// SPDX-License-Identifier: Apache-2.0

/// All legal moves of a state machine, as data. What is not in the table cannot happen.
///
/// No guards and no choices: a decision is made before, by a capability, and arrives as an event.
package struct TransitionTable<State, Event, Effect>: Sendable
where
  State: Hashable & Sendable & CaseIterable, Event: Hashable & Sendable & CaseIterable, Effect: Hashable & Sendable
{
  package struct Row: Sendable {
    package let from: State
    package let event: Event
    package let to: State
    package let effects: [Effect]
    /// That two people have to agree; nil where one person or the server moves.
    package private(set) var fourEyes: FourEyes?

    package init(_ from: State, on event: Event, to: State, do effects: Effect...) {
      self.from = from
      self.event = event
      self.to = to
      self.effects = effects
    }

    /// The same row for two people.
    package func under(_ rule: FourEyes) -> Row {
      var row = self
      row.fourEyes = rule
      return row
    }
  }

  private struct Key: Hashable, Sendable {
    let state: State
    let event: Event
  }

  package let rows: [Row]
  private let byKey: [Key: Row]

  /// - Precondition: no two rows share a state and an event.
  package init(_ rows: [Row]) {
    self.rows = rows
    byKey = Dictionary(rows.map { (Key(state: $0.from, event: $0.event), $0) }) { one, _ in
      preconditionFailure("two rows leave \(one.from) on \(one.event)")
    }
  }

  package func allows(_ event: Event, from state: State) -> Bool { byKey[Key(state: state, event: event)] != nil }

  /// - Throws: `IllegalMove` when the table has no such row.
  package func move(from state: State, on event: Event) throws(IllegalMove) -> Row {
    guard let row = byKey[Key(state: state, event: event)] else {
      throw IllegalMove(state: "\(state)", event: "\(event)")
    }
    return row
  }

  /// The table as a Mermaid state diagram, in the order of its rows.
  package func diagram(initial: State) -> String {
    var lines = ["stateDiagram-v2", "  [*] --> \(initial)"]
    for row in rows {
      let effects = row.effects.isEmpty ? "" : " / " + row.effects.map { "\($0)" }.joined(separator: ", ")
      lines.append("  \(row.from) --> \(row.to): \(row.event)\(effects)")
    }
    let leaving = Set(rows.map(\.from))
    for state in State.allCases where !leaving.contains(state) { lines.append("  \(state) --> [*]") }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// An event that the state does not know. The edge answers "out of order".
package struct IllegalMove: Error, Sendable, Equatable {
  package let state: String
  package let event: String

  package init(state: String, event: String) {
    self.state = state
    self.event = event
  }
}
