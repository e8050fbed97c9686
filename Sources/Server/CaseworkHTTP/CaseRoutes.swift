// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// A request of a proved member of staff, who may work on cases.
package protocol CaseworkerContext: RequestContext {
  func caseworker() throws -> CaseWorker
}

/// The work queue for consoles of an institution: cases, claims, notes, live events, and approvals by a second person.
package struct CaseRoutes<Context: CaseworkerContext>: Sendable {
  private static var bodyMax: Int { 16 * 1024 }
  /// Answers with live events to one member of staff at a time.
  private static var readersMax: Int { 4 }

  private let commands: CaseCommands
  private let approvals: ApprovalCommands
  private let events: ServerSentEvents
  private let goesOn: GoesOn

  /// Whether the session of a request goes on, asked later than the request.
  package typealias GoesOn = @Sendable (Context) -> @Sendable () async throws -> Bool

  package init(
    commands: CaseCommands, approvals: ApprovalCommands, events: ServerSentEvents, goesOn: @escaping GoesOn
  ) {
    (self.commands, self.approvals, self.events, self.goesOn) = (commands, approvals, events, goesOn)
  }

  package func add(to group: RouterGroup<Context>) {
    group.get("cases", use: list)
    group.get("case-events", use: liveEvents)
    group.post("next-case", use: next)
    group.get("cases/{id}", use: show)
    group.post("cases/{id}/claim", use: claim)
    group.post("cases/{id}/release", use: release)
    group.post("cases/{id}/hand-over", use: handOver)
    group.post("cases/{id}/notes", use: note)
    group.get("cases/{id}/receipts/{receipt}", use: receipt)
    group.get("approvals", use: pending)
    group.post("approvals/{id}/decision", use: decide)
    group.post("approvals/{id}/withdrawal", use: withdraw)
  }

  @Sendable
  private func list(_ request: Request, _ context: Context) async throws -> Response {
    let worker = try context.caseworker()
    let query = try CaseQuery(request.uri.queryParameters.map { (String($0.key), String($0.value)) }, of: worker)
    return try Response.json(CasePageView(try await commands.page(query, for: worker)))
  }

  @Sendable
  private func next(_ request: Request, _ context: Context) async throws -> Response {
    let worker = try context.caseworker()
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: NextCaseRequest.self)
    let item = try await commands.next(of: (asked.kinds ?? []).map { CaseKind(rawValue: $0) }, by: worker)
    guard let item else { return Response(status: .noContent) }
    return try Response.json(CaseView(item, at: commands.caseService.now))
  }

  @Sendable
  private func show(_ request: Request, _ context: Context) async throws -> Response {
    let file = try await commands.file(Self.id(context), for: context.caseworker())
    return try Response.json(CaseFileView(file, at: commands.caseService.now))
  }

  @Sendable
  private func claim(_ request: Request, _ context: Context) async throws -> Response {
    _ = try await RequestContent(request, limit: Self.bodyMax).decode(as: ClaimRequest.self)
    let item = try await commands.claim(Self.id(context), by: context.caseworker())
    return try Response.json(CaseView(item, at: commands.caseService.now))
  }

  @Sendable
  private func release(_ request: Request, _ context: Context) async throws -> Response {
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: ReleaseRequest.self)
    let item = try await commands.release(Self.id(context), why: asked.why, by: context.caseworker())
    return try Response.json(CaseView(item, at: commands.caseService.now))
  }

  @Sendable
  private func handOver(_ request: Request, _ context: Context) async throws -> Response {
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: HandOverRequest.self)
    let item = try await commands.handOver(
      Self.id(context), to: asked.to, why: asked.why, by: context.caseworker())
    return try Response.json(CaseView(item, at: commands.caseService.now))
  }

  @Sendable
  private func note(_ request: Request, _ context: Context) async throws -> Response {
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: NoteRequest.self)
    let note = try await commands.note(asked.text, on: Self.id(context), by: context.caseworker())
    return try Response.json(CaseNoteView(note), status: .created)
  }

  /// The signed document as it was kept.
  @Sendable
  private func receipt(_ request: Request, _ context: Context) async throws -> Response {
    let found = try await commands.receipt(
      .init(rawValue: context.parameters.requireUUID("receipt")), of: Self.id(context), for: context.caseworker())
    return Response.json(encoded: found.document)
  }

  /// Server-sent events: `case.<event>` with the id of the case, and `cases.missed` to one who was away too long.
  @Sendable
  private func liveEvents(_ request: Request, _ context: Context) async throws -> Response {
    let worker = try context.caseworker()
    let seen = request.headers[.lastEventID].flatMap { Int64($0) }
    let present = try await commands.position(for: worker)
    let goesOn = goesOn(context)
    return try events.answer(worker.actor, atMost: Self.readersMax, from: seen ?? present) { [commands] in
      EventFeed { position, limit in
        switch try await commands.events(after: position, atMost: limit, for: worker) {
        case .events(let events):
          let page = events.map {
            EventFeed.Event(number: $0.sequence, kind: "case.\($0.kind)", data: $0.payload)
          }
          return EventFeed.Page(page, position: events.last?.sequence ?? position, isLast: false)
        case .expired:
          let present = try await commands.position(for: worker)
          let missed = EventFeed.Event(number: present, kind: "cases.missed", data: Data("{}".utf8))
          return EventFeed.Page([missed], position: present, isLast: false)
        }
      }.asLong(as: goesOn)
    }
  }

  @Sendable
  private func pending(_ request: Request, _ context: Context) async throws -> Response {
    let approvals = try await approvals.pending(for: context.caseworker())
    return try Response.json(ApprovalListView(approvals.map(\.requested)))
  }

  @Sendable
  private func decide(_ request: Request, _ context: Context) async throws -> Response {
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: ApprovalDecisionRequest.self)
    guard ["approved", "refused"].contains(asked.decision) else {
      throw Problem.validation([.init("/decision", "unknown-value", "approved or refused.")])
    }
    let approval = try await approvals.decide(
      Self.id(context), agreeing: asked.decision == "approved", by: context.caseworker())
    return try Response.json(ApprovalView(approval.requested))
  }

  /// Of the agent's own request.
  @Sendable
  private func withdraw(_ request: Request, _ context: Context) async throws -> Response {
    _ = try await RequestContent(request, limit: Self.bodyMax).decode(as: WithdrawalRequest.self)
    let approval = try await approvals.withdraw(Self.id(context), by: context.caseworker())
    return try Response.json(ApprovalView(approval.requested))
  }

  private static func id<Subject>(_ context: Context) throws -> Identifier<Subject> {
    Identifier(rawValue: try context.parameters.requireUUID("id"))
  }
}
