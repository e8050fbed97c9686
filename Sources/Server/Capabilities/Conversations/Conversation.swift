// SPDX-License-Identifier: Apache-2.0

import Kit

/// What a customer and the institution's agents say to one another about one subject, in one order.
package struct Conversation: Sendable, Equatable {
  package typealias ID = Identifier<Conversation>

  package let id: ID
  /// Whose agents answer: a flow and its tenant, `finaptic-7`.
  package let tenant: String
  /// As the flow knows them.
  package let customer: String
  package let subject: String
  package var status: ConversationStatus
  /// The agent who holds it; nil while it waits for one.
  package var agent: ConversationAgent?
  /// Since when the customer waits for an answer; nil while they do not.
  package var waitingSince: Instant?
  package let createdAt: Instant
  /// When something was said last.
  package var updatedAt: Instant
  /// The number of the last entry; it goes up with every change, so it is also the version.
  package var sequence: Int64

  /// A customer who waits for an answer. Who has the conversation in hand holds the case.
  var awaitedWork: AwaitedWork? {
    guard status == .waitingForAgent else { return nil }
    var work = AwaitedWork("chat", tenant: tenant, subject: id.rawValue, person: customer)
    (work.risk, work.holder, work.chain) = (10, agent?.id, chain)
    return work
  }

  /// How audit lines name its story.
  package var chain: String { "conversation-\(id)" }
}

/// An agent who answers customers.
package struct ConversationAgent: Sendable, Equatable, Codable {
  /// A member of the tenant's staff: the name of a colleague, or of a system and a colleague who works with it.
  package let id: String
  /// As the customer reads it.
  package let name: String

  package init(id: String, name: String) { (self.id, self.name) = (id, name) }
}
