// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Rows of `oneassist_partner` and `oneassist_plan`.
package struct PartnerStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  /// `units` are numbers with spaces between; no query searches by them.
  package static let migration = Migration(
    "2026-11-22 oneassist 1 partner",
    """
    CREATE TABLE oneassist_partner (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      client_id TEXT NOT NULL UNIQUE,
      code BIGINT NOT NULL UNIQUE,
      units TEXT NOT NULL,
      name TEXT NOT NULL,
      is_international BIGINT NOT NULL,
      webhook_url TEXT,
      webhook_secret BLOB,
      created_at BIGINT NOT NULL
    );
    CREATE TABLE oneassist_plan (
      partner_id TEXT NOT NULL REFERENCES oneassist_partner (id),
      code BIGINT NOT NULL,
      name TEXT NOT NULL,
      price BIGINT NOT NULL,
      tax BIGINT NOT NULL,
      cover_amount BIGINT NOT NULL,
      months BIGINT NOT NULL CHECK (months > 0),
      starts_after_days BIGINT NOT NULL,
      invoice_days_max BIGINT NOT NULL,
      invoice_value_min BIGINT NOT NULL,
      invoice_value_max BIGINT NOT NULL,
      product_code TEXT NOT NULL,
      PRIMARY KEY (partner_id, code)
    );
    """)

  private static let columns: SQLColumns =
    "id, tenant, client_id, code, units, name, is_international, webhook_url, created_at"

  /// - Throws: `SQLError.notUnique` when there is one of that code.
  func insert(_ partner: Partner, webhookSecret: String?) throws {
    let secret = try webhookSecret.map { try vault.seal(Data($0.utf8), context: Self.context(partner.id)) }
    let units = partner.units.sorted().map { "\($0)" }.joined(separator: " ")
    try tx.execute(
      """
      INSERT INTO oneassist_partner
        (id, tenant, client_id, code, units, name, is_international, webhook_url, webhook_secret, created_at)
      VALUES (\(partner.id), \(partner.tenant), \(partner.client), \(partner.code), \(units), \(partner.name),
        \(partner.isInternational), \(partner.webhookURL), \(secret), \(partner.createdAt))
      """)
  }

  func find(_ id: Partner.ID) throws -> Partner? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_partner WHERE id = \(id)
      """
    ).map(Self.partner)
  }

  func find(client: String) throws -> Partner? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_partner WHERE client_id = \(client)
      """
    ).map(Self.partner)
  }

  func find(code: Int64) throws -> Partner? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_partner WHERE code = \(code)
      """
    ).map(Self.partner)
  }

  func list(tenant: String, limit: Int) throws -> [Partner] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM oneassist_partner WHERE tenant = \(tenant) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.partner)
  }

  func webhookSecret(of id: Partner.ID) throws -> String? {
    let row = try tx.first("SELECT webhook_secret FROM oneassist_partner WHERE id = \(id)")
    guard let sealed = try row?.get("webhook_secret", as: Data?.self) else { return nil }
    return String(decoding: try vault.open(sealed, context: Self.context(id)), as: UTF8.self)
  }

  /// The secret in the place of the one before, which its endpoint may go on signing with.
  func save(webhookSecret: WebhookSecret, of id: Partner.ID) throws {
    let sealed = try vault.seal(Data(webhookSecret.text.utf8), context: Self.context(id))
    try tx.execute("UPDATE oneassist_partner SET webhook_secret = \(sealed) WHERE id = \(id)")
  }

  /// - Throws: `SQLError.notUnique` when the partner has a plan of that code.
  func insert(_ plan: Plan, of partner: Partner.ID) throws {
    try tx.execute(
      """
      INSERT INTO oneassist_plan
        (partner_id, code, name, price, tax, cover_amount, months, starts_after_days, invoice_days_max,
         invoice_value_min, invoice_value_max, product_code)
      VALUES (\(partner), \(plan.code), \(plan.name), \(plan.price), \(plan.tax), \(plan.coverAmount), \(plan.months),
        \(plan.startsAfterDays), \(plan.invoiceDaysMax), \(plan.invoiceValues.lowerBound),
        \(plan.invoiceValues.upperBound), \(plan.productCode))
      """)
  }

  func plan(_ code: Int64, of partner: Partner.ID) throws -> Plan? {
    try tx.first(
      """
      SELECT code, name, price, tax, cover_amount, months, starts_after_days, invoice_days_max, invoice_value_min,
        invoice_value_max, product_code
      FROM oneassist_plan WHERE partner_id = \(partner) AND code = \(code)
      """
    ).map { row in
      let (low, high): (Int64, Int64) = (try row.get("invoice_value_min"), try row.get("invoice_value_max"))
      return Plan(
        code: try row.get("code"), name: try row.get("name"), price: try row.get("price"), tax: try row.get("tax"),
        coverAmount: try row.get("cover_amount"), months: try row.get("months"),
        startsAfterDays: try row.get("starts_after_days"), invoiceDaysMax: try row.get("invoice_days_max"),
        invoiceValues: low...max(low, high), productCode: try row.get("product_code"))
    }
  }

  private static func context(_ id: Partner.ID) -> String { "oneassist_partner.webhook_secret:\(id)" }

  private static func partner(_ row: SQLRow) throws -> Partner {
    Partner(
      id: try row.get("id"), tenant: try row.get("tenant"), client: try row.get("client_id"),
      code: try row.get("code"),
      units: Set(try row.get("units", as: String.self).split(separator: " ").compactMap { Int64($0) }),
      name: try row.get("name"), isInternational: try row.get("is_international"),
      webhookURL: try row.get("webhook_url"), createdAt: try row.get("created_at"))
  }
}
