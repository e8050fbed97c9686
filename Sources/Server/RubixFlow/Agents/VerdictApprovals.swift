// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import Storage

/// The second person's word on verdicts, where the tenant has two persons decide. The colleague agrees at the desk; the
/// agent then decides by the same request, or by what was agreed to.
extension VerdictCommands {
  /// Decides as a colleague agreed, without the answers being given again.
  /// - Throws: `Problem` not-found for what this agent did not ask for; as `decide`.
  package func carryOut(_ approval: String, by agent: Agent) async throws -> Outcome {
    let asked = try await core.database.read { [core] in try core.cases.asked(approval.lowercased(), in: $0) }
    guard let asked, asked.maker == agent.actor, asked.verdict != nil else { throw Problem.notFound }
    return try await decide(RequestContent(bytes: Data(asked.act.content.utf8)), by: agent, approval: asked.id)
  }

  /// The verdicts on an application as it is now that wait for a colleague or for the agent who asked, newest first.
  /// Whoever calls this shows the application anyway, whose look is audited.
  package func asked(about id: Application.ID, tenant: Tenant) async throws -> [AskedApproval] {
    guard tenant.verdictsNeedTwo else { return [] }
    return try await core.database.read { [core, applications] tx in
      let version = Int64(try applications.load(id, tenant: tenant, in: tx).application.version)
      return try core.cases.asked(about: id.rawValue, of: id.keySubject.id, in: tx).filter {
        $0.act.version == version && ($0.standing == .pending || $0.standing == .approved)
      }
    }
  }

  /// The agent's request to a colleague for exactly this verdict; a new one where there was no such request, or it was
  /// not decided in time.
  func asked(
    _ request: AgentVerificationRequest, _ content: String, of application: Application, naming approval: String?,
    by agent: Agent, in tx: any SQLTransaction
  ) throws -> AskedApproval {
    // What could not follow is not asked for.
    var trial = application
    try requireLegal(request.event, application)
    if request.event == .agentAccepted { try accept(&trial) }
    let act = ApplicationFlow.act(request.event, on: application, content)
    let person = application.id.keySubject.id
    let earlier = try core.cases.asked(about: act.subject, of: person, in: tx)
    let own = earlier.filter { $0.maker == agent.actor }
    var known = own.first { $0.act == act }
    if let approval {
      known = own.first { $0.id == approval.lowercased() }
      guard let known else { throw Problem.notFound }
      guard known.act == act else {
        throw Problem(.conflict, "subject-changed", "The application or the verdict is not what was agreed to.")
      }
      if known.standing == .expired {
        throw Problem(.conflict, "approval-expired", "The approval has expired; ask again.")
      }
    }
    if let known, known.standing != .expired {
      guard known.standing == .pending || known.standing == .approved else { throw Self.refused }
      return known
    }
    guard earlier.count < AskedApproval.listMax else { throw Self.refused }
    let id = try core.cases.propose(
      act, under: ApplicationFlow.verdictRule, tenant: application.tenant, person: person, by: agent.actor, in: tx)
    guard let asked = try core.cases.asked(id, in: tx) else { throw Problem.approvalRequired }
    return asked
  }

  private static let refused = Problem(.conflict, "approval-refused", "The second person refused this.")
}

extension AskedApproval {
  /// What an agent asks a colleague to agree to; nil for other acts.
  package var verdict: AgentVerificationRequest? {
    guard act.action.hasPrefix("rubix.") else { return nil }
    return try? WireJSON.decode(AgentVerificationRequest.self, from: Data(act.content.utf8))
  }
}

extension AgentVerificationRequest {
  /// What the verdict does to an application.
  var event: ApplicationEvent {
    verdict == .successful ? .agentAccepted : retryAllowed ? .agentRefusedOnce : .agentRefused
  }
}

/// Nothing is decided yet: the same call decides once a colleague has agreed.
struct WaitingVerdictView: Encodable, Sendable {
  let status = "AWAITING_APPROVAL"
  let approval_id: String
  let expires_at: String

  init(_ approval: AskedApproval) { (approval_id, expires_at) = (approval.id, approval.expiresAt.rfc3339) }
}
