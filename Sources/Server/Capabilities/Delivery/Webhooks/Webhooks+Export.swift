// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// That a system of another party was told of a person, for that person (GDPR art. 15 (1) c).
package struct ExportedWebhook: Encodable, Sendable, Equatable {
  /// Of the event, such as `membership.status_changed`.
  package let type: String
  /// Whether it is `pending`, `delivered` or `failed`.
  package let state: String
  /// When it happened; RFC 3339 in UTC.
  package let at: String
}

extension Webhooks {
  /// Messages about one person that are read; far more than a person has.
  private static let exportedMax = 10_000

  /// What others were told of one person, the oldest first, for as long as it is kept.
  package static func told(about subject: String, in tx: any SQLTransaction) throws -> [ExportedWebhook] {
    try WebhookLogStore(tx).list(about: subject, limit: exportedMax).map {
      ExportedWebhook(type: $0.type, state: $0.state.rawValue, at: $0.createdAt.rfc3339)
    }
  }
}
