import Kit
import Storage

/// Chats with the bank's people. The flow that owns a chat ends and deletes it, for it knows the bank's rules.
package struct ConversationsModule: StoredModule {
  package init() {}

  package static let migrations = [ConversationStore.migration]
}
