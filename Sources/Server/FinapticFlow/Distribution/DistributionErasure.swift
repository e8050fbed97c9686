import Delivery
import Storage

/// Forgets the devices of somebody, what they were told, and what tenants' servers were told of them.
enum DistributionErasure {
  @Sendable
  static func forget(
    _ subject: FinapticErasure.Subject, _ parts: FinapticDependencies, in tx: any SQLTransaction
  ) throws {
    for application in subject.applications { try Webhooks.forget(about: application.rawValue, in: tx) }
    guard let customer = subject.customer else { return }
    try PushChannelStore(tx, vault: parts.vault).forget(customer, tenant: subject.tenant)
    try parts.devOutbox?.forget(about: customer, in: tx)
    try Webhooks.forget(about: customer, in: tx)
  }
}
