// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Chats with the bank's people. The flow that owns a chat ends and deletes it, for it knows the bank's rules.
package struct ConversationsModule: StoredModule {
  package init() {}

  package static let migrations = [
    ConversationStore.migration, ConversationStore.entryMigration, ConversationStore.customerMigration,
  ]

  /// The flow makes its customers' keys.
  package static let sealedColumns = [
    SealedColumn("conversation", "content", of: "customer_id"),
    SealedColumn("conversation_entry", "content", of: "customer_id", through: conversation),
    SealedColumn("conversation_contact", "name", of: "customer_id", through: conversation),
  ]

  private static let conversation = SealedColumn.Parent("conversation", by: "conversation_id")
}
