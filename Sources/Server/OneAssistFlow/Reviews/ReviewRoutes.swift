// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Hummingbird
import Identity
import Kit
import OneAssistCore

/// How the reviewers' API says that something went wrong: problem documents (RFC 9457), as all APIs of our own.
package struct ReviewDialect: Dialect {
  package static let base = "/api/v1/oneassist"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    // Codes of the other wire as our own APIs write them.
    var own = Problem(
      problem.category, problem.code.lowercased().replacing("_", with: "-"), problem.detail)
    (own.fields, own.retryAfterSeconds) = (problem.fields, problem.retryAfterSeconds)
    return ProblemDocument.response(
      for: own, path: path, correlationID: correlationID, challenge: #"Basic realm="oneassist""#)
  }
}

/// `/api/v1/oneassist/…`: what reviewers' systems call, with the credentials of a client of the tenant.
package struct ReviewRoutes: Sendable {
  private let commands: ReviewCommands
  private let erasure: MembershipErasure

  package init(_ service: OneAssistService) { (commands, erasure) = (service.reviews, service.erasure) }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(context: ReviewerContext.self)
    group.get("reviews") { _, context in
      let client = context.client
      return try await Response.json(
        ReviewQueueView(reviews: commands.queue(tenant: client.tenant, by: client.actor).map(ReviewCaseView.init)))
    }
    let one = group.group("memberships/{id}")
    one.get { _, context in
      let client = context.client
      return try await Response.json(
        ReviewDetailView(commands.open(Self.id(context), tenant: client.tenant, by: client.actor)))
    }
    one.get("documents/{name}/image") { _, context in
      let client = context.client
      return Response.image(
        try await commands.picture(
          Self.name(context), of: Self.id(context), tenant: client.tenant, by: client.actor))
    }
    one.post("documents/{name}/decision") { request, context in
      let client = context.client
      let asked: PhotoDecisionRequest = try await Self.read(request)
      guard let verdict = ReviewCommands.PhotoVerdict(rawValue: asked.verdict) else {
        throw Problem.member("/verdict", "format", "accept or refuse.")
      }
      try await commands.decide(
        Self.name(context), verdict, reason: asked.reason, of: Self.id(context), tenant: client.tenant,
        by: Self.actor(client, asked.agent))
      return Response(status: .noContent)
    }
    one.post("documents/SCREEN_IMAGE/code") { request, context in
      let client = context.client
      let asked: CodeRequest = try await Self.read(request)
      let verdict = try await commands.check(
        code: asked.digits, of: Self.id(context), tenant: client.tenant, by: Self.actor(client, asked.agent))
      return try Response.json(CodeView(verdict: verdict.rawValue))
    }
    one.post("verdict") { request, context in
      let client = context.client
      let asked: VerdictRequest = try await Self.read(request)
      guard let verdict = ReviewCommands.Verdict(rawValue: asked.verdict) else {
        throw Problem.member("/verdict", "format", "approve, reupload or reject.")
      }
      let outcome = try await commands.decide(
        verdict, reason: asked.reason, of: Self.id(context), tenant: client.tenant,
        by: Self.actor(client, asked.agent))
      switch outcome {
      case .decided(let status): return try Response.json(ReviewVerdictView(status: status.rawValue))
      case .waiting(let approval): return try Response.json(AwaitingApprovalView(approval), status: .accepted)
      }
    }
    one.post("approvals/{approval}/withdrawal") { request, context in
      let client = context.client
      let asked: WithdrawalRequest = try await Self.read(request)
      try await commands.withdraw(
        context.parameters.require("approval"), on: Self.id(context), by: Self.actor(client, asked.agent))
      return Response(status: .noContent)
    }
    one.post("erase") { _, context in
      let client = context.client
      // Of the tenant's own, or not there.
      _ = try await commands.open(Self.id(context), tenant: client.tenant, by: client.actor)
      try await erasure.erase(Self.id(context), for: .ended, by: client.actor)
      return Response(status: .noContent)
    }
  }

  private static func actor(_ client: ServiceClient, _ agent: String?) throws -> String {
    guard let agent else { return client.actor }
    guard agent.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
      throw Problem.member("/agent", "format", "1 to 64 letters, digits, . _ -")
    }
    return "\(client.actor)/agent:\(agent)"
  }

  private static func id(_ context: ReviewerContext) throws -> Membership.ID {
    .init(rawValue: try context.parameters.require("id"))
  }

  private static func name(_ context: ReviewerContext) throws -> DocumentName {
    guard let name = DocumentName(rawValue: try context.parameters.require("name")) else { throw Problem.notFound }
    return name
  }

  private static func read<Body: Decodable>(_ request: Request) async throws -> Body {
    try await RequestContent(request, limit: OneAssistPolicy.bodyMax).decode(as: Body.self)
  }
}
