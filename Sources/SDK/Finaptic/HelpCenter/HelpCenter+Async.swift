// SPDX-License-Identifier: Apache-2.0

extension HelpCenter {
  /// Conversations, last changed first.
  public func listChatThreads(request: ListChatThreadsRequest) async throws(FinapticError) -> ListChatThreadsResponse {
    try await withCheckedContinuation { done in listChatThreads(request: request) { done.resume(returning: $0) } }.get()
  }

  /// What was said, newest first.
  public func listChatHistory(request: ListChatHistoryRequest) async throws(FinapticError) -> ListChatHistoryResponse {
    try await withCheckedContinuation { done in listChatHistory(request: request) { done.resume(returning: $0) } }.get()
  }
}
