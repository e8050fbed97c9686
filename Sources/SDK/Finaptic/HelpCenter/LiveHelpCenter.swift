// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Conversations, over the wire.
final class LiveHelpCenter: HelpCenter {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  /// A conversation with an open connection.
  private struct Opening: Sendable {
    let answer: FinapticAPI.StartChatResponse
    let connection: ChatConnection
  }

  func startChat(request: StartChatRequest, completion: @escaping FinapticCompletion<any ChatClient>) {
    let calls = calls
    calls.start(completion) { (calls) throws(FinapticError) -> Opening in
      let answer: FinapticAPI.StartChatResponse = try await calls.send(.startChat, request.wire)
      let connection = ChatConnection(calls: calls, answer)
      do throws(FinapticError) { try await connection.connect() } catch {
        // The app never gets the conversation, so that it need not stay in the lists without a message. The app does
        // not wait for that, and a failure does no harm.
        Task { try? await connection.stop() }
        throw error
      }
      return Opening(answer: answer, connection: connection)
    } making: { opening in
      LiveChatClient(calls, opening.connection, opening.answer)
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
