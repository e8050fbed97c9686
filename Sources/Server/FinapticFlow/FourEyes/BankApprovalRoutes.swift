// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit

/// `/api/v1/finaptic/approvals…`: a bank's program in the place of the second person, with the credentials of a client
/// of the tenant whose scope is `approve`, which opens nothing else; and where who asked takes their request back.
struct BankApprovalRoutes: Sendable {
  let approvals: BankApprovals

  func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(FinapticServerDialect.base)).group("approvals")
    group.get(use: list)
    group.post("{id}/decision", use: decide)
    group.post("{id}/withdrawal", use: withdraw)
  }

  @Sendable
  private func list(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let waiting = try await approvals.waiting(for: context.client)
    return try Response.json(ApprovalListView(waiting))
  }

  @Sendable
  private func decide(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.requireUUID("id")
    let asked = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(
      as: ApprovalBodies.Decision.self)
    guard let agreeing = asked.agreeing else {
      throw Problem.validation([.init("/decision", "unknown-value", "approved or refused.")])
    }
    let decided = try await approvals.decide(id, agreeing: agreeing, by: context.client)
    return try Response.json(ApprovalView(decided))
  }

  /// For clients that ask, whatever their scope.
  @Sendable
  private func withdraw(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let id = try context.parameters.requireUUID("id")
    _ = try await RequestContent(request, limit: FinapticPolicy.bodyMax).decode(as: ApprovalBodies.Withdrawal.self)
    return try Response.json(ApprovalView(try await approvals.withdraw(id, by: context.client)))
  }
}
