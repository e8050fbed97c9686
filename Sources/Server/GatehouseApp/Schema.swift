import Activations
import Console
import Conversations
import Delivery
import HTTP
import Identity
import Kit
import Ledger
import Scheduling
import Screening
import Storage

/// Every step of the schema, ascending. A released step is never edited.
package enum Schema {
  /// Of the product.
  package static let migrations = migrations(with: House.product)

  static func migrations(with modules: [ModuleEntry]) -> [Migration] {
    (shared + modules.flatMap { $0.type.migrations }).sorted { $0.id < $1.id }
  }

  /// What every module builds on.
  private static let shared: [Migration] = [
    OutboxStore.migration, AuditStore.migration, DataKeyStore.migration, IdempotencyStore.migration,
    RateCounterStore.migration, SessionStore.migration, SessionStore.expiryMigration, SigningKeyStore.migration,
    Passcodes.migration, DevMessageStore.migration, Staff.migration, Screening.migration, AgentLeaveStore.migration,
    Appointments.migration, AuditStore.contentMigration, Screening.replacementMigration, OutboxStore.leaseMigration,
    LiveEventStore.migration, LiveEventStore.forgettingMigration, OutboxStore.originMigration,
    OutboxStore.patienceMigration, OutboxStore.readyMigration, DevMessageStore.subjectMigration,
    DevMessageStore.pushMigration, Activations.migration, ServiceClientStore.migration, DemoBankStore.migration,
    LedgerStore.migration, WebhookEndpointStore.migration, WebhookDeliveryStore.migration,
    WebhookTurnStore.migration, WebhookEndpointStore.bindingMigration, WebhookLogStore.migration,
    ConversationStore.migration,
  ]
}
