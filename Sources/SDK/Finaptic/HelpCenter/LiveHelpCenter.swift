internal import FinapticWire

/// Conversations, over the wire.
final class LiveHelpCenter: HelpCenter {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  /// A conversation whose line is there.
  private struct Opening: Sendable {
    let answer: FinapticAPI.StartChatResponse
    let line: ChatLine
  }

  func startChat(request: StartChatRequest, completion: @escaping FinapticCompletion<any ChatClient>) {
    let calls = calls
    calls.start(completion) { (calls) throws(FinapticError) -> Opening in
      let answer: FinapticAPI.StartChatResponse = try await calls.send(.startChat, request.wire)
      let line = ChatLine(calls: calls, answer)
      do throws(FinapticError) { try await line.connect() } catch {
        // Nobody will use it: it need not stand in the lists as a conversation without a word. The app does not wait
        // for that, and where the server cannot be told, nothing is lost.
        Task { try? await line.stop() }
        throw error
      }
      return Opening(answer: answer, line: line)
    } making: { opening in
      LiveChatClient(calls, opening.line, opening.answer)
    }
  }

  func listChatThreads(
    request: ListChatThreadsRequest, completion: @escaping FinapticCompletion<ListChatThreadsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.ChatThreadsResponse = try await calls.send(.listChatThreads, request.wire)
      return ListChatThreadsResponse(
        nextToken: answer.nextToken.orEnd,
        items: try answer.items.all { (thread) throws(FinapticError) in try ChatThread(thread) })
    }
  }

  func listChatHistory(
    request: ListChatHistoryRequest, completion: @escaping FinapticCompletion<ListChatHistoryResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.ChatHistoryResponse = try await calls.send(.listChatHistory, request.wire)
      return ListChatHistoryResponse(
        nextToken: answer.nextToken.orEnd, items: answer.items.map { ChatMessage($0) })
    }
  }
}
