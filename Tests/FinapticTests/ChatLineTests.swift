// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: the line of a conversation", .timeLimit(.minutes(1)))
@MainActor
struct ChatLineTests {
  private let played = PlayedChat()

  /// An app's screen: everything that the client tells it.
  private final class Screen {
    let client: any ChatClient
    private(set) var lines: [String] = []
    private var subscriptions = Set<AnyCancellable>()
    private var waiters: [(String, CheckedContinuation<Void, Never>)] = []

    init(_ client: any ChatClient) {
      self.client = client
      client.receiveMessage().sink { [weak self] in self?.add($0.content) }.store(in: &subscriptions)
      client.receiveEvent().sink { [weak self] in self?.add("(\($0.type.rawValue) \($0.displayName))") }
        .store(in: &subscriptions)
      client.connectionStatus().sink { [weak self] in self?.add("[\($0.rawValue)]") }.store(in: &subscriptions)
    }

    private func add(_ line: String) {
      lines.append(line)
      let ready = waiters.filter { $0.0 == line }
      waiters.removeAll { $0.0 == line }
      for (_, waiter) in ready { waiter.resume() }
    }

    @MainActor
    func shows(_ line: String) async {
      guard !lines.contains(line) else { return }
      await withCheckedContinuation { waiters.append((line, $0)) }
    }
  }

  /// - Parameter pins: of the SDK key.
  private func open(pins: Set<Data> = []) async throws -> Screen {
    played.server.play(
      .startChat,
      PlayedServer.ok(
        FinapticAPI.StartChatResponse(contactId: "t", chatToken: PlayedChat.token, messages: [], position: 0)))
    played.server.play(FinapticAPI.configurationPath, [PlayedServer.ok(PlayedServer.configuration)])
    var options = played.server.options()
    options.transport = played.transport
    options.log = { _ in }
    var key = PlayedServer.key
    key.pins = pins
    let sdk = try await FinapticSDK.make(sdkKey: key.text, options: options)
    var opened: Result<any ChatClient, FinapticError>?
    await withCheckedContinuation { done in
      sdk.helpCenter.startChat(request: StartChatRequest(displayName: "J", subject: "S")) {
        opened = $0
        done.resume()
      }
    }
    return Screen(try #require(try opened?.get()))
  }

  private func say(_ text: String, _ screen: Screen) async -> FinapticErrorCode? {
    await withCheckedContinuation { done in
      screen.client.sendMessage(request: SendMessageRequest(messageContent: text)) { done.resume(returning: $0?.code) }
    }
  }

  @Test("what happens is told once, in order, newest first in messages, across connections that break or end")
  func follow() async throws {
    let screen = try await open()
    played.say("1")
    played.happen("joined")
    played.happen("typing")
    played.happen("left")
    await screen.shows("(TYPING Kim)")
    played.stutter()
    #expect(await say("5", screen) == nil)
    played.cut()
    played.say("6")
    await screen.shows("6")
    await screen.shows("[CONNECTING]")
    let connections = played.asked.count
    played.cut(inOrder: true)
    played.say("7")
    await screen.shows("7")
    #expect(played.asked.count == connections + 1)
    played.close()
    await screen.shows("[ENDED]")
    #expect(
      screen.lines == [
        "[CONNECTED]", "1", "(JOINED Kim)", "(TYPING Kim)", "5", "[CONNECTING]", "[CONNECTED]", "6", "7", "[ENDED]",
      ]
        || screen.lines == [
          "[CONNECTED]", "1", "(JOINED Kim)", "(TYPING Kim)", "5", "[CONNECTING]", "6", "[CONNECTED]", "7", "[ENDED]",
        ], "\(screen.lines)")
    #expect(screen.client.messages.map(\.content) == ["7", "6", "5", "1"])
    #expect(played.asked.first == "0" && played.asked.last == "6")
    #expect(await say("too late", screen) == .failedPrecondition)
  }

  @Test("a server that numbers an event with the last number that there is does not end the app")
  func lastNumber() async throws {
    let screen = try await open()
    played.say("last", numbered: .max)
    await screen.shows("last")
    #expect(await say("5", screen) == nil)
    played.close()
    await screen.shows("[ENDED]")
    #expect(screen.lines == ["[CONNECTED]", "last", "[ENDED]"], "\(screen.lines)")
  }

