// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_four_eyes` and `finaptic_four_eyes_amount`.
package struct FourEyesPolicyStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// What an operator set as the most of a posting becomes the most without a second person.
  package static let migration = Migration(
    "2026-11-29 finaptic four eyes",
    """
    CREATE TABLE finaptic_four_eyes (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      acts TEXT NOT NULL
    );
    CREATE TABLE finaptic_four_eyes_amount (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      currency TEXT NOT NULL,
      amount_max BIGINT NOT NULL CHECK (amount_max >= 0),
      PRIMARY KEY (tenant_id, currency)
    );
    INSERT INTO finaptic_four_eyes_amount (tenant_id, currency, amount_max)
      SELECT tenant_id, 'CAD', amount_max FROM finaptic_posting_policy;
    """)

  func policy(of tenant: FinapticTenant) throws -> FourEyesPolicy {
    let row = try tx.first("SELECT acts FROM finaptic_four_eyes WHERE tenant_id = \(tenant.id)")
    let words: String? = try row?.get("acts")
    let acts = words.map { Set($0.split(separator: " ").compactMap { FourEyesPolicy.Act(rawValue: String($0)) }) }
    let amounts = try tx.query(
      "SELECT currency, amount_max FROM finaptic_four_eyes_amount WHERE tenant_id = \(tenant.id)")
    return FourEyesPolicy(
      acts: acts ?? FourEyesPolicy.standardActs(of: tenant.kind), hasOwnActs: acts != nil,
      amounts: Dictionary(
        try amounts.map { (try $0.get("currency", as: String.self), try $0.get("amount_max", as: Int64.self)) },
        uniquingKeysWith: { first, _ in first }))
  }

  func set(_ acts: Set<FourEyesPolicy.Act>, of tenant: Int) throws {
    let words = acts.sorted().map(\.rawValue).joined(separator: " ")
    try tx.execute(
      """
      INSERT INTO finaptic_four_eyes (tenant_id, acts) VALUES (\(tenant), \(words))
      ON CONFLICT (tenant_id) DO UPDATE SET acts = excluded.acts
      """)
  }

  func setAmount(_ minorUnits: Int64, in currency: String, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_four_eyes_amount (tenant_id, currency, amount_max)
      VALUES (\(tenant), \(currency), \(minorUnits))
      ON CONFLICT (tenant_id, currency) DO UPDATE SET amount_max = excluded.amount_max
      """)
  }
}
