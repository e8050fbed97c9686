// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// The connection of an open conversation: follows its events, and sends messages, each in their order.
///
/// 1. Events have numbers. Those up to the last number that was seen are not reported again, and a new connection asks
///    for what comes after it: no event is missed or reported twice.
/// 2. A connection that breaks is opened again after a pause with full jitter, which doubles up to half a minute and is
///    short again after a connection that worked. The server ends each after some minutes, which is not a failure.
/// 3. Messages wait for the connection and go out in order, each under an id of its own: however often a message is
///    sent, the conversation has it once.
/// 4. When the server answers that the conversation is over, or another user's, that is final. Every other failure,
///    also a server that certificate pinning refuses, may come from the present network: it is tried again.
actor ChatConnection {
  enum Event: Sendable, Equatable {
    case status(ChatConnectionStatus)
    case message(ChatMessage)
    case event(ChatEvent)
  }

  private static let connectionsAtFirst = 3
  private static let (pauseBase, pauseMax) = (Duration.milliseconds(500), Duration.seconds(30))
  /// The server sends at least a sign of life every 15 seconds.
  private static let silenceMax = Duration.seconds(45)
  /// Signs of typing that come sooner say nothing new.
  private static let typingSpacing = Duration.seconds(3)

  private let calls: FinapticCalls
  private let token: String
  private var report: @Sendable (Event) -> Void = { _ in }
  /// The number of the last event that was told.
  private var position: Int64
  private var body: TransportBody?
  /// Whether the network knows answers that go on.
  private var isStreaming = true
  private var status = ChatConnectionStatus.connected
  /// When the other side was last told that the customer is writing, by the clock's uptime.
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
  func run(_ outgoing: AsyncStream<ChatOutgoing>, report: @escaping @Sendable (Event) -> Void) async {
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
      // A server may name any number, also the last that there is.
      guard number > position, number - 1 == position else { return }
      position = number
    }
    report(.message(ChatMessage(answer.message)))
  }

  /// Shows the other side that the customer is writing, while the connection is up.
  func type() async throws(FinapticError) {
    guard status != .ended else { throw .conversationOver }
    let now = calls.http.clock.uptime()
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
    // Waiting messages go out as soon as the connection is up again, or fail once it is over for good.
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
    try? await calls.http.clock.pause(for: ceiling * calls.http.randomness.unit())
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

  /// Whether the server's answer rules a later success out. `internal` and `unknown` may come from a proxy, and a call
  /// that the app did not cancel was cancelled by the system.
  fileprivate var isFinal: Bool {
    !isPassing && !(cause is PinningFailure) && ![.internal, .unknown, .cancelled].contains(genericCode)
  }
}
