// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseApp

extension FinapticStory {
  /// A customer asks, an agent answers and closes.
  func talk(with agentChats: AgentChatCommands, in app: App) async throws {
    let tenant = try await app.finaptic.dependencies.tenants.find(1)
    let screen = FinapticChatScreen(play.sdk)
    let agent = try AgentChatCommands.Agent(tenant: tenant, id: "ada", actor: "agent:ada")
    try await step("startChat", shows: "CONNECTED") { (try await screen.open(subject: "My card"), "") }
    try await step("sendMessage", shows: "CUSTOMER: Where is my card?") {
      try await screen.say("Where is my card?")
      return (await screen.next(), "")
    }
    try await step("an agent takes it and answers", shows: "JOINED Ada, SYSTEM_MESSAGE: …, AGENT: On its way.") {
      guard let chat = try await agentChats.queue(.waiting, of: tenant).first else { return ("no customer waits", "") }
      try await agentChats.take(chat.id, by: agent, called: "Ada", isTakeover: false)
      try await agentChats.answer("On its way.", in: chat.id, by: agent)
      let (joined, said, answer) = (await screen.next(), await screen.next(), await screen.next())
      return ("\(joined), \(said.prefix { $0 != ":" }): …, \(answer)", said)
    }
    try await step("listChatThreads, listChatHistory", shows: "WAITING_FOR_CUSTOMER, 3 messages") {
      let threads = try await play.sdk.helpCenter.listChatThreads(request: .init()).items
      guard let thread = threads.first else { return ("no thread", "") }
      let history = try await play.sdk.helpCenter.listChatHistory(request: .init(contactId: thread.id))
      return ("\(thread.status.rawValue), \(history.items.count) messages", thread.subject)
    }
    try await step("the agent closes it", shows: "ENDED") {
      guard let chat = try await agentChats.queue(.taken(by: "ada"), of: tenant).first else { return ("not taken", "") }
      try await agentChats.resolve(chat.id, by: agent)
      let notice = await screen.next()
      return (await screen.next(), notice)
    }
  }
}

/// What an app shows of a conversation, line by line. It says one thing at a time, and nothing while it is told.
final class FinapticChatScreen: Sendable {
  private let sdk: FinapticSDK
  private let lines: AsyncStream<String>
  private let told: AsyncStream<String>.Continuation
  private nonisolated(unsafe) var client: (any ChatClient)?
  private nonisolated(unsafe) var subscriptions = Set<AnyCancellable>()

  init(_ sdk: FinapticSDK) {
    self.sdk = sdk
    (lines, told) = AsyncStream.makeStream()
  }

  /// - Returns: how the line is.
  func open(subject: String) async throws -> String {
    let error = await withCheckedContinuation { (done: CheckedContinuation<FinapticError?, Never>) in
      sdk.helpCenter.startChat(request: .init(displayName: "Thomas", subject: subject)) { [self] outcome in
        switch outcome {
        case .success(let client):
          follow(client)
          done.resume(returning: nil)
        case .failure(let error): done.resume(returning: error)
        }
      }
    }
    if let error { throw error }
    return await next()
  }

  private func follow(_ client: any ChatClient) {
    self.client = client
    let told = told
    client.receiveMessage().sink { told.yield("\($0.participantRole.rawValue): \($0.content)") }
      .store(in: &subscriptions)
    client.receiveEvent().sink { told.yield("\($0.type.rawValue) \($0.displayName)") }.store(in: &subscriptions)
    client.connectionStatus().sink { told.yield($0.rawValue) }.store(in: &subscriptions)
  }

  func say(_ text: String) async throws {
    let error = await withCheckedContinuation { (done: CheckedContinuation<FinapticError?, Never>) in
      // The demonstration calls from one task at a time.
      client?.sendMessage(request: .init(messageContent: text)) { done.resume(returning: $0) }
    }
    if let error { throw error }
  }

  /// The next line.
  func next() async -> String {
    var lines = lines.makeAsyncIterator()
    return await lines.next() ?? ""
  }
}
