import RubixFlow
import WultraFlow

extension App {
  var rubixModule: RubixModule {
    RubixModule(
      rubix, registrationLimits: .init(factor: settings.registrationLimitFactor), evidence: evidence, faces: faces,
      liveness: liveness, screening: screening, partner: settings.partner, staff: staff, effects: effects,
      erasure: customerErasure
    ) { [reviews = wultra.reviews] agents in
      ReviewRoutes(commands: reviews).add(to: agents.group("agents/wultra"))
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
