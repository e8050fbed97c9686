// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import CaseworkHTTP
import FinapticFlow
import HTTP
import Kit
import OneAssistFlow
import RubixFlow
import SaltEdgeFlow
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
  package var caseCommands: CaseCommands { CaseCommands(core, keeper: caseService, staff: staff) }
  package var approvalCommands: ApprovalCommands {
    ApprovalCommands(core, keeper: caseService, subjects: subjectVersions)
  }

  /// How what a second person agrees to stands now. Requests for exports and erasures do not change while they wait.
  private var subjectVersions: SubjectVersions {
    SubjectVersions([
      ("rubix.", { act, tx in try ApplicationStore.version(of: .init(rawValue: act.subject), in: tx) }),
      ("wultra.review.", { act, tx in try ReviewStore.version(ofWaiting: .init(rawValue: act.subject), in: tx) }),
      ("oneassist.review.", { act, tx in try MembershipStore.version(of: .init(rawValue: act.subject), in: tx) }),
      ("activation.", { act, tx in try Activation.version(ofBlocked: .init(rawValue: act.subject), in: tx) }),
      (
        FinapticDependencies.actPrefix,
        { [parts = finaptic.dependencies] act, tx in try parts.version(of: act, in: tx) }
      ),
    ])
  }

  private var caseRoutes: CaseRoutes<AgentContext> {
    CaseRoutes(
      commands: caseCommands, approvals: approvalCommands,
      events: ServerSentEvents(live: LiveEvents(database: database, world: world), world: world.machine))
  }

  /// Banks may know their customers by the ids of their applications.
  package var customerErasure: CustomerErasure {
    let erasure = UserErasure(saltEdge.core)
    return rubix.erasure(devOutbox: devOutbox, sealedColumns: sealedColumns) { subject, tx in
      try erasure.forget(
        subject.customer, tenant: subject.tenant, for: subject.reason, by: subject.actor, in: tx)
    }
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
