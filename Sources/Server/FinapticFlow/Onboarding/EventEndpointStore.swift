// SPDX-License-Identifier: Apache-2.0

import Storage

/// Where tenants' servers took events before webhooks had endpoints of their own.
package enum EventEndpointStore {
  package static let migration = Migration(
    "2026-11-22 finaptic 16 event endpoint",
    """
    CREATE TABLE finaptic_event_endpoint (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      secret BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    """)

  /// The secrets stay sealed for where they were, as their contexts say.
  package static let movingMigration = Migration(
    "2026-11-22 webhooks 3 finaptic endpoints",
    """
    INSERT INTO webhook_endpoint (id, tenant, url, events, secret, secret_context, created_at)
    SELECT 'finaptic-' || tenant_id, 'finaptic/' || tenant_id, url, '*', secret,
      'finaptic_event_endpoint.secret:' || tenant_id, created_at
    FROM finaptic_event_endpoint;
    DROP TABLE finaptic_event_endpoint;
    """)
}
