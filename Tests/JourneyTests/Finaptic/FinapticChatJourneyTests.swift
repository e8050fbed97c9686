// SPDX-License-Identifier: Apache-2.0

import Identity
import Finaptic
import FinapticSamples
import Foundation
import GatehouseTransport
import Kit
import Storage
import TestSupport
import Testing

@testable import Demonstration
@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic chat: the SDK and an agent over a socket", .onOneEngine, .serialized, .timeLimit(.minutes(10)))
@MainActor
struct FinapticChatJourneyTests {
  @Test("the seed's samples of the help center, with an agent who answers")
  func samples() async throws {
    try await Self.serve { app, port in try await Transcript.alone { try await Self.play(app, port: port) } }
  }

  @Test("every refusal of the help center, by its code")
  func refusals() async throws { try await Self.serve { try await Self.provoke($0, port: $1) } }

  private nonisolated static func serve(
    _ play: @escaping @MainActor @Sendable (App, Int) async throws -> Void
  ) async throws {
    let (folder, made) = (try TestFolder(), try await TestDatabase.make(.current, Schema.migrations))
    var settings = Settings()
    (settings.dataFolder, settings.port) = (folder.file("data"), 0)
    settings[FinapticSettings.self].limitFactor = 100
    let log = LogRecorder()
    let app = try await App.open(
      settings, database: made.database, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }] }, logger: log.logger
    ) { port in try await play(app, port) }
    let secrets = ["Where is my card", "Text message", "On its way", "Quartz7"]
    #expect(log.records.filter { record in secrets.contains { "\(record)".contains($0) } }.isEmpty)
  }

  private static func provoke(_ app: App, port: Int) async throws {
    let sdk = try await customer(of: app, port: port, isCustomer: false)
    func code(_ work: () async throws(FinapticError) -> Void) async -> FinapticErrorCode? {
      do throws(FinapticError) {
        try await work()
        return nil
      } catch { return error.code }
    }
    let unknown = "00000000-0000-4000-8000-000000000000"
    #expect(
      await code { () throws(FinapticError) in _ = try await sdk.helpCenter.listChatThreads(request: .init()) }
        == .permissionDenied)
    #expect(
      await code { () throws(FinapticError) in
        _ = try await sdk.helpCenter.listChatHistory(request: .init(contactId: unknown))
      } == .permissionDenied)
    let nobody = await open(sdk, StartChatRequest(displayName: "", subject: ""))
    guard case .failure(let error) = nobody else {
      Issue.record("a chat without a name and a subject")
      return
    }
    #expect(error.code == .invalidArgument)
    #expect(Set(error.fieldViolations.map(\.field)) == ["displayName", "subject"])
    let chat = try await open(sdk, StartChatRequest(displayName: "Ada", subject: "Card")).get()
    func said(_ text: String) async -> FinapticErrorCode? {
      await withCheckedContinuation { done in
        chat.sendMessage(request: SendMessageRequest(messageContent: text)) { done.resume(returning: $0?.code) }
      }
    }
    #expect(await said("") == .invalidArgument)
    #expect(await said(String(repeating: "x", count: 1025)) == .invalidArgument)
    #expect(await said("Hello") == nil)
    for _ in 0..<2 {
      #expect(await withCheckedContinuation { done in chat.stopContact { done.resume(returning: $0?.code) } } == nil)
    }
    try await waitUntil("the chat has ended") { chat.connectionStatus().value == .ended }
    #expect(await said("too late") == .failedPrecondition)
    try await sdk.authenticationClient.signOut()
    let signedOut = await open(sdk, StartChatRequest(displayName: "Ada", subject: "Card"))
    if case .failure(let error) = signedOut { #expect(error.code == .unauthenticated) }
    #expect(
      await code { () throws(FinapticError) in _ = try await sdk.helpCenter.listChatThreads(request: .init()) }
        == .unauthenticated)
  }

  private static func play(_ app: App, port: Int) async throws {
    let sdk = try await customer(of: app, port: port)
    let screen = ScreenSamples(sdk: sdk)
    _ = Transcript.take()
    screen.startChat(displayName: "Ada", subject: "Where is my card?")
    try await shown("Start chat success")
    screen.subscribeToMessages()
    screen.subscribeToEvents()
    screen.subscribeToConnectionStatusChanges()
    #expect(HelpCenterSamples.currentConnectionStatus(chatClient: screen.chatClient) == .connected)
    HelpCenterSamples.sendMessage(chatClient: screen.chatClient)
    try await shown("Chat message sent.")
    #expect(screen.chatClient.messages.map(\.content) == ["Text message"])

    let tenant = try await app.finaptic.dependencies.tenants.find(7)
    let agentChats = app.finaptic.dependencies.agentChats
    let kim = try AgentChatCommands.Agent(tenant: tenant, id: "kim", actor: "test")
    let id = try #require(try await agentChats.queue(.waiting, of: tenant).first).id
    try await agentChats.take(id, by: kim, called: "Kim", isTakeover: false)
    try await shown("ChatEventType.joined")
    try await agentChats.type(in: id, by: kim)
    try await shown("ChatEventType.typing")
    let client: any ChatClient = screen.chatClient
    #expect(await withCheckedContinuation { done in client.sendTyping { done.resume(returning: $0?.code) } } == nil)
    let updates = try await app.finaptic.dependencies.conversations.updates(of: id).next(after: 0, atMost: .zero)
    #expect(updates.entries.contains { $0.kind == .typing && $0.role == .customer && $0.content.name == "Ada" })
    try await agentChats.answer("On its way", in: id, by: kim)
    try await shown("On its way")
    HelpCenterSamples.listChatThreads(sdk: sdk)
    try await shown("List chat threads success: 1")
    HelpCenterSamples.listChatHistory(sdk: sdk, contactId: id.rawValue)
    try await shown("List chat history success: 3")
    let threads = try await sdk.helpCenter.listChatThreads(request: ListChatThreadsRequest())
    #expect(threads.items.map(\.status) == [.waitingForCustomer] && threads.items[0].subject == "Where is my card?")
    HelpCenterSamples.stopContact(chatClient: screen.chatClient)
    try await shown("Stop contract success")
    try await shown("Connection status changed: ended")
    #expect(HelpCenterSamples.currentConnectionStatus(chatClient: screen.chatClient) == .ended)

    // Resumed, with what was said; then the agent closes it.
    screen.chatClient = try await open(
      sdk, StartChatRequest(displayName: "Ada", subject: "-", contactCaseId: id.rawValue)
    )
    .get()
    #expect(
      screen.chatClient.messages.map(\.content) == ["On its way", "Kim joined the conversation.", "Text message"])
    _ = Transcript.take()
    screen.subscribeToConnectionStatusChanges()
    try await agentChats.resolve(id, by: kim)
    try await shown("Connection status changed: ended")
    #expect(screen.chatClient.messages.first?.participantRole == .systemMessage)
    for unknown in ["00000000-0000-4000-8000-000000000000", "none"] {
      let refused = await open(sdk, StartChatRequest(displayName: "Ada", subject: "-", contactCaseId: unknown))
      if case .failure(let error) = refused {
        #expect([.notFound, .invalidArgument].contains(error.code), "\(error)")
      } else {
        Issue.record("resumed what is not there")
      }
    }
  }

  /// A customer who is signed in on a phone of their own.
  private static func customer(
    of app: App, port: Int, isCustomer: Bool = true
  ) async throws -> FinapticSDK {
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(7, name: "Journey", kind: .sandbox, by: "test")
    var key = try await tenants.issueKey("app", tenant: 7, by: "test").sdkKey
    key.baseURL = try #require(URL(string: "http://127.0.0.1:\(port)"))
    let sdk = try await FinapticSDK.make(
      sdkKey: key.text, options: FinapticOptions(store: MemorySecureStore(), log: { _ in }))
    let credential = Credential(email: "ada@example.ca", password: "Quartz7Lantern")
    try await sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    let vault = app.vault
    try await app.database.write { tx in
      guard isCustomer else { return }
      let store = FinapticUserStore(tx, vault: vault)
      let user = try #require(try store.find(email: "ada@example.ca", tenant: 7)).user
      _ = try store.setCustomer(UUID().uuidString.lowercased(), of: user.id)
    }
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    return sdk
  }

  private static func open(
    _ sdk: FinapticSDK, _ request: StartChatRequest
  ) async -> Result<any ChatClient, FinapticError> {
    var opened: Result<any ChatClient, FinapticError>?
    await withCheckedContinuation { done in
      sdk.helpCenter.startChat(request: request) {
        opened = $0
        done.resume()
      }
    }
    return opened ?? .failure(FinapticError(code: .internal, message: "no answer"))
  }

  /// Until a sample has printed that.
  private static func shown(_ text: String) async throws {
    try await waitUntil("a sample prints \(text)") { Transcript.lines.contains { $0.contains(text) } }
  }
}
