// SPDX-License-Identifier: Apache-2.0

import Storage

/// The table of the release before, whose rows `FourEyesPolicyStore` took over: what was the most of a posting.
package enum PostingPolicyStore {
  package static let migration = Migration(
    "2026-11-26 finaptic posting policy",
    """
    CREATE TABLE finaptic_posting_policy (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      amount_max BIGINT NOT NULL CHECK (amount_max >= 0)
    );
    """)
}
