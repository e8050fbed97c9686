// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// An open conversation, over the wire. Lives on the queue where the app is called back; the connection works beside it
/// for as long as the client is referenced.
final class LiveChatClient: ChatClient {
  /// Messages that may wait for the connection.
  private static let waitingMax = 100

  private let calls: FinapticCalls
  private let connection: ChatConnection
  private let received = PassthroughSubject<ChatMessage, Never>()
  private let events = PassthroughSubject<ChatEvent, Never>()
  /// What the app sees. What it sends into its copy is not looked at: `isEnded` decides.
  private let status = CurrentValueSubject<ChatConnectionStatus, Never>(.connected)
  private var isEnded = false
  private let outgoing: AsyncStream<ChatOutgoing>.Continuation
  private var waiting = 0
  private var work: Task<Void, Never>?

  private(set) var messages: [ChatMessage]
  private var ids: Set<String>

  init(_ calls: FinapticCalls, _ connection: ChatConnection, _ answer: FinapticAPI.StartChatResponse) {
    (self.calls, self.connection) = (calls, connection)
    messages = (answer.messages ?? []).map { ChatMessage($0) }
    ids = Set(messages.map(\.id))
    let (stream, outgoing) = AsyncStream<ChatOutgoing>.makeStream()
    self.outgoing = outgoing
    let (callback, queue) = (Callback<ChatConnection.Event> { [weak self] in self?.take($0) }, calls.queue)
    work = Task { await connection.run(stream) { event in callback.deliver(on: queue) { event } } }
  }

  deinit {
    outgoing.finish()
    work?.cancel()
  }

  func sendMessage(request: SendMessageRequest, completion: @escaping FinapticVoidCompletion) {
    let (queue, callback) = (calls.queue, Callback<FinapticError?>(completion))
    guard !isEnded else { return callback.deliver(on: queue) { .conversationOver } }
    guard waiting < Self.waitingMax else {
      return callback.deliver(on: queue) {
        FinapticError(code: .unavailable, message: "Too many messages wait for the connection.")
      }
    }
    waiting += 1
    let left = Callback<Void> { [weak self] in self?.waiting -= 1 }
    outgoing.yield(
      ChatOutgoing(text: request.messageContent, id: calls.http.freshID()) { error in
        left.deliver(on: queue) {}
        callback.deliver(on: queue) { error }
      })
  }

  func receiveMessage() -> AnyPublisher<ChatMessage, Never> { received.eraseToAnyPublisher() }
  func receiveEvent() -> AnyPublisher<ChatEvent, Never> { events.eraseToAnyPublisher() }
  func connectionStatus() -> CurrentValueSubject<ChatConnectionStatus, Never> { status }

  func sendTyping(completion: @escaping FinapticVoidCompletion) {
    let connection = connection
    calls.start(completion) { (_) throws(FinapticError) in try await connection.type() }
  }

  func stopContact(completion: @escaping FinapticVoidCompletion) {
    let connection = connection
    calls.start(completion) { (_) throws(FinapticError) in try await connection.stop() }
  }

  private func take(_ event: ChatConnection.Event) {
    switch event {
    case .message(let message):
      guard ids.insert(message.id).inserted else { return }
      messages.insert(message, at: 0)
      received.send(message)
    case .event(let event): events.send(event)
    case .status(let new):
      isEnded = new == .ended
      status.send(new)
    }
  }
}
