internal import GatehouseWire

/// Conversations, over the wire.
final class LiveHelpCenter: HelpCenter {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func startChat(request: StartChatRequest, completion: @escaping FinapticCompletion<any ChatClient>) {
    let calls = calls
    calls.start(completion) { (calls) throws(FinapticError) -> FinapticWire.StartChatResponse in
      try await calls.send(.startChat, request.wire)
    } making: { answer in
      LiveChatClient(calls: calls, answer)
    }
  }

  func listChatThreads(
    request: ListChatThreadsRequest, completion: @escaping FinapticCompletion<ListChatThreadsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.ChatThreadsResponse = try await calls.send(.listChatThreads, request.wire)
      return ListChatThreadsResponse(
        nextToken: answer.nextToken.orEnd,
        items: try answer.items.all { (thread) throws(FinapticError) in try ChatThread(thread) })
    }
  }

  func listChatHistory(
    request: ListChatHistoryRequest, completion: @escaping FinapticCompletion<ListChatHistoryResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.ChatHistoryResponse = try await calls.send(.listChatHistory, request.wire)
      return ListChatHistoryResponse(
        nextToken: answer.nextToken.orEnd, items: answer.items.map { ChatMessage($0) })
    }
  }
}