  @Test("what is said without a network waits, and goes out in order when it is back, each once")
  func offline() async throws {
    let screen = try await open()
    played.cut(goesOffline: true)
    await screen.shows("[CONNECTING]")
    var ended: [String] = []
    for number in 1...5 {
      screen.client.sendMessage(request: SendMessageRequest(messageContent: "m\(number)")) { error in
        ended.append("m\(number) \(error?.code.rawValue ?? "OK")")
      }
    }
    await played.connection()
    #expect(ended.isEmpty && played.sent.isEmpty && screen.client.connectionStatus().value == .connecting)
    played.comeBack()
    await screen.shows("m5")
    #expect(ended.prefix(4) == ["m1 OK", "m2 OK", "m3 OK", "m4 OK"])
    #expect(played.sent.map(\.messageContent) == (1...5).map { "m\($0)" })
    #expect(Set(played.sent.map(\.clientMessageId)).count == 5 && !played.sent.contains { $0.clientMessageId == nil })
    #expect(screen.client.messages.map(\.content) == (1...5).reversed().map { "m\($0)" })
    // Pauses grow up to half a minute.
    #expect(played.server.pauses.allSatisfy { $0 <= .seconds(30) })
  }

  @Test("more than a hundred messages do not wait")
  func bounded() async throws {
    let screen = try await open()
    played.cut(goesOffline: true)
    await screen.shows("[CONNECTING]")
    for number in 0..<100 {
      screen.client.sendMessage(request: SendMessageRequest(messageContent: "m\(number)")) { _ in }
    }
    #expect(await say("one too many", screen) == .unavailable)
    played.comeBack()
    await screen.shows("m99")
  }

  @Test(
    "a server that does not know the conversation ends it for good; one that is busy does not",
    arguments: [
      (FinapticCode.notFound, true), (.unauthenticated, true), (.unavailable, false), (.internal, false),
    ])
  func refused(code: FinapticCode, isEnd: Bool) async throws {
    let screen = try await open()
    played.refuse(code)
    played.cut()
    await screen.shows(isEnd ? "[ENDED]" : "[CONNECTING]")
    guard !isEnd else { return }
    played.say("again")
    await screen.shows("again")
  }

  @Test(
    "what a network on the way does ends no conversation: a server that pinning refuses, a call that was cancelled",
    arguments: [TransportError.Code.insecure, .cancelled, .offline])
  func interfered(failure: TransportError.Code) async throws {
    let screen = try await open(pins: [Data(repeating: 7, count: 32)])
    played.fail(failure, failure)
    played.cut()
    played.say("again")
    await screen.shows("again")
    #expect(screen.client.connectionStatus().value != .ended && screen.lines.contains("[CONNECTING]"))
    #expect(played.asked.count == 4)
  }

  @Test("pauses grow while nothing works, and are short again after a connection that worked")
  func backoff() async throws {
    let screen = try await open()
    for number in 1...8 {
      played.say("m\(number)")
      await screen.shows("m\(number)")
      played.cut()
    }
    played.say("last")
    await screen.shows("last")
    // The played chance is one half.
    #expect(played.server.pauses.count >= 8 && played.server.pauses.allSatisfy { $0 == .milliseconds(250) })
    played.fail(.offline, .offline, .offline)
    played.cut()
    played.say("after all")
    await screen.shows("after all")
    #expect(played.server.pauses.last == .seconds(2))
  }

  @Test("that the customer is writing is told every few seconds at most, and not to an agent who left")
  func typing() async throws {
    let screen = try await open()
    played.server.play(.sendTyping, PlayedServer.ok(EmptyBody()))
    func typed() async -> FinapticErrorCode? {
      await withCheckedContinuation { done in screen.client.sendTyping { done.resume(returning: $0?.code) } }
    }
    for _ in 0..<3 { #expect(await typed() == nil) }
    #expect(played.server.requests(.sendTyping).map(\.text) == [#"{"chat_token":"\#(PlayedChat.token)"}"#])
    played.server.advance(seconds: 3)
    #expect(await typed() == nil)
    #expect(played.server.requests(.sendTyping).count == 2)
    played.close()
    await screen.shows("[ENDED]")
    #expect(await typed() == .failedPrecondition)
  }

  @Test("a conversation without a line is not begun, and the server is told that it has no reader")
  func unreachable() async throws {
    let (told, tell) = AsyncStream.makeStream(of: Void.self)
    played.server.play(.stopContact, PlayedServer.after({ tell.yield() }, PlayedServer.ok(EmptyBody())))
    played.refuse(.unavailable, .unavailable, .unavailable)
    let error = await #expect(throws: FinapticError.self) { _ = try await self.open() }
    #expect(error?.code == .unavailable && played.asked.count == 3)
    for await _ in told { break }
  }
}
