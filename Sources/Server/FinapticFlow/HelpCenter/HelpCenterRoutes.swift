import Conversations
import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

extension HTTPField.Name {
  static let chatToken = Self(FinapticAPI.chatTokenHeader)!
}

/// `/finaptic/v1/helpCenter/…` (finaptic §3.6). Who is signed in may talk; lists are for customers.
package struct HelpCenterRoutes: Sendable {
  private let room: FinapticService
  private let events: ServerSentEvents
  private var commands: HelpCenterCommands { room.parts.helpCenter }

  package init(_ room: FinapticService, events: ServerSentEvents) {
    self.room = room
    self.events = events
  }

  package func add(to doors: FinapticRouteGroups) {
    let users = doors.users.group("helpCenter")
    users.post("startChat", use: start)
    users.post("sendMessage", use: send)
    users.post("sendTyping", use: type)
    users.post("stopContact", use: stop)
    users.get("events", use: follow)
    let customers = doors.customers.group("helpCenter")
    customers.post("listChatThreads", use: threads)
    customers.post("listChatHistory", use: history)
  }

  @Sendable
  private func start(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.StartChatRequest.self) { [commands] body, tx in
      try commands.start(body, by: .init(context), tx)
    }
  }

  @Sendable
  private func send(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.SendMessageRequest.self) { [commands] body, tx in
      try commands.send(body, by: .init(context), tx)
    }
  }

  @Sendable
  private func type(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.ChatRequest.self) { [commands] body, tx in
      try commands.type(body, by: .init(context), tx)
    }
  }

  @Sendable
  private func stop(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.ChatRequest.self) { [commands] body, tx in
      try commands.stop(body, by: .init(context), tx)
    }
  }

  @Sendable
  private func threads(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.ListChatThreadsRequest.self) { [commands] in
      try await commands.threads($0, by: .init(context))
    }
  }

  @Sendable
  private func history(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.ListChatHistoryRequest.self) { [commands] in
      try await commands.history($0, by: .init(context))
    }
  }

  /// Everything of the contact after the last event that was seen, in order, and what follows while it is open. Of a
  /// contact that has ended what is left, and that it has.
  @Sendable
  private func follow(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let fields = request.headers[values: .chatToken]
    let caller = HelpCenterCommands.Caller(context)
    let (contact, conversation, words) = try await room.parts.core.database.read { [commands] tx in
      let (contact, conversation) = try commands.contact(fields.count == 1 ? fields[0] : nil, by: caller, tx)
      return (contact, conversation, try commands.words(for: caller, tx))
    }
    // A place that this store has not given, say because it was restored, is none.
    let last = request.headers[.lastEventID].flatMap { Int64($0) }
    let position = last.flatMap { (contact.begin...max(contact.begin, conversation.sequence)).contains($0) ? $0 : nil }
    let conversations = room.parts.conversations
    return try events.answer(
      "chat:\(caller.id)", atMost: ConversationPolicy.customerReadersMax, from: position ?? contact.begin
    ) { ChatFeed.of(conversations.news(of: contact), words.message) }
  }
}
