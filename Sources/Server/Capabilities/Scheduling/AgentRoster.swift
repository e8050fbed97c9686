// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The agents who take calls, and when they do not.
package struct AgentRoster: Sendable {
  /// An agent as far as appointments care.
  package struct Agent: Sendable, Hashable {
    /// The staff member's id.
    package let id: String
    /// `F` or `M`; nil when the agent does not say.
    package let gender: String?
    /// BCP 47 tags, `ar`, `en`.
    package let languages: Set<String>

    package init(id: String, gender: String?, languages: Set<String>) {
      self.id = id
      self.gender = gender
      self.languages = languages
    }
  }

  /// Everybody who takes calls at this institution.
  package let agents: [Agent]
  private let leave: [String: [Range<Instant>]]

  /// - Parameters:
  ///   - leave: of these agents; others' is ignored.
  ///   - away: outside of their hours, by their ids.
  package init(agents: [Agent], leave: [AgentLeave] = [], away: [String: [Range<Instant>]] = [:]) {
    self.agents = agents
    self.leave = Dictionary(grouping: leave, by: \.agentID).mapValues { $0.map(\.time) }
      .merging(away, uniquingKeysWith: +)
  }

  /// The agents with what is kept of their leaves and hours within the time.
  /// - Parameter clock: that of the institution, by which hours are meant.
  package init(
    _ agents: [Agent], within time: Range<Instant>, by clock: LocalTime, in tx: any SQLTransaction
  ) throws {
    // Beyond the calendar no call can be, and it does not matter who is there.
    let hours = try clock.date(at: time.lowerBound).map { try AgentHoursStore(tx).all(from: $0) } ?? [:]
    let away = agents.compactMap { agent in hours[agent.id].map { (agent.id, $0.away(within: time, by: clock)) } }
    self.init(
      agents: agents, leave: try AgentLeaveStore(tx).overlapping(time),
      away: Dictionary(away) { one, _ in one })
  }

  /// The agents who are not on leave in any part of the time and suit the preference.
  func onDuty(_ time: Range<Instant>, suiting preference: AgentPreference) -> [Agent] {
    agents.filter { agent in
      preference.accepts(agent) && !(leave[agent.id] ?? []).contains { $0.overlaps(time) }
    }
  }
}

/// Whom the customer would like to talk to; a wish is a condition.
package struct AgentPreference: Sendable, Hashable {
  /// No wish.
  package static let anyone = AgentPreference(gender: nil, language: nil)

  /// `F` or `M`; nil for any.
  package let gender: String?
  /// BCP 47; nil for any. `ar-KW` is served by an agent of `ar`.
  package let language: String?

  package init(gender: String?, language: String?) {
    self.gender = gender
    self.language = language
  }

  /// Whether the agent suits.
  package func accepts(_ agent: AgentRoster.Agent) -> Bool {
    if let gender, agent.gender != gender { return false }
    guard let wanted = language?.lowercased() else { return true }
    return agent.languages.contains { spoken in
      let spoken = spoken.lowercased()
      return spoken == wanted || wanted.hasPrefix(spoken + "-") || spoken.hasPrefix(wanted + "-")
    }
  }
}
