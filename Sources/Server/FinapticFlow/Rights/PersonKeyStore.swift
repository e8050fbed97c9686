// SPDX-License-Identifier: Apache-2.0

import Storage

/// Indexes by which an erasure counts what a user's key sealed, and by which the job `reseal` walks second factors.
package enum PersonKeyStore {
  package static let migration = Migration(
    "2026-11-26 finaptic person keys",
    """
    CREATE INDEX finaptic_push_channel_customer ON finaptic_push_channel (customer_id);
    CREATE INDEX finaptic_factor_reseal ON finaptic_factor ((user_id || ':' || kind));
    """)
}
