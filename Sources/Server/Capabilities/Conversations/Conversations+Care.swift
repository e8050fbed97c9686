// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What is forgotten.
extension Conversations {
  /// Signs of typing and the like, contacts that cannot be used any more, what was said too long ago, and conversations
  /// that never came about. A scheduled job.
  package func sweep() async throws {
    let (now, vault, policy, cases) = (world.now(), vault, policy, cases)
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
      for id in ids { try Self.delete(id, from: store, cases, in: tx) }
      return ids.count
    }
    try await database.sweep(batch: 50) { tx, limit in
      let store = ConversationStore(tx, vault)
      // A contact that still can be used keeps one; a week more, for an application that was not running.
      let earliest = now - policy.contactLifetime - policy.emptyLifetime - .days(7)
      let ids = try store.empty(before: now - policy.emptyLifetime, since: earliest, limit: limit)
      for id in ids { try Self.delete(id, from: store, cases, in: tx) }
      return ids.count
    }
  }

  private static func delete(
    _ id: Conversation.ID, from store: ConversationStore, _ cases: any CaseRepository, in tx: any SQLTransaction
  ) throws {
    if let work = try store.find(id)?.awaitedWork {
      try cases.conclude(work, outcome: "deleted", on: DecisionBasis(), by: "retention", in: tx)
    }
    try store.delete(id)
  }

  /// Opens the cases of customers who began to wait before there were cases.
  package func openCases() async throws {
    try await database.writeEachDue(paging: .behindLast, retrying: .outdated) {
      [vault] (page: DuePage<Conversation.ID>, tx) in
      try ConversationStore(tx, vault).spoken(after: page.last, limit: page.limit)
    } do: { [self] id, tx in
      guard let work = try ConversationStore(tx, vault).find(id)?.awaitedWork else { return }
      try cases.open(work, formerly: work, by: "system", in: tx)
    }
  }

  /// Everything that a customer said and was told, with the transaction that forgets them.
  /// - Returns: how many conversations there were.
  @discardableResult
  package func erase(_ customer: String, tenant: String, in tx: any SQLTransaction) throws -> Int {
    let store = ConversationStore(tx, vault)
    let ids = try store.ids(tenant: tenant, customer: customer)
    try cases.forget(person: customer, in: tx)
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
