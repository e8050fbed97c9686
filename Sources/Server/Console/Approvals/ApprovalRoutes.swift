// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/approvals/…`: where a member of staff agrees, as the second person, to what a colleague or a program asks
/// for, or refuses it, and takes back what they asked for themselves. The rules are those of `ApprovalCommands`; a
/// button that is not shown is no rule.
package struct ApprovalRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/approvals"

  private let signIn: StaffSignIn
  private let approvals: ApprovalCommands
  private let facts: Facts

  /// What an act decides, by its fields; nil for one that its flow has no fields for.
  package typealias Facts = @Sendable (BoundAct) -> [CaseDetails.Fact]?

  package init(_ signIn: StaffSignIn, _ approvals: ApprovalCommands, facts: @escaping Facts) {
    (self.signIn, self.approvals, self.facts) = (signIn, approvals, facts)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, _, _ in try await list(visit) })
    group.post("{approval}/decision", use: page(decide))
    group.post("{approval}/withdrawal", use: page(withdraw))
  }

  static func path(of approval: Approval.ID) -> String { "\(base)/\(approval)/decision" }

  /// Where the form goes by which who asked takes it back.
  static func withdrawal(of approval: String) -> String { "\(base)/\(approval)/withdrawal" }

  private func list(
    _ visit: StaffVisit, fault: Phrase? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let worker = CaseWorker(visit.member)
    let (waiting, own) = try await (approvals.pending(for: worker), approvals.own(of: worker))
    let names = try await waiting.isEmpty ? [] : signIn.staff.list(tenant: visit.member.tenant)
    return try ApprovalsPage(waiting, own: own, names: names, fault: fault, facts: facts, for: visit)
      .response(status: status)
  }

  @Sendable
  private func decide(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    let id = try Self.id(parameters)
    guard let word = form["decision"], ["approved", "refused"].contains(word) else {
      throw Problem.validation([.init("/decision", "unknown-value", "approved or refused.")])
    }
    return try await answer(visit) {
      _ = try await approvals.decide(id, agreeing: word == "approved", by: CaseWorker(visit.member))
    }
  }

  @Sendable
  private func withdraw(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    _ = try await StaffForm.read(request, csrf: visit.csrf)
    let id = try Self.id(parameters)
    return try await answer(visit) { try await approvals.withdraw(id, by: CaseWorker(visit.member)) }
  }

  /// The page as it is then, or with why it was not done.
  private func answer(_ visit: StaffVisit, _ act: () async throws -> Void) async throws -> Response {
    do { try await act() } catch let problem as Problem where [.conflict, .forbidden].contains(problem.category) {
      return try await list(visit, fault: Phrase(problem), status: problem.status)
    }
    return StaffRoutes.redirect(Self.base)
  }

  private static func id(_ parameters: Parameters) throws -> Approval.ID {
    .init(rawValue: try parameters.requireUUID("approval"))
  }

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler { signIn.page(for: nil, show) }
}
