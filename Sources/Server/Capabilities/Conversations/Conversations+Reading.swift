// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What can be looked at.
extension Conversations {
  /// A customer's conversations, the last changed first.
  /// - Parameter place: the last one of the page before.
  package func page(
    of customer: String, tenant: String, below place: (Instant, Conversation.ID)?, in tx: any SQLTransaction
  ) throws -> [Conversation] {
    try ConversationStore(tx, vault).page(
      tenant: tenant, customer: customer, below: place, limit: ConversationPolicy.pageMax + 1)
  }

  /// What was said, the newest first.
  /// - Parameter sequence: the last one of the page before.
  package func messages(
    of conversation: Conversation, below sequence: Int64 = .max, limit: Int = ConversationPolicy.pageMax,
    in tx: any SQLTransaction
  ) throws -> [ConversationEntry] {
    try ConversationEntryStore(tx, vault).messages(of: conversation.id, below: sequence, limit: limit)
  }

  /// New entries of a contact, for the customer who holds it.
  package func updates(of contact: ConversationContact) -> ConversationUpdates {
    let listener = SignalListener(database, Self.signal(contact.conversation))
    return ConversationUpdates(listener: listener, pollInterval: pollInterval) { [database, vault] position in
      guard
        let (ending, entries) = try await ConversationEntryStore.updates(
          of: contact.id, after: position, limit: ConversationPolicy.updatesMax, in: database, vault)
      else { return ConversationUpdates.Page(entries: [], position: position, ending: .stopped) }
      let isWhole = entries.count < ConversationPolicy.updatesMax
      return ConversationUpdates.Page(
        entries: entries.filter { tells($0, to: .customer) }, position: entries.last?.sequence ?? position,
        ending: isWhole ? ending : nil, hasMore: !isWhole)
    }
  }

  /// New entries of a conversation, for those who answer it. Ends when it is not there any more.
  package func updates(of id: Conversation.ID) -> ConversationUpdates {
    let listener = SignalListener(database, Self.signal(id))
    return ConversationUpdates(listener: listener, pollInterval: pollInterval) { [database, vault] position in
      guard
        let entries = try await ConversationEntryStore.updates(
          of: id, after: position, limit: ConversationPolicy.updatesMax, in: database, vault)
      else { return ConversationUpdates.Page(entries: [], position: position, ending: .stopped) }
      return ConversationUpdates.Page(
        entries: entries.filter { tells($0, to: .agent) }, position: entries.last?.sequence ?? position, ending: nil,
        hasMore: entries.count == ConversationPolicy.updatesMax)
    }
  }

  private var pollInterval: Duration { database.queryIsTrip ? policy.tripInterval : policy.pollInterval }

  /// A side is not told of its own typing, nor of typing that was long ago; customers are not told that they left.
  private func tells(_ entry: ConversationEntry, to reader: ConversationEntry.Role) -> Bool {
    switch entry.kind {
    case .message: true
    case .joined: true
    case .left: reader == .agent
    case .typing: entry.role != reader && entry.createdAt > world.now() - policy.typingLifetime
    }
  }
}

/// What is new to one reader of a conversation, in order.
package struct ConversationUpdates: Sendable {
  package struct Page: Sendable, Equatable {
    package let entries: [ConversationEntry]
    /// Where to go on.
    package let position: Int64
    /// Set when nothing comes after these.
    package let ending: ConversationContact.Ending?
    /// Whether there may be more already.
    var hasMore = false
  }

  let listener: SignalListener
  let pollInterval: Duration
  let read: @Sendable (Int64) async throws -> Page

  /// Waits for new entries.
  /// - Returns: a page without entries when none came within `limit`, or about so.
  package func next(after position: Int64, atMost limit: Duration) async throws -> Page {
    var page = try await read(position)
    var left = limit
    while page.entries.isEmpty, page.ending == nil, page.hasMore || left > .zero, !Task.isCancelled {
      // A page of which nothing is told, as of typing that is over, says nothing about the next one.
      if !page.hasMore {
        let pause = min(left, pollInterval)
        await listener.notifier.wait(atMost: pause)
        left -= pause
      }
      page = try await read(page.position)
    }
    return page
  }
}
