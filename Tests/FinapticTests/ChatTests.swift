// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: a conversation")
@MainActor
struct ChatTests {
  private let server = PlayedServer()

  private func message(_ id: String, _ at: Int64) -> FinapticAPI.ChatMessage {
    FinapticAPI.ChatMessage(
      id: id, participantRole: "CUSTOMER", displayName: "J", content: id,
      timestamp: FinapticAPI.Instant(millisecondsSince1970: at))
  }

  private func chat() async throws -> any ChatClient {
    server.play(
      .startChat,
      PlayedServer.ok(FinapticAPI.StartChatResponse(contactId: "t", chatToken: "c", messages: [message("1", 1)])))
    let sdk = try await server.sdk()
    var opened: Result<any ChatClient, FinapticError>?
    await withCheckedContinuation { done in
      sdk.helpCenter.startChat(request: StartChatRequest(displayName: "J", subject: "S")) {
        opened = $0
        done.resume()
      }
    }
    return try #require(try opened?.get())
  }

  @Test("a server without conversations fails with its own code")
  func unimplemented() async throws {
    server.play(.startChat, PlayedServer.refuse(.unimplemented))
    let sdk = try await server.sdk()
    let code = await withCheckedContinuation { done in
      sdk.helpCenter.startChat(request: StartChatRequest(displayName: "J", subject: "S")) {
        done.resume(returning: $0.error?.code)
      }
    }
    #expect(code == .unimplemented)
  }

  @Test("own words appear once the server has them, newest first, none twice; then it ends for good")
  func talk() async throws {
    let chat = try await chat()
    var heard: [String] = []
    var statuses: [ChatConnectionStatus] = []
    var subscriptions = Set<AnyCancellable>()
    chat.receiveMessage().sink { heard.append($0.id) }.store(in: &subscriptions)
    chat.connectionStatus().sink { statuses.append($0) }.store(in: &subscriptions)
    server.play(
      .sendMessage, PlayedServer.ok(FinapticAPI.SendMessageResponse(message: message("2", 2))))
    for _ in 0..<2 { #expect(await said("hello", in: chat) == nil) }
    #expect(chat.messages.map(\.id) == ["2", "1"] && heard == ["2"])
    // What an app sends into the subject is not looked at.
    chat.connectionStatus().send(.ended)
    #expect(await said("still here", in: chat) == nil)
    server.play(.stopContact, PlayedServer.ok(EmptyBody()))
    for _ in 0..<2 {
      #expect(await withCheckedContinuation { done in chat.stopContact { done.resume(returning: $0?.code) } } == nil)
    }
    #expect(server.requests(.stopContact).count == 1 && chat.connectionStatus().value == .ended)
    #expect(await said("too late", in: chat) == .failedPrecondition)
    #expect(statuses.first == .connected && statuses.last == .ended)
  }

  private func said(_ text: String, in chat: any ChatClient) async -> FinapticErrorCode? {
    await withCheckedContinuation { done in
      chat.sendMessage(request: SendMessageRequest(messageContent: text)) { done.resume(returning: $0?.code) }
    }
  }
}
