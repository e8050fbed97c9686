import Kit

/// What is owed at one instant.
package struct OutboxGauge: Sendable, Equatable {
  package enum State: String, Sendable, CaseIterable {
    /// May be performed now and nobody does.
    case due
    /// A worker has it.
    case leased
    /// Its time has not come.
    case waiting
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
  /// For how long the oldest due effect has been due; zero when none is.
  package let lag: Duration

  package init(groups: [Group], lag: Duration) {
    self.groups = groups
    self.lag = lag
  }

  package var families: [MetricFamily] {
    [
      .labelled(
        "gatehouse_outbox_effects", help: "Owed effects by topic, state and attempts begun.",
        labels: ["topic", "state", "attempts"],
        groups.map { ([$0.topic, $0.state.rawValue, String($0.attempts)], Double($0.count)) }),
      .single("gatehouse_outbox_lag_seconds", help: "How long the oldest due effect has been due.", lag.inSeconds),
    ]
  }
}
