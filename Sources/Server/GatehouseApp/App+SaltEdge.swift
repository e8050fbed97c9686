import RubixFlow
import SaltEdgeFlow

extension App {
  package var saltEdgeModule: SaltEdgeModule {
    SaltEdgeModule(
      saltEdge, effects: saltEdgeEffects, serviceClients: serviceClients, idempotency: core.idempotency)
  }

  /// Banks may know their customers by the ids of their applications.
  package var customerErasure: CustomerErasure {
    let erasure = UserErasure(saltEdge.core)
    return rubix.erasure(devOutbox: devOutbox) { subject, tx in
      try erasure.forget(
        subject.customer, tenant: subject.tenant, reason: subject.reason, by: subject.actor, in: tx)
    }
  }
}
