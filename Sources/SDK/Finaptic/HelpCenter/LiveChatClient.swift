internal import GatehouseWire

/// An open conversation, over the wire. Lives on the queue where the app is called back.
///
/// It sends and ends. What the other side says comes by a stream that the server does not offer yet (issue 10); until
/// then the publishers carry the customer's own words.
final class LiveChatClient: ChatClient {
  private let calls: FinapticCalls
  private let token: String
  private let received = PassthroughSubject<ChatMessage, Never>()
  private let events = PassthroughSubject<ChatEvent, Never>()
  /// What the app sees. What it sends into its copy is not looked at: `isEnded` decides.
  private let status = CurrentValueSubject<ChatConnectionStatus, Never>(.connected)
  private var isEnded = false

  private(set) var messages: [ChatMessage]

  init(calls: FinapticCalls, _ answer: FinapticWire.StartChatResponse) {
    self.calls = calls
    token = answer.chatToken
    messages = (answer.messages ?? []).map { ChatMessage($0) }
  }

  func sendMessage(request: SendMessageRequest, completion: @escaping FinapticVoidCompletion) {
    let isEnded = isEnded
    let message = FinapticWire.SendMessageRequest(chatToken: token, messageContent: request.messageContent)
    let report: FinapticCompletion<FinapticWire.SendMessageResponse> = { [weak self] outcome in
      switch outcome {
      case .success(let answer):
        self?.take(ChatMessage(answer.message))
        completion(nil)
      case .failure(let error): completion(error)
      }
    }
    calls.start(report) { (calls) throws(FinapticError) in
      guard !isEnded else { throw FinapticError(code: .failedPrecondition, message: "The conversation has ended.") }
      return try await calls.send(.sendMessage, message)
    }
  }

  func receiveMessage() -> AnyPublisher<ChatMessage, Never> { received.eraseToAnyPublisher() }
  func receiveEvent() -> AnyPublisher<ChatEvent, Never> { events.eraseToAnyPublisher() }
  func connectionStatus() -> CurrentValueSubject<ChatConnectionStatus, Never> { status }

  func stopContact(completion: @escaping FinapticVoidCompletion) {
    let isEnded = isEnded
    let request = FinapticWire.ChatRequest(chatToken: token)
    let report: FinapticCompletion<EmptyBody> = { [weak self] outcome in
      switch outcome {
      case .success:
        self?.end()
        completion(nil)
      case .failure(let error): completion(error)
      }
    }
    calls.start(report) { (calls) throws(FinapticError) in
      isEnded ? EmptyBody() : try await calls.send(.stopContact, request)
    }
  }

  /// Newest first, none twice.
  private func take(_ message: ChatMessage) {
    guard !messages.contains(where: { $0.id == message.id }) else { return }
    let place = messages.firstIndex { $0.timestamp <= message.timestamp } ?? messages.endIndex
    messages.insert(message, at: place)
    received.send(message)
  }

  private func end() {
    guard !isEnded else { return }
    isEnded = true
    status.send(.ended)
  }
}
