// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Messages that are kept for developers, the log of what was sent to customers, and webhooks. What a flow sends, the
/// flow sends by effects of its own.
package struct DeliveryModule: StoredModule {
  let webhooks: Webhooks

  package init(webhooks: Webhooks) { self.webhooks = webhooks }

  package static let migrations = [
    DevMessageStore.migration, DevMessageStore.subjectMigration, DevMessageStore.pushMigration,
    WebhookEndpointStore.migration, WebhookEndpointStore.bindingMigration, WebhookDeliveryStore.migration,
    WebhookTurnStore.migration, WebhookLogStore.migration, WebhookDeliveryStore.keySubjectMigration,
    SentMessageStore.migration,
  ]

  package static let sealedColumns = [
    SealedColumn("dev_message", "sealed", of: "subject_id"),
    SealedColumn("webhook_message", "sealed", of: "key_subject"), SentMessageStore.sealedColumn,
  ]

  package var effects: [String: OutboxWorker.Handler] { webhooks.handlers }

  package var retention: [ScheduledJob] {
    [
      ScheduledJob("old-webhooks") { [webhooks] in try await webhooks.sweep() },
      ScheduledJob("old-messages") { [webhooks] in
        let before = webhooks.world.now() - MessageLog.kept
        try await webhooks.database.sweep { try SentMessageStore.sweep(before: before, limit: $1, in: $0) }
      },
    ]
  }
}
