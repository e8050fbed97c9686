// SPDX-License-Identifier: Apache-2.0

import Casework
import CaseworkHTTP
import HTTP
import Kit
import RubixFlow
import SaltEdgeFlow
import Storage
import WultraFlow

extension App {
  var rubixModule: RubixModule {
    RubixModule(
      rubix, settings: settings[RubixSettings.self], isSandbox: settings.isSandbox, evidence: evidence, faces: faces,
      liveness: liveness,
      screening: screening, staff: staff, effects: effects, erasure: customerErasure
    ) { [reviews = wultra.reviews, cases = caseRoutes] agents in
      ReviewRoutes(commands: reviews).add(to: agents.group("agents/wultra"))
      cases.add(to: agents.group("agents"))
    }
  }

  /// What members of staff do with cases.
  package var caseCommands: CaseCommands { CaseCommands(core, caseService: caseService, staff: staff) }

  private var caseRoutes: CaseRoutes<AgentContext> {
    CaseRoutes(
      commands: caseCommands, approvals: approvalCommands,
      events: ServerSentEvents(live: LiveEvents(database: database, world: world), world: world.machine)
    ) { [access = rubix.agentAccess(staff: staff)] context in
      let agent = context.agent
      return { try await access.goesOn(agent) }
    }
  }

  /// Banks may know their customers by the ids of their applications.
  package var customerErasure: CustomerErasure {
    rubix.erasure(devOutbox: devOutbox, sealedColumns: sealedColumns, alsoIn: SaltEdgeFlow.UserErasure(saltEdge.core))
  }
}

extension SaltEdgeFlow.UserErasure: CustomerForgetting {
  package func forget(_ subject: CustomerErasure.Subject, in tx: any SQLTransaction) throws {
    try forget(subject.customer, tenant: subject.tenant, for: subject.reason, by: subject.actor, in: tx)
  }
}

/// Agents look at what they may read anyway, and decide who may decide in calls.
extension AgentContext: ReviewerContext {
  package func reviewer(deciding: Bool) throws -> Reviewer {
    try agent.require(.readCustomers)
    if deciding { try agent.require(.attendVideo) }
    return Reviewer(tenant: agent.tenant.id, actor: agent.actor)
  }
}

extension AgentContext: CaseworkerContext {
  package func caseworker() -> CaseWorker { CaseWorker(agent.member) }
}
