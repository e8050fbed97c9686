// SPDX-License-Identifier: Apache-2.0

import Conversations
import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

extension HTTPField.Name {
  static let chatToken = Self(FinapticAPI.chatTokenHeader)!
}

/// `/finaptic/v1/helpCenter/…` (finaptic §3.6). Who is signed in may talk; lists are for customers.
package struct HelpCenterRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let commands: HelpCenterCommands
  let events: ServerSentEvents
  let sessions: Sessions
  let states: SharedQuery<SessionFamily.ID, SessionState>

  package func add(to groups: FinapticRouteGroups) {
    let users = groups.users.group("helpCenter")
    users.post("startChat", use: start)
    users.post("sendMessage", use: send)
    users.post("sendTyping", use: type)
    users.post("stopContact", use: stop)
    users.get("events", use: follow)
    let customers = groups.customers.group("helpCenter")
    customers.post("listChatThreads") { request, context in
      let asked = try await calls.body(request, Wire.ListChatThreadsRequest.self)
      return try Response.json(try await commands.threads(asked, by: .init(context)))
    }
    customers.post("listChatHistory") { request, context in
      let asked = try await calls.body(request, Wire.ListChatHistoryRequest.self)
      return try Response.json(try await commands.history(asked, by: .init(context)))
    }
  }

  @Sendable
  private func start(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.StartChatRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(commands.start(call.body, by: .init(context), in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func send(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.SendMessageRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(commands.send(call.body, by: .init(context), in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func type(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.ChatRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(commands.type(call.body, by: .init(context), in: tx), for: call, in: tx)
    }
  }

  @Sendable
  private func stop(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let call = try await calls.read(request, context, Wire.ChatRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      return try calls.keep(commands.stop(call.body, by: .init(context), in: tx), for: call, in: tx)
    }
  }

  /// Whether the session goes on: a block, another password and a sign-out end it.
  private func isLive(_ identity: AccessIdentity) async throws -> Bool {
    try await states.find(identity.family) { state in
      do { try sessions.requireLive(identity, state) } catch is Problem { return false }
      return true
    }
  }

  /// What a session is told of a contact, as long as it goes on.
  func feed(of contact: ConversationContact, _ texts: ChatTexts, for identity: AccessIdentity) -> EventFeed {
    ChatFeed.of(commands.conversations.updates(of: contact), texts.message).asLong { try await isLive(identity) }
  }

  /// Everything of the contact after the last event that was seen, in order, and what follows while it is open. Of a
  /// contact that has ended what is left, and that it has.
  @Sendable
  private func follow(_ request: Request, _ context: FinapticUserContext) async throws -> Response {
    let fields = request.headers[values: .chatToken]
    let caller = HelpCenterCommands.Caller(context)
    let (contact, conversation, texts) = try await calls.core.database.read { tx in
      let (contact, conversation) = try commands.contact(fields.count == 1 ? fields[0] : nil, by: caller, in: tx)
      return (contact, conversation, try commands.texts(for: caller, in: tx))
    }
    // A place that this store has not given, say because it was restored, does not count.
    let last = request.headers[.lastEventID].flatMap { Int64($0) }
    let position = last.flatMap { (contact.begin...max(contact.begin, conversation.sequence)).contains($0) ? $0 : nil }
    return try events.answer(
      "chat:\(caller.id)", atMost: ConversationPolicy.customerReadersMax, from: position ?? contact.begin
    ) { feed(of: contact, texts, for: caller.user.identity) }
  }
}
