import Delivery
import Foundation
import Kit
import Storage

/// The line to tenants' servers. Repetitions of an event carry the same id.
package struct EventPublisher: Sendable {
  /// A tenant without an endpoint asks instead.
  package let tell: @Sendable (_ tenant: Int, OnboardingEvent) async throws -> Void

  package init(tell: @escaping @Sendable (Int, OnboardingEvent) async throws -> Void) { self.tell = tell }

  /// There is no way out: events wait.
  package static let absent = EventPublisher { _, _ in throw Problem.unavailable }

  /// To the tenant's endpoints, signed as Standard Webhooks are.
  package static func webhooks(_ webhooks: Webhooks, database: any SQLDatabase) -> EventPublisher {
    EventPublisher { tenant, event in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let message = WebhookMessage(
        event.eventType, name: event.eventId, tenant: FinapticTenant.webhooks(tenant), body: try encoder.encode(event),
        about: event.customerId ?? event.applicationId)
      try await database.write { _ = try webhooks.publish(message, in: $0) }
    }
  }
}

extension FinapticTenant {
  /// How webhooks and texts name a tenant.
  package static func webhooks(_ tenant: Int) -> TenantID { TenantID("finaptic", "\(tenant)") }
}
