// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import RubixWire
import Scheduling

/// `/agents/verification`, `/agents/calls`, `/customers…`: the institution's side.
package struct AgentRoutes: Sendable {
  let verdicts: VerdictCommands
  let retakes: RetakeCommands
  let calls: AgentCalls
  let reader: CustomerReader
  let queue: CustomerQueue

  package func add(to group: RouterGroup<AgentContext>) {
    group.post("agents/verification", use: decide)
    group.get("agents/calls", use: listCalls)
    group.post("agents/calls/{id}/start") { _, context in
      let call: Appointment.ID = try Request.identifier(context.parameters.get("id"))
      return try Response.json(try await calls.start(call, by: context.agent))
    }
    group.post("agents/calls/{id}/end") { _, context in
      let call: Appointment.ID = try Request.identifier(context.parameters.get("id"))
      return try Response.json(try await calls.end(call, by: context.agent))
    }
    group.post("agents/calls/{id}/cancel") { request, context in
      let call: Appointment.ID = try Request.identifier(context.parameters.get("id"))
      let body = try await RequestContent(request, limit: BodyBudget.smallMax).decode(as: AgentCancelRequest.self)
      let why = try body.why.map { try CallChangeReason(word: $0) }
      return try Response.json(try await calls.cancel(call, why: why, by: context.agent))
    }
    group.get("customers", use: list)
    group.get("customers/{id}", use: view)
    group.get("customers/{id}/documents/{document}/preview", use: preview)
    group.post("customers/{id}/retake") { request, context -> HTTPResponse.Status in
      let id: Application.ID = try Request.identifier(context.parameters.get("id"))
      let body = try await RequestContent(request, limit: BodyBudget.smallMax).decode(as: AgentRetakeRequest.self)
      try await retakes.request(body.retake, words: body.words, of: id, by: context.agent)
      return .noContent
    }
  }

  @Sendable
  func decide(_ request: Request, _ context: AgentContext) async throws -> Response {
    let body = try await RequestContent(request, limit: StepRequest.formBodyMax)
    switch try await verdicts.decide(body, by: context.agent) {
    case .decided(let view): return try Response.json(view)
    case .waiting(let approval): return try Response.json(AwaitingApprovalView(approval), status: .accepted)
    }
  }

  @Sendable
  func listCalls(_ request: Request, _ context: AgentContext) async throws -> Response {
    try Response.json(try await queue.calls(on: QueryValues(request).date("date"), of: context.agent))
  }

  @Sendable
  func list(_ request: Request, _ context: AgentContext) async throws -> Response {
    let query = QueryValues(request)
    let part = try query.value("status", "in_review or pending.") { CustomerQueue.Part(status: $0) }
    let cursor = try query.value("cursor", "The next_cursor of a page.") { QueueCursor($0) }
    let limit = try query.number("limit", in: 1...CustomerQueue.pageMax)
    return try Response.json(
      try await queue.page(
        part ?? .all, after: cursor, limit: limit ?? CustomerQueue.pageDefault, for: context.agent))
  }

  @Sendable
  func view(_ request: Request, _ context: AgentContext) async throws -> Response {
    let id: Application.ID = try Request.identifier(context.parameters.get("id"))
    return try Response.json(try await reader.view(id, by: context.agent))
  }

  @Sendable
  func preview(_ request: Request, _ context: AgentContext) async throws -> Response {
    let id: Application.ID = try Request.identifier(context.parameters.get("id"))
    let document: CapturedImage.ID = try Request.identifier(context.parameters.get("document"))
    let isPortrait = try QueryValues(request).boolean("extracted-image") ?? false
    let bytes = try await reader.preview(document, of: id, portrait: isPortrait, by: context.agent)
    return Response.image(bytes)
  }
}
