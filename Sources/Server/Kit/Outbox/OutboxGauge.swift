// SPDX-License-Identifier: Apache-2.0

/// What is owed at one instant, for the metrics and for operators.
package struct OutboxGauge: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// May be performed now and has not been begun.
    case due
    /// Failed, and waits for its next attempt or for a free worker.
    case failing
    /// A worker performs it.
    case leased
    /// Given up: waits for an operator.
    case deadLettered = "parked"
  }

  package struct Group: Sendable, Equatable {
    package let topic: String
    package let state: State
    /// Begun so far.
    package let attempts: Int
    package let count: Int

    package init(topic: String, state: State, attempts: Int, count: Int) {
      self.topic = topic
      self.state = state
      self.attempts = attempts
      self.count = count
    }
  }

  package let groups: [Group]
  /// How long the oldest effect that is due and not begun has been due; zero without one.
  package let lag: Duration
  /// By topic, how long the oldest effect that has failed before has been tried.
  package let failing: [String: Duration]

  package init(groups: [Group], lag: Duration, failing: [String: Duration] = [:]) {
    self.groups = groups
    self.lag = lag
    self.failing = failing
  }

  package func count(_ state: State) -> Int { groups.reduce(0) { $0 + ($1.state == state ? $1.count : 0) } }

  /// How many dead letters there are, by topic.
  package var deadLetters: [String: Int] {
    groups.filter { $0.state == .deadLettered }.reduce(into: [:]) { $0[$1.topic, default: 0] += $1.count }
  }
}
