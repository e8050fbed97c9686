// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import Scheduling
import Storage

/// The second person's word on verdicts, where the tenant has two persons decide. The colleague agrees at the desk; the
/// agent then decides by the same request, or by what was agreed to.
extension VerdictCommands {
  /// Decides on an application as a colleague agreed, without the answers being given again.
  /// - Throws: `Problem` not-found for what this agent did not ask for about it; as `decide`.
  package func carryOut(_ approval: String, on id: Application.ID, by agent: Agent) async throws -> Outcome {
    let asked = try await core.database.read { [core] in try core.cases.asked(approval.lowercased(), in: $0) }
    guard let asked, asked.maker == agent.actor, asked.act.subject == id.rawValue,
      AgentVerificationRequest(asked.act) != nil
    else {
      throw Problem.notFound
    }
    return try await decide(RequestContent(bytes: Data(asked.act.content.utf8)), by: agent, approval: asked.id)
  }

  /// The verdicts on an application as it is now that wait for a colleague or for the agent who asked, newest first.
  /// A caller of this shows the application anyway, and that look is audited.
  package func asked(about id: Application.ID, tenant: Tenant) async throws -> [RequestedApproval] {
    guard tenant.verdictsNeedTwo else { return [] }
    return try await core.database.read { [core, applications] tx in
      let version = Int64(try applications.load(id, tenant: tenant, in: tx).application.version)
      return try core.cases.asked(about: id.rawValue, of: id.keySubject.id, in: tx).filter {
        $0.act.version == version && ($0.state == .pending || $0.state == .approved)
      }
    }
  }

  /// The agent's request to a colleague for exactly this verdict; a new one where there was no such request, or it has
  /// expired.
  func asked(
    _ request: AgentVerificationRequest, _ content: String, of application: Application, on call: Appointment,
    naming approval: String?, by agent: Agent, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    // What could not follow is not asked for.
    var trial = application
    try requireLegal(request.event, application)
    if request.event == .agentAccepted { try accept(&trial) }
    let machine = ApplicationMachine(core: core, tenant: agent.tenant, call: call)
    return try core.cases.request(
      ApplicationFlow.act(request.event, on: application, content), under: ApplicationFlow.verdictRule,
      about: machine.awaitedWork(for: application, in: tx), tenant: application.tenant,
      person: application.id.keySubject.id, by: agent.actor, naming: approval, in: tx)
  }
}

extension AgentVerificationRequest {
  /// What an agent asks a colleague to agree to; nil for other acts.
  package init?(_ act: BoundAct) {
    guard act.action.hasPrefix("rubix."),
      let verdict = try? WireJSON.decode(Self.self, stored: Data(act.content.utf8))
    else { return nil }
    self = verdict
  }

  /// What the verdict does to an application.
  var event: ApplicationEvent {
    verdict == .successful ? .agentAccepted : retryAllowed ? .agentRefusedOnce : .agentRefused
  }
}
