// SPDX-License-Identifier: Apache-2.0

/// Conversations with customer service (finaptic §3.6).
public protocol HelpCenter: AnyObject, Sendable {
  /// Opens a conversation.
  func startChat(request: StartChatRequest, completion: @escaping FinapticCompletion<any ChatClient>)
  /// Conversations, last changed first.
  func listChatThreads(
    request: ListChatThreadsRequest, completion: @escaping FinapticCompletion<ListChatThreadsResponse>)
  /// What was said, newest first.
  func listChatHistory(
    request: ListChatHistoryRequest, completion: @escaping FinapticCompletion<ListChatHistoryResponse>)
}
