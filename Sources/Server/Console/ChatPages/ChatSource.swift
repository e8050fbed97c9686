// SPDX-License-Identifier: Apache-2.0

import Casework
import Conversations
import Identity
import Kit

/// Which conversation: its tenant as flows and cases name it, and its id.
package struct ChatName: Sendable, Equatable {
  package let tenant: String
  package let id: Conversation.ID

  package init(tenant: String, id: Conversation.ID) { (self.tenant, self.id) = (tenant, id) }

  /// Of a case that waits for an answer.
  init(_ item: Case) { self.init(tenant: item.tenant, id: .init(rawValue: item.subject)) }

  init(_ conversation: Conversation) { self.init(tenant: conversation.tenant, id: conversation.id) }

  var path: String { "\(ChatRoutes.base)/\(tenant)/\(id)" }
}

/// What the pages of conversations show and do in the system that has them. A conversation of an institution at whose
/// desk the member does not work is answered as not found.
package protocol ChatSource: Sendable {
  /// The conversations with these names that are still there.
  func conversations(of names: [ChatName], for member: StaffMember) async throws -> [Conversation]

  /// What a member has in hand; customers who wait come first.
  func held(by member: StaffMember) async throws -> [Conversation]

  /// A conversation with what was said last, the oldest first. The look is audited.
  /// - Parameter isRefresh: whether a page that shows it already reads itself again; that is audited once a day.
  /// - Throws: `Problem` not-found.
  func open(_ chat: ChatName, isRefresh: Bool, for member: StaffMember) async throws -> OpenedChat

  /// What is new in a conversation from now on. The look is audited.
  /// - Throws: `Problem` not-found.
  func follow(
    _ chat: ChatName, for member: StaffMember
  ) async throws -> (conversation: Conversation, updates: ConversationUpdates)

  /// Takes it in hand.
  /// - Parameters:
  ///   - name: of the member, as the customer reads it.
  ///   - isTakeover: also from a colleague.
  /// - Throws: `Problem`, such as conflict `conversation-taken`.
  func take(_ chat: ChatName, called name: String, isTakeover: Bool, by member: StaffMember) async throws

  /// - Parameter messageID: a UUID; a repetition of it adds no message.
  /// - Throws: `Problem`, such as conflict `conversation-not-taken`.
  func answer(_ text: String, messageID: String?, in chat: ChatName, by member: StaffMember) async throws

  /// Puts it back into the queue.
  /// - Throws: `Problem`, such as conflict `conversation-taken`.
  func handBack(_ chat: ChatName, by member: StaffMember) async throws

  /// - Parameter colleague: the id of a member of the same desk who may answer customers.
  /// - Throws: `Problem`, such as forbidden for a colleague who may not.
  func handOver(_ chat: ChatName, to colleague: String, by member: StaffMember) async throws

  /// Closes it.
  /// - Throws: `Problem`, such as conflict `conversation-not-taken`.
  func resolve(_ chat: ChatName, by member: StaffMember) async throws
}

/// A conversation as it stands.
package struct OpenedChat: Sendable {
  package let conversation: Conversation
  /// What was said last, the oldest first.
  package let messages: [ConversationEntry]
  /// A new UUID for the next answer.
  package let messageID: String

  package init(_ conversation: Conversation, _ messages: [ConversationEntry], messageID: String) {
    (self.conversation, self.messages, self.messageID) = (conversation, messages, messageID)
  }
}
