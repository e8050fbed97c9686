/// What is owed at one instant: for gauges, and for people.
package struct OutboxGauge: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// May be performed now and nobody has begun it.
    case due
    /// Failed, and waits for its next attempt, or for a worker who is free.
    case failing
    /// A worker has it.
    case leased
    /// Set aside for a person.
    case parked
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
  /// For how long the oldest due effect has been due that nobody has begun; zero when there is none.
  package let lag: Duration
  /// By topic, for how long the oldest effect has been tried that has failed before.
  package let failing: [String: Duration]

  package init(groups: [Group], lag: Duration, failing: [String: Duration] = [:]) {
    self.groups = groups
    self.lag = lag
    self.failing = failing
  }

  package func count(_ state: State) -> Int { groups.reduce(0) { $0 + ($1.state == state ? $1.count : 0) } }

  /// How many are parked, by topic.
  package var parked: [String: Int] {
    groups.filter { $0.state == .parked }.reduce(into: [:]) { $0[$1.topic, default: 0] += $1.count }
  }
}
