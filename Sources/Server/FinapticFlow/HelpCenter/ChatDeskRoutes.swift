import Conversations
import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

/// How the desk's API says that something went wrong: problem documents (RFC 9457), as all APIs of our own.
package struct ChatDeskDialect: Dialect {
  package static let base = "/api/v1/finaptic"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="finaptic""#)
  }
}

/// `/api/v1/finaptic/chats…`: what the systems of a tenant's agents call, with the credentials of a client of the tenant
/// whose scope is `chat`; test controls of a sandbox tenant may too (finaptic §11.3).
package struct ChatDeskRoutes: Sendable {
  private let room: FinapticService
  private let events: ServerSentEvents
  private var desk: ChatDesk { ChatDesk(room) }

  package init(_ room: FinapticService, events: ServerSentEvents) {
    self.room = room
    self.events = events
  }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(ChatDeskDialect.base)).group("chats")
    group.get(use: queue)
    let one = group.group("{id}")
    one.get(use: open)
    one.get("events", use: follow)
    one.post("take", use: take)
    one.post("messages", use: answer)
    one.post("typing", use: type)
    one.post("hand-back", use: handBack)
    one.post("resolve", use: resolve)
  }

  private typealias Context = ClientContext<ServiceClient>

  @Sendable
  private func queue(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await tenant(context)
    let query = request.uri.queryParameters
    let agent = query.get("agent")
    let pile: Conversations.Pile =
      switch query.get("pile") ?? "waiting" {
      case "waiting" where agent == nil: .waiting
      case "taken": .taken(by: agent)
      default: throw Problem.validation([.init("/pile", "format", "waiting, or taken with or without an agent.")])
      }
    let found = try await desk.queue(pile, of: tenant)
    return try AnswerMemory.response(ChatDeskBodies.QueueView(chats: found.map(ChatDeskBodies.ChatView.init)))
  }

  @Sendable
  private func open(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let (conversation, messages) = try await desk.open(
      Self.id(context), of: tenant(context), by: context.client.actor)
    return try AnswerMemory.response(
      ChatDeskBodies.DetailView(
        chat: .init(conversation), messages: messages.map(FinapticAPI.ChatMessage.init),
        position: conversation.sequence))
  }

  @Sendable
  private func follow(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let conversation = try await desk.follow(Self.id(context), of: tenant(context), by: context.client.actor)
    let last = request.headers[.lastEventID].flatMap { Int64($0) } ?? conversation.sequence
    let conversations = room.parts.conversations
    return try events.answer(
      "desk:\(context.client.id)", atMost: ConversationPolicy.deskReadersMax,
      from: min(max(last, 0), conversation.sequence)
    ) { ChatFeed.of(conversations.news(of: conversation.id), FinapticAPI.ChatMessage.init) }
  }

  @Sendable
  private func take(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let asked = try await Self.read(request, ChatDeskBodies.Take.self)
    let conversation = try await desk.take(
      Self.id(context), by: agent(asked.agent, context), called: asked.display_name,
      isTakeover: asked.takeover ?? false)
    return try AnswerMemory.response(ChatDeskBodies.ChatView(conversation))
  }

  @Sendable
  private func answer(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let asked = try await Self.read(request, ChatDeskBodies.Answer.self)
    let entry = try await desk.answer(
      asked.text, clientID: asked.message_id, in: Self.id(context), by: agent(asked.agent, context))
    return try AnswerMemory.response(ChatDeskBodies.SaidView(message: .init(entry), position: entry.sequence))
  }

  @Sendable
  private func type(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let asked = try await Self.read(request, ChatDeskBodies.Act.self)
    try await desk.type(in: Self.id(context), by: agent(asked.agent, context))
    return Response(status: .noContent)
  }

  @Sendable
  private func handBack(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let asked = try await Self.read(request, ChatDeskBodies.Act.self)
    let conversation = try await desk.handBack(Self.id(context), by: agent(asked.agent, context))
    return try AnswerMemory.response(ChatDeskBodies.ChatView(conversation))
  }

  @Sendable
  private func resolve(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let asked = try await Self.read(request, ChatDeskBodies.Act.self)
    let conversation = try await desk.resolve(Self.id(context), by: agent(asked.agent, context))
    return try AnswerMemory.response(ChatDeskBodies.ChatView(conversation))
  }

  // MARK: Who and what

  /// - Throws: `Problem` forbidden.
  private func tenant(_ context: ClientContext<ServiceClient>) async throws -> FinapticTenant {
    let client = context.client
    if client.scopes.contains(.sandbox) { return try await room.parts.sandbox.tenant(of: client) }
    let number = Int(client.tenant.split(separator: "-").last ?? "") ?? 0
    guard client.scopes.contains(.chat),
      let tenant = try await room.parts.database.read({ try TenantStore($0).find(number) }),
      tenant.session == client.tenant
    else { throw Problem(.forbidden, "forbidden", "This client does not have the scope chat.") }
    return tenant
  }

  private func agent(_ name: String, _ context: ClientContext<ServiceClient>) async throws -> ChatDesk.Agent {
    try ChatDesk.Agent(
      tenant: try await tenant(context), id: name, actor: "\(context.client.actor)/agent:\(name)")
  }

  private static func id(_ context: ClientContext<ServiceClient>) throws -> Conversation.ID {
    let text = try context.parameters.require("id")
    guard UUID(uuidString: text) != nil else { throw Problem.notFound }
    return .init(rawValue: text.lowercased())
  }

  private static func read<Body: Decodable>(_ request: Request, _ type: Body.Type) async throws -> Body {
    try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: type)
  }
}
