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
  private typealias Wire = FinapticAPI

  private let service: FinapticService
  private let events: ServerSentEvents
  private var commands: HelpCenterCommands { service.dependencies.helpCenter }

  package init(_ service: FinapticService, events: ServerSentEvents) {
    self.service = service
    self.events = events
  }

  package func add(to groups: FinapticRouteGroups) {
    let (service, commands) = (service, commands)
    let users = groups.users.group("helpCenter")
    users.post("startChat") { request, context in
      try await service.change(request, context, Wire.StartChatRequest.self) {
        try commands.start($0, by: .init(context), in: $1)
      }
    }
    users.post("sendMessage") { request, context in
      try await service.change(request, context, Wire.SendMessageRequest.self) {
        try commands.send($0, by: .init(context), in: $1)
      }
    }
    users.post("sendTyping") { request, context in
      try await service.change(request, context, Wire.ChatRequest.self) {
        try commands.type($0, by: .init(context), in: $1)
      }
    }
    users.post("stopContact") { request, context in
      try await service.change(request, context, Wire.ChatRequest.self) {
        try commands.stop($0, by: .init(context), in: $1)
      }
    }
    users.get("events", use: follow)
    let customers = groups.customers.group("helpCenter")
    customers.post("listChatThreads") { request, context in
      try await service.ask(request, Wire.ListChatThreadsRequest.self) {
        try await commands.threads($0, by: .init(context))
      }
    }
    customers.post("listChatHistory") { request, context in
      try await service.ask(request, Wire.ListChatHistoryRequest.self) {
        try await commands.history($0, by: .init(context))
      }
    }
  }

  /// Everything of the contact after the last event that was seen, in order, and what follows while it is open. Of a
  /// contact that has ended what is left, and that it has.
  @Sendable
  private func follow(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let fields = request.headers[values: .chatToken]
    let caller = HelpCenterCommands.Caller(context)
    let (contact, conversation, texts) = try await service.dependencies.core.database.read { [commands] tx in
      let (contact, conversation) = try commands.contact(fields.count == 1 ? fields[0] : nil, by: caller, in: tx)
      return (contact, conversation, try commands.texts(for: caller, in: tx))
    }
    // A place that this store has not given, say because it was restored, does not count.
    let last = request.headers[.lastEventID].flatMap { Int64($0) }
    let position = last.flatMap { (contact.begin...max(contact.begin, conversation.sequence)).contains($0) ? $0 : nil }
    let conversations = service.dependencies.conversations
    return try events.answer(
      "chat:\(caller.id)", atMost: ConversationPolicy.customerReadersMax, from: position ?? contact.begin
    ) { ChatFeed.of(conversations.updates(of: contact), texts.message) }
  }
}
