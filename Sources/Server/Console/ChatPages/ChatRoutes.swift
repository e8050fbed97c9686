// SPDX-License-Identifier: Apache-2.0

import Casework
import Conversations
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/chats/…`: where members of staff answer customers. The rules are those of the commands that agents' own
/// programs call; a button that is not shown is no rule.
package struct ChatRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/chats"
  /// Answers with live events to one member at a time.
  private static let readersMax = 4

  /// What the pages work with.
  package struct Dependencies: Sendable {
    let cases: CaseCommands
    let source: any ChatSource
    let events: ServerSentEvents

    package init(_ cases: CaseCommands, source: any ChatSource, events: ServerSentEvents) {
      (self.cases, self.source, self.events) = (cases, source, events)
    }
  }

  private let signIn: StaffSignIn
  private let cases: CaseCommands
  private let source: any ChatSource
  private let events: ServerSentEvents

  package init(_ signIn: StaffSignIn, _ dependencies: Dependencies) {
    (self.signIn, cases) = (signIn, dependencies.cases)
    (source, events) = (dependencies.source, dependencies.events)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, request, _ in try await list(visit, request) })
    let chat = group.group("{tenant}/{chat}")
    chat.get(
      "",
      use: page { visit, request, parameters in
        try await show(visit, Self.name(parameters), isRefresh: StaffSignIn.isRefresh(request))
      })
    chat.get("events", use: liveEvents)
    chat.post(
      "take",
      use: change { chat, form, member in
        try await source.take(
          chat, called: form["name"] ?? "", isTakeover: form["takeover"] == "yes", by: member)
        return chat.path
      })
    chat.post(
      "messages",
      use: change { chat, form, member in
        // Browsers send the ends of lines as CR LF (URL Standard §5, HTML Living Standard §4.10.21).
        let text = (form["text"] ?? "").replacing("\r\n", with: "\n")
        try await source.answer(text, messageID: form["message"], in: chat, by: member)
        return chat.path
      })
    chat.post(
      "hand-back",
      use: change { chat, _, member in
        try await source.handBack(chat, by: member)
        return Self.base
      })
    chat.post(
      "hand-over",
      use: change { chat, form, member in
        try await source.handOver(chat, to: form["to"] ?? "", by: member)
        return Self.base
      })
    chat.post(
      "resolve",
      use: change { chat, _, member in
        try await source.resolve(chat, by: member)
        return Self.base
      })
  }

  // MARK: Pages

  /// Customers who wait, as the work queue has them, and what the member has in hand.
  private func list(_ visit: StaffVisit, _ request: Request) async throws -> Response {
    let worker = CaseWorker(visit.member)
    var query = CaseQuery()
    query.kinds = [.chat]
    query.after = request.uri.queryParameters.get("after").flatMap { CaseCursor(text: $0) }
    let page = try await cases.page(query, for: worker)
    let waiting = try await source.conversations(of: page.cases.map(ChatName.init), for: visit.member)
    let held = try await source.held(by: visit.member)
    let names = try await cases.colleagues(of: worker)
    return try ChatListPage(page, waiting, held: held, names: names, for: visit).response()
  }

  /// - Parameter unsent: an answer that was refused.
  private func show(
    _ visit: StaffVisit, _ chat: ChatName, isRefresh: Bool = false, fault: Phrase? = nil, unsent: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let opened = try await source.open(chat, isRefresh: isRefresh, for: visit.member)
    let names = try await cases.colleagues(of: CaseWorker(visit.member))
    return try ChatPage(opened, names: names, fault: fault, unsent: unsent, for: visit).response(status: status)
  }

  // MARK: Live events

  /// Tells that something was said or done, or that the customer types; the words are on the page, which reads itself
  /// again.
  @Sendable
  private func liveEvents(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { throw Problem.notFound }
    try await signIn.require(.chatCustomers, of: visit)
    let (conversation, updates) = try await source.follow(Self.name(context.parameters), for: visit.member)
    let seen = (request.headers[.lastEventID] ?? request.uri.queryParameters.get("after")).flatMap { Int64($0) }
    let start = min(max(seen ?? conversation.sequence, 0), conversation.sequence)
    return try events.answer("chats \(visit.member.id)", atMost: Self.readersMax, from: start) { [signIn] in
      EventFeed { position, limit in
        let page = try await updates.next(after: position, atMost: limit)
        var told: [EventFeed.Event] = []
        if page.entries.contains(where: { $0.kind == .typing }) {
          told.append(EventFeed.Event(number: nil, kind: "typing", data: Data("{}".utf8)))
        }
        if page.entries.contains(where: { $0.kind != .typing }) {
          told.append(EventFeed.Event(number: page.position, kind: "changed", data: Data("{}".utf8)))
        }
        return EventFeed.Page(told, position: page.position, isLast: page.ending != nil)
      }.asLong { try await signIn.mayStillRead(visit, .chatCustomers) }
    }
  }

  // MARK: Who calls

  private typealias Change = @Sendable (ChatName, FormFields, StaffMember) async throws -> String

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .chatCustomers, refreshes: true, show)
  }

  /// A form of the page of a conversation. What is refused is said on that page, with the answer that was typed.
  private func change(_ work: @escaping Change) -> StaffSignIn.Handler {
    page { visit, request, parameters in
      let chat = try Self.name(parameters)
      let form = try await StaffForm.read(request, csrf: visit.csrf)
      do {
        return StaffRoutes.redirect(try await work(chat, form, visit.member))
      } catch let problem as Problem where Self.isSaid(problem) {
        return try await self.show(
          visit, chat, fault: Self.fault(problem), unsent: form["text"], status: problem.status)
      }
    }
  }

  private static func isSaid(_ problem: Problem) -> Bool {
    [.conflict, .unprocessable, .forbidden, .gone].contains(problem.category)
  }

  /// What is wrong with an answer has words of its own: a case page calls its reason `text` too.
  private static func fault(_ problem: Problem) -> Phrase {
    guard let field = problem.fields.first, field.pointer == "/text" else { return Phrase(firstOf: problem) }
    return Phrase("chat_text_" + field.code.replacing("-", with: "_"), otherwise: field.message)
  }

  /// - Throws: `Problem` not-found for what is no name at all.
  private static func name(_ parameters: Parameters) throws -> ChatName {
    guard let tenant = parameters.get("tenant"), CaseQuery.isName(tenant) else { throw Problem.notFound }
    return ChatName(tenant: tenant, id: .init(rawValue: try parameters.requireUUID("chat")))
  }
}
