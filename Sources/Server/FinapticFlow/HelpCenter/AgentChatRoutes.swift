// SPDX-License-Identifier: Apache-2.0

import Conversations
import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

/// `/api/v1/finaptic/chats…`: what the systems of a tenant's agents call, with the credentials of a client of the tenant
/// whose scope is `chat`; test controls of a sandbox tenant may too (finaptic §11.3).
package struct AgentChatRoutes: Sendable {
  private typealias Bodies = AgentChatBodies

  let commands: AgentChatCommands
  let tenants: FinapticTenants
  let sandbox: SandboxControls
  let events: ServerSentEvents

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("chats")
    group.get(use: queue)
    let chat = group.group("{id}")
    chat.get(use: open)
    chat.get("events", use: follow)
    chat.post("take") { request, context in
      let asked = try await Self.read(request, Bodies.Take.self)
      let conversation = try await commands.take(
        Self.id(context), by: agent(asked.agent, context), called: asked.display_name,
        isTakeover: asked.takeover ?? false)
      return try Response.json(Bodies.ChatView(conversation))
    }
    chat.post("messages") { request, context in
      let asked = try await Self.read(request, Bodies.Answer.self)
      let entry = try await commands.answer(
        asked.text, clientID: asked.message_id, in: Self.id(context), by: agent(asked.agent, context))
      return try Response.json(Bodies.SaidView(message: .init(entry), position: entry.sequence))
    }
    chat.post("typing") { request, context in
      let asked = try await Self.read(request, Bodies.Act.self)
      try await commands.type(in: Self.id(context), by: agent(asked.agent, context))
      return Response(status: .noContent)
    }
    chat.post("hand-back") { request, context in
      let asked = try await Self.read(request, Bodies.Act.self)
      let conversation = try await commands.handBack(Self.id(context), by: agent(asked.agent, context))
      return try Response.json(Bodies.ChatView(conversation))
    }
    chat.post("resolve") { request, context in
      let asked = try await Self.read(request, Bodies.Act.self)
      let conversation = try await commands.resolve(Self.id(context), by: agent(asked.agent, context))
      return try Response.json(Bodies.ChatView(conversation))
    }
  }

  @Sendable
  private func queue(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenant(context)
    let query = request.uri.queryParameters
    let agent = query.get("agent")
    let filter: Conversations.QueueFilter =
      switch query.get("pile") ?? "waiting" {
      case "waiting" where agent == nil: .waiting
      case "taken": .taken(by: agent)
      default: throw Problem.validation([.init("/pile", "format", "waiting, or taken with or without an agent.")])
      }
    let found = try await commands.list(filter, of: tenant, by: context.client.actor)
    return try Response.json(Bodies.QueueView(chats: found.map(Bodies.ChatView.init)))
  }

  @Sendable
  private func open(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (conversation, messages) = try await commands.open(
      Self.id(context), of: tenant(context), by: context.client.actor)
    return try Response.json(
      Bodies.DetailView(
        chat: .init(conversation), messages: messages.map(FinapticAPI.ChatMessage.init),
        position: conversation.sequence))
  }

  @Sendable
  private func follow(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let conversation = try await commands.follow(Self.id(context), of: tenant(context), by: context.client.actor)
    let last = request.headers[.lastEventID].flatMap { Int64($0) } ?? conversation.sequence
    return try events.answer(
      "agents:\(context.client.id)", atMost: ConversationPolicy.agentReadersMax,
      from: min(max(last, 0), conversation.sequence)
    ) {
      ChatFeed.of(commands.conversations.updates(of: conversation.id), FinapticAPI.ChatMessage.init)
        .asLong(as: context.isStillProved)
    }
  }

  // MARK: Who and what

  /// - Throws: `Problem` forbidden.
  private func tenant(_ context: ClientContext<ServiceClient>) async throws -> FinapticTenant {
    let client = context.client
    return client.scopes.contains(.sandbox)
      ? try await sandbox.tenant(of: client) : try await tenants.find(of: client, scope: .chat)
  }

  private func agent(_ name: String, _ context: ClientContext<ServiceClient>) async throws -> AgentChatCommands.Agent {
    try AgentChatCommands.Agent(
      tenant: try await tenant(context), id: name, actor: "\(context.client.actor)/agent:\(name)")
  }

  private static func id(_ context: ClientContext<ServiceClient>) throws -> Conversation.ID {
    .init(rawValue: try context.parameters.requireUUID("id"))
  }

  private static func read<Body: Decodable>(_ request: Request, _ type: Body.Type) async throws -> Body {
    try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
  }
}
