// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Identity
import Kit
import PowerAuthHTTP

/// What people decide, for consoles and other servers of an institution: the queue, the pictures, the decision. Served
/// in more than one place, each with its own proof of who calls.
package struct ReviewRoutes<Context: ReviewerContext>: Sendable {
  private static var bodyMax: Int { 4 * 1024 }

  private let commands: ReviewCommands

  package init(commands: ReviewCommands) { self.commands = commands }

  package func add(to group: RouterGroup<Context>) {
    group.get("reviews", use: list)
    group.get("reviews/{id}", use: detail)
    group.get("reviews/{id}/pictures/{number}", use: picture)
    group.post("reviews/{id}/decision", use: decide)
    group.post("reviews/{id}/approvals/{approval}/withdrawal", use: withdraw)
  }

  @Sendable
  private func list(_ request: Request, _ context: Context) async throws -> Response {
    let reviewer = try context.reviewer(deciding: false)
    let queue = try await commands.list(tenant: reviewer.tenant, by: reviewer.actor)
    return try Response.json(ReviewListView(reviews: queue.map { ReviewView($0) }))
  }

  @Sendable
  private func detail(_ request: Request, _ context: Context) async throws -> Response {
    let reviewer = try context.reviewer(deciding: false)
    let (review, pictures) = try await commands.detail(
      of: Self.id(context), tenant: reviewer.tenant, by: reviewer.actor)
    return try Response.json(ReviewView(review, pictures: pictures))
  }

  @Sendable
  private func picture(_ request: Request, _ context: Context) async throws -> Response {
    let reviewer = try context.reviewer(deciding: false)
    guard let number = context.parameters.get("number").flatMap({ Int($0) }) else { throw Problem.notFound }
    return Response.image(
      try await commands.picture(number, of: Self.id(context), tenant: reviewer.tenant, by: reviewer.actor))
  }

  @Sendable
  private func decide(_ request: Request, _ context: Context) async throws -> Response {
    let reviewer = try context.reviewer(deciding: true)
    let asked = try await RequestContent(request, limit: Self.bodyMax).decode(as: ReviewDecisionRequest.self)
    guard let verdict = ReviewCase.Verdict(rawValue: asked.verdict) else {
      throw Problem.validation([.init("/verdict", "unknown-value", "accepted, rejected or retake.")])
    }
    let id = try Self.id(context)
    let waiting = try await commands.decide(
      id, verdict, reason: verdict == .retake ? asked.words : asked.reason, retaking: asked.retake ?? [],
      tenant: reviewer.tenant, by: reviewer.actor)
    if let waiting { return try Response.json(AwaitingApprovalView(waiting), status: .accepted) }
    return try Response.json(ReviewDecisionView(review_id: id.rawValue, verdict: verdict.rawValue))
  }

  /// Of what the caller asked a colleague for.
  @Sendable
  private func withdraw(_ request: Request, _ context: Context) async throws -> Response {
    let reviewer = try context.reviewer(deciding: true)
    _ = try await RequestContent(request, limit: Self.bodyMax).decode(as: ReviewWithdrawalRequest.self)
    try await commands.withdraw(
      context.parameters.requireUUID("approval"), on: Self.id(context), by: reviewer.actor)
    return Response(status: .noContent)
  }

  private static func id(_ context: Context) throws -> ReviewCase.ID {
    ReviewCase.ID(rawValue: try context.parameters.requireUUID("id"))
  }
}

/// An agent who may look at reviews of a tenant.
package struct Reviewer: Sendable {
  package let tenant: String
  /// How audit lines name them.
  package let actor: String

  package init(tenant: String, actor: String) {
    self.tenant = tenant
    self.actor = actor
  }
}

/// A request of a proved caller, who may be a reviewer.
package protocol ReviewerContext: RequestContext {
  /// - Throws: `Problem` forbidden.
  func reviewer(deciding: Bool) throws -> Reviewer
}

extension ClientContext: ReviewerContext where Client == ServiceClient {
  /// Other servers of the institution, which answer for their own people.
  package func reviewer(deciding: Bool) throws -> Reviewer {
    try client.require(.review)
    return Reviewer(tenant: client.tenant, actor: client.actor)
  }
}
