// SPDX-License-Identifier: Apache-2.0

import Kit

/// A change of one conversation on its way into the store: each entry takes the next number.
struct ConversationTurn {
  var conversation: Conversation
  /// The number that the change was decided on.
  let version: Int64
  private(set) var entries: [ConversationEntry] = []
  private let world: World

  init(_ conversation: Conversation, _ world: World) {
    (self.conversation, version, self.world) = (conversation, conversation.sequence, world)
  }

  @discardableResult
  mutating func add(
    _ kind: ConversationEntry.Kind, _ role: ConversationEntry.Role, _ content: ConversationEntry.Content,
    clientID: String? = nil
  ) -> ConversationEntry {
    conversation.sequence += 1
    let entry = ConversationEntry(
      conversation: conversation.id, sequence: conversation.sequence, id: .init(rawValue: world.randomUUID()),
      kind: kind, role: role, content: content, clientID: clientID, createdAt: world.now())
    entries.append(entry)
    return entry
  }

  /// A line of the system.
  /// - Parameter name: of the agent whom it is about.
  mutating func announce(_ notice: ConversationNotice, _ name: String = "") {
    add(.message, .system, .init(name: name, text: notice.text(name), notice: notice))
    conversation.updatedAt = world.now()
  }
}
