internal import FinapticWire
internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// The line of an open conversation: follows what happens in it, and sends what is said, each in its order.
///
/// 1. Events have numbers. What is at or below the last number that was seen is not told again, and a connection that
///    is taken up anew asks for what comes after it: nothing is missed, nothing comes twice.
/// 2. A connection that breaks is taken up again after a pause with full jitter, which doubles up to half a minute and
///    is short again after one that worked. The server ends each in order after some minutes: that is no loss.
/// 3. What is said waits for the line, in order, one message after the other, each under an id of its own: however
///    often it is sent, it is said once.
/// 4. When the server says that the conversation is over, or whose it is not, it is over for good. Whatever else keeps
///    the line down, a server that certificate pinning refuses too, may be another one's network: it is tried again.
actor ChatLine {
  enum News: Sendable, Equatable {
    case status(ChatConnectionStatus)
    case message(ChatMessage)
    case event(ChatEvent)
  }

  private static let connectionsAtFirst = 3
  private static let (pauseBase, pauseMax) = (Duration.milliseconds(500), Duration.seconds(30))
  /// The server says something every 15 seconds.
  private static let silenceMax = Duration.seconds(45)
  /// Signs of typing that come sooner say nothing new.
  private static let typingSpacing = Duration.seconds(3)

  private let calls: FinapticCalls
  private let token: String
  private var report: @Sendable (News) -> Void = { _ in }
  /// The number of the last event that was told.
  private var position: Int64
  private var body: TransportBody?
  /// Whether the network knows answers that go on.
  private var isStreaming = true
  private var status = ChatConnectionStatus.connected
  /// When the other side was last told that somebody is writing, by the clock's uptime.
  private var typedAt: Duration?
  /// Waits before the next try of whatever is to be sent.
  private var rest: Task<Void, Never>?

  init(calls: FinapticCalls, _ answer: FinapticAPI.StartChatResponse) {
    self.calls = calls
    token = answer.chatToken
    position = answer.position ?? 0
  }

  // MARK: Following

  /// Connects for the first time.
  /// - Throws: when that fails a few times, or cannot succeed.
  func connect() async throws(FinapticError) {
    var attempts = 0
    while true {
      attempts += 1
      do throws(FinapticError) { return try await open() } catch {
        guard error.isPassing, attempts < Self.connectionsAtFirst else { throw error }
        await pause(after: attempts)
      }
    }
  }

  /// Works until the conversation is over or the task is cancelled.
  func run(_ outgoing: AsyncStream<ChatOutgoing>, report: @escaping @Sendable (News) -> Void) async {
    self.report = report
    await withTaskGroup { group in
      group.addTask { await self.follow() }
      group.addTask { await self.send(outgoing) }
    }
  }

  private func follow() async {
    var losses = 0
    while status != .ended, isStreaming, !Task.isCancelled {
      if let body {
        let end = await read(body)
        self.body = nil
        switch end {
        case .inOrder: losses = 0
        case .broken(let worked): losses = worked ? 1 : losses + 1
        }
        if end != .inOrder { set(.connecting) }
      }
      guard status != .ended, !Task.isCancelled else { return }
      await pause(after: losses)
      do throws(FinapticError) {
        try await open()
        set(.connected)
      } catch {
        guard !Task.isCancelled else { return }
        guard !error.isFinal else { return set(.ended) }
        losses += 1
        set(.connecting)
      }
    }
  }

  private func open() async throws(FinapticError) {
    let headers: TransportHeaders = [
      FinapticAPI.chatTokenHeader: token, "Last-Event-ID": "\(position)", "accept": "text/event-stream",
    ]
    guard let stream = try await calls.open(FinapticAPI.chatEventsPath, headers, silenceMax: Self.silenceMax) else {
      isStreaming = false
      return
    }
    body = stream
  }

  private enum ConnectionEnd: Equatable {
    /// By the server, after a sign of life.
    case inOrder
    /// - Parameter worked: whether it brought something, or more than the sign with which it begins.
    case broken(worked: Bool)
  }

  /// Tells what comes over a connection, to its end.
  private func read(_ body: TransportBody) async -> ConnectionEnd {
    let begin = position
    var (reader, parts) = (ServerSentEventReader(), 0)
    do {
      while let part = try await body.next() {
        parts += 1
        for event in try reader.read(part) { take(event) }
        guard status != .ended else { return .inOrder }
      }
      if parts > 0 { return .inOrder }
    } catch {}
    return .broken(worked: parts > 1 || position > begin)
  }

  private func take(_ event: ServerSentEvent) {
    guard event.kind != FinapticAPI.chatEndedEvent else { return set(.ended) }
    guard let number = event.id.flatMap({ Int64($0) }), number > position else { return }
    position = number
    let data = Data(event.data.utf8)
    switch event.kind {
    case FinapticAPI.chatMessageEvent:
      if let message = try? WireJSON.decode(FinapticAPI.ChatMessage.self, from: data) {
        report(.message(ChatMessage(message)))
      }
    case FinapticAPI.chatJoinedEvent, FinapticAPI.chatTypingEvent:
      if let event = try? WireJSON.decode(FinapticAPI.ChatEvent.self, from: data), let event = ChatEvent(event) {
        report(.event(event))
      }
    // A kind that this version does not know.
    default: break
    }
  }

  // MARK: Sending

  private func send(_ outgoing: AsyncStream<ChatOutgoing>) async {
    for await message in outgoing { message.done(await deliver(message)) }
  }

  private func deliver(_ message: ChatOutgoing) async -> FinapticError? {
    let request = FinapticAPI.SendMessageRequest(
      chatToken: token, messageContent: message.text, clientMessageId: message.id)
    var failures = 0
    while !Task.isCancelled {
      guard status != .ended else { return .conversationOver }
      do throws(FinapticError) {
        let answer: FinapticAPI.SendMessageResponse = try await calls.send(.sendMessage, request)
        take(answer)
        return nil
      } catch {
        guard error.isPassing else { return error }
        failures += 1
        await rest(after: failures)
      }
    }
    return FinapticError(code: .cancelled, message: "The conversation was given up.")
  }

  /// What the server has acknowledged is told at once when it is the next event; otherwise the connection brings it,
  /// after those before it.
  private func take(_ answer: FinapticAPI.SendMessageResponse) {
    if let number = answer.position, isStreaming {
      guard number == position + 1 else { return }
      position = number
    }
    report(.message(ChatMessage(answer.message)))
  }

  /// Shows the other side that somebody is writing, while the line is there.
  func type() async throws(FinapticError) {
    guard status != .ended else { throw .conversationOver }
    let now = calls.line.clock.uptime()
    guard status == .connected, typedAt.map({ now - $0 >= Self.typingSpacing }) ?? true else { return }
    typedAt = now
    let _: EmptyBody = try await calls.send(.sendTyping, FinapticAPI.ChatRequest(chatToken: token))
  }

  /// Ends the contact.
  func stop() async throws(FinapticError) {
    guard status != .ended else { return }
    let _: EmptyBody = try await calls.send(.stopContact, FinapticAPI.ChatRequest(chatToken: token))
    set(.ended)
  }

  // MARK: What both share

  private func set(_ new: ChatConnectionStatus) {
    // What waits goes out as soon as the line is there again, or learns that it never will be.
    if new != .connecting { rest?.cancel() }
    guard new != status, status != .ended else { return }
    status = new
    report(.status(new))
  }

  private func rest(after failures: Int) async {
    let waiting = Task { await self.pause(after: failures) }
    rest = waiting
    await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      waiting.cancel()
    }
  }

  private func pause(after failures: Int) async {
    let doublings = min(max(failures - 1, 0), 10)
    let ceiling = min(Self.pauseMax, Self.pauseBase * (1 << doublings))
    try? await calls.line.clock.pause(for: ceiling * calls.line.randomness.unit())
  }
}

extension FinapticError {
  static let conversationOver = FinapticError(code: .failedPrecondition, message: "The conversation has ended.")

  /// Whether it may go well a moment later.
  fileprivate var isPassing: Bool {
    switch genericCode {
    case .unavailable, .deadlineExceeded, .resourceExhausted: !(cause is PinningFailure)
    default: false
    }
  }

  /// Whether the server has said that it will never go well. `internal` and `unknown` may be somebody's on the way, and
  /// a call that nobody here cancelled was cancelled by the system.
  fileprivate var isFinal: Bool {
    !isPassing && !(cause is PinningFailure) && ![.internal, .unknown, .cancelled].contains(genericCode)
  }
}
