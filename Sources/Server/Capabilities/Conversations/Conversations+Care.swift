import Kit
import Storage

/// What is forgotten.
extension Conversations {
  /// Signs of typing and the like, contacts that cannot be used any more, what was said too long ago, and conversations
  /// that never came about. A scheduled job.
  package func sweep() async throws {
    let (now, vault, policy) = (world.now(), vault, policy)
    try await database.sweep {
      try ConversationEntryStore.sweep(before: now - policy.passingLifetime, limit: $1, in: $0)
    }
    try await database.sweep {
      try ConversationContactStore.sweep(before: now - policy.contactLifetime, limit: $1, in: $0)
    }
    // Whole correspondences: few at a time.
    try await database.sweep(batch: 50) { tx, limit in
      let store = ConversationStore(tx, vault)
      let ids = try store.old(before: now - policy.retention, limit: limit)
      for id in ids { try store.delete(id) }
      return ids.count
    }
    try await database.sweep(batch: 50) { tx, limit in
      let store = ConversationStore(tx, vault)
      // A contact that still can be used keeps one; a week more, for an application that was not running.
      let earliest = now - policy.contactLifetime - policy.emptyLifetime - .days(7)
      let ids = try store.empty(before: now - policy.emptyLifetime, since: earliest, limit: limit)
      for id in ids { try store.delete(id) }
      return ids.count
    }
  }

  /// Everything that a customer said and was told, with the transaction that forgets them.
  /// - Returns: how many conversations there were.
  @discardableResult
  package func erase(_ customer: String, tenant: String, in tx: any SQLTransaction) throws -> Int {
    let store = ConversationStore(tx, vault)
    let ids = try store.ids(tenant: tenant, customer: customer)
    for id in ids {
      try store.delete(id)
      tx.signal(Self.signal(id))
    }
    return ids.count
  }

  /// The same for a customer who asks for it: each conversation and its messages, the oldest first.
  package func export(
    _ customer: String, tenant: String, in tx: any SQLTransaction
  ) throws -> [(conversation: Conversation, messages: [ConversationEntry])] {
    let store = ConversationStore(tx, vault)
    return try store.ids(tenant: tenant, customer: customer).compactMap { id in
      guard let conversation = try store.find(id) else { return nil }
      let messages = try ConversationEntryStore(tx, vault).messages(of: id, limit: .max)
      return (conversation, messages.reversed())
    }
  }
}
