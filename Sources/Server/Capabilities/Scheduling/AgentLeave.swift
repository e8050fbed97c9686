import Kit

/// A time in which an agent takes no calls.
package struct AgentLeave: Sendable, Hashable {
  package typealias ID = Identifier<AgentLeave>

  /// This leave.
  package let id: ID
  /// Whose it is.
  package let agentID: String
  /// From the first instant away up to the first one back.
  package let time: Range<Instant>

  package init(id: ID, agentID: String, time: Range<Instant>) {
    self.id = id
    self.agentID = agentID
    self.time = time
  }
}
