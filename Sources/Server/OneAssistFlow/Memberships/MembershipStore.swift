// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// Rows of `oneassist_membership` and `oneassist_imei`.
package struct MembershipStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  /// Flags are words with spaces between; no query searches by them. Days are `YYYY-MM-DD`.
  package static let migration = Migration(
    "2026-11-22 oneassist 2 membership",
    """
    CREATE TABLE oneassist_membership (
      id TEXT PRIMARY KEY,
      partner_id TEXT NOT NULL REFERENCES oneassist_partner (id),
      customer_id TEXT NOT NULL,
      mobile_digest TEXT NOT NULL,
      order_uuid TEXT NOT NULL UNIQUE,
      order_number BIGINT NOT NULL UNIQUE,
      activation_code TEXT NOT NULL UNIQUE,
      activity_reference TEXT NOT NULL UNIQUE,
      application_number TEXT NOT NULL,
      application_digest TEXT NOT NULL,
      plan_code BIGINT NOT NULL,
      status TEXT NOT NULL,
      starts_on TEXT NOT NULL,
      ends_on TEXT NOT NULL,
      documents_until BIGINT NOT NULL,
      second_last_four TEXT,
      link_sent_at BIGINT,
      flags TEXT NOT NULL,
      reuploads BIGINT NOT NULL,
      mismatches BIGINT NOT NULL,
      erase_after BIGINT,
      content BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      UNIQUE (partner_id, application_number)
    );
    CREATE INDEX oneassist_membership_customer ON oneassist_membership (partner_id, mobile_digest, created_at);
    CREATE INDEX oneassist_membership_queue ON oneassist_membership (status, updated_at, id);
    CREATE INDEX oneassist_membership_erasure ON oneassist_membership (erase_after) WHERE erase_after IS NOT NULL;
    CREATE TABLE oneassist_imei (
      digest TEXT NOT NULL,
      membership_id TEXT NOT NULL REFERENCES oneassist_membership (id),
      PRIMARY KEY (digest, membership_id)
    );
    CREATE INDEX oneassist_imei_membership ON oneassist_imei (membership_id);
    """)

  private static let columns: SQLColumns = """
    id, partner_id, customer_id, order_uuid, order_number, activation_code, activity_reference, application_number, \
    plan_code, status, starts_on, ends_on, documents_until, second_last_four, link_sent_at, flags, reuploads, \
    mismatches, erase_after, content, created_at, version
    """

  /// - Parameters:
  ///   - mobile: digest of the number of the purchase.
  ///   - application: digest of what the partner sent.
  /// - Throws: `SQLError.notUnique` when the partner used the application number before.
  func insert(_ membership: Membership, mobile: String, application: String) throws {
    try tx.execute(
      """
      INSERT INTO oneassist_membership
        (id, partner_id, customer_id, mobile_digest, order_uuid, order_number, activation_code, activity_reference,
         application_number, application_digest, plan_code, status, starts_on, ends_on, documents_until,
         second_last_four, link_sent_at, flags, reuploads, mismatches, erase_after, content, created_at, updated_at,
         version)
      VALUES (\(membership.id), \(membership.partner), \(membership.customer), \(mobile), \(membership.orderUUID),
        \(membership.orderNumber), \(membership.activationCode), \(membership.activityReference),
        \(membership.applicationNumber), \(application), \(membership.planCode), \(membership.status),
        \(membership.startsOn.description), \(membership.endsOn.description), \(membership.documentsUntil),
        NULL, \(membership.linkSentAt), \(Self.words(membership.flags)),
        \(membership.reuploads), \(membership.mismatches), \(membership.eraseAfter), \(try sealed(membership)),
        \(membership.createdAt), \(membership.createdAt), 0)
      """)
  }

  /// Lets an erasure and what is said meanwhile meet: one of the two runs again and finds what the other one did.
  /// - Returns: false when the row is gone.
  func touch(_ id: Membership.ID) throws -> Bool {
    try tx.execute("UPDATE oneassist_membership SET status = status WHERE id = \(id)") == 1
  }

  /// Without opening what is sealed; nil when it is gone.
  package static func version(of id: Membership.ID, in tx: any SQLTransaction) throws -> Int64? {
    try tx.first("SELECT version FROM oneassist_membership WHERE id = \(id)")?.get("version")
  }

  func find(_ id: Membership.ID) throws -> Membership? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_membership WHERE id = \(id)
      """
    ).map(membership)
  }

  /// By the order's id or the activation code: calls take either (§8).
  func find(order name: String) throws -> Membership? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_membership WHERE order_uuid = \(name) OR activation_code = \(name)
      """
    ).map(membership)
  }

  func find(activityReference name: String) throws -> Membership? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_membership WHERE activity_reference = \(name)
      """
    ).map(membership)
  }

  /// What a partner's application became, and the digest of what it sent.
  func find(
    application number: String, of partner: Partner.ID
  ) throws -> (membership: Membership.ID, digest: String)? {
    try tx.first(
      """
      SELECT id, application_digest FROM oneassist_membership
      WHERE partner_id = \(partner) AND application_number = \(number)
      """
    ).map { (try $0.get("id"), try $0.get("application_digest")) }
  }

  /// Of one person, the newest first.
  func all(mobile digest: String, of partner: Partner.ID, limit: Int) throws -> [Membership] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM oneassist_membership WHERE partner_id = \(partner) AND mobile_digest = \(digest)
      ORDER BY created_at DESC, id LIMIT \(limit)
      """
    ).map(membership)
  }

  /// Of one of a partner's customers, the newest.
  func newest(customer: String, of partner: Partner.ID) throws -> Membership? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM oneassist_membership WHERE partner_id = \(partner) AND customer_id = \(customer)
      ORDER BY created_at DESC, id LIMIT 1
      """
    ).map(membership)
  }

  /// Memberships that wait for a review, of every tenant, in the order of their ids.
  func pending(after id: Membership.ID?, limit: Int) throws -> [Membership.ID] {
    try tx.query(
      """
      SELECT id FROM oneassist_membership WHERE status = \(MembershipStatus.pending) AND id > \(id?.rawValue ?? "")
      ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// A tenant's memberships in one status, the longest waiting first.
  func all(_ status: MembershipStatus, tenant: String, limit: Int) throws -> [Membership] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM oneassist_membership
      WHERE status = \(status) AND partner_id IN (SELECT id FROM oneassist_partner WHERE tenant = \(tenant))
      ORDER BY updated_at, id LIMIT \(limit)
      """
    ).map(membership)
  }

  /// Whose partner is of which tenant.
  func tenants() throws -> [Partner.ID: String] {
    let rows = try tx.query("SELECT id, tenant FROM oneassist_partner ORDER BY id LIMIT 10000")
    return try Dictionary(rows.map { (try $0.get("id"), try $0.get("tenant")) }) { one, _ in one }
  }

  /// The newest first: ids begin with their time (RFC 9562, version 7).
  func page(
    _ statuses: [MembershipStatus], before id: String?, in scope: TenantScope, limit: Int
  ) throws -> [Membership] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM oneassist_membership
      WHERE id < \(id ?? "g") AND status IN \(list: statuses) AND partner_id IN
        (SELECT id FROM oneassist_partner
         WHERE CASE WHEN tenant IN \(list: scope.names) THEN 1 ELSE 0 END = \(scope.isOnly))
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(membership)
  }

  /// Memberships that an identifier names, the newest first: each kind of identifier is looked for in its own index.
  /// - Parameters:
  ///   - mobiles: digests of it as a number of a phone.
  ///   - imei: its digest as an IMEI; empty when the name is not an IMEI.
  func named(
    _ name: String, mobiles: [String], imei: String, before id: String?, in scope: TenantScope, limit: Int
  ) throws -> [Membership] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM (
        SELECT id AS found FROM oneassist_membership WHERE id = \(name)
        UNION SELECT id FROM oneassist_membership WHERE order_uuid = \(name)
        UNION SELECT id FROM oneassist_membership WHERE activation_code = \(name)
        UNION SELECT id FROM oneassist_membership WHERE activity_reference = \(name)
        UNION SELECT id FROM oneassist_membership WHERE order_number = \(Int64(name) ?? -1)
        UNION SELECT id FROM oneassist_membership
          WHERE partner_id IN (SELECT id FROM oneassist_partner) AND application_number = \(name)
        UNION SELECT id FROM oneassist_membership
          WHERE partner_id IN (SELECT id FROM oneassist_partner)
            AND mobile_digest IN \(list: mobiles.isEmpty ? [""] : mobiles)
        UNION SELECT membership_id FROM oneassist_imei WHERE digest = \(imei)
      ) AS named JOIN oneassist_membership ON id = found
      WHERE id < \(id ?? "g") AND partner_id IN
        (SELECT id FROM oneassist_partner
         WHERE CASE WHEN tenant IN \(list: scope.names) THEN 1 ELSE 0 END = \(scope.isOnly))
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(membership)
  }

  /// Other memberships of a tenant that have the number of the phone of one, or an IMEI of it; the newest first. Their
  /// digests go with an erasure.
  func sharing(
    _ trait: RelatedMembership.Trait, with id: Membership.ID, tenant: String, limit: Int
  ) throws -> [Membership.ID] {
    switch trait {
    case .phone:
      return try tx.query(
        """
        SELECT other.id AS id
        FROM oneassist_membership AS mine JOIN oneassist_membership AS other ON other.mobile_digest = mine.mobile_digest
        WHERE mine.id = \(id) AND other.id <> \(id)
          AND other.partner_id IN (SELECT id FROM oneassist_partner WHERE tenant = \(tenant))
        ORDER BY other.id DESC LIMIT \(limit)
        """
      ).map { try $0.get("id") }
    case .device:
      return try tx.query(
        """
        SELECT DISTINCT other.membership_id AS id
        FROM oneassist_imei AS mine JOIN oneassist_imei AS other ON other.digest = mine.digest
          JOIN oneassist_membership AS item ON item.id = other.membership_id
        WHERE mine.membership_id = \(id) AND other.membership_id <> \(id)
          AND item.partner_id IN (SELECT id FROM oneassist_partner WHERE tenant = \(tenant))
        ORDER BY id DESC LIMIT \(limit)
        """
      ).map { try $0.get("id") }
    }
  }

  /// Compare-and-set on the version that the change was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ membership: Membership, at now: Instant) throws {
    let changed = try tx.execute(
      """
      UPDATE oneassist_membership SET status = \(membership.status), second_last_four = NULL,
        link_sent_at = \(membership.linkSentAt), flags = \(Self.words(membership.flags)),
        reuploads = \(membership.reuploads), mismatches = \(membership.mismatches),
        erase_after = \(membership.eraseAfter), content = \(try sealed(membership)), updated_at = \(now),
        version = version + 1
      WHERE id = \(membership.id) AND version = \(membership.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Moves the version alone.
  /// - Throws: `SQLError.outdated`.
  func renew(_ membership: Membership) throws {
    let changed = try tx.execute(
      """
      UPDATE oneassist_membership SET version = version + 1
      WHERE id = \(membership.id) AND version = \(membership.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Nothing is sealed of one that was erased, which must get no new key.
  private func sealed(_ membership: Membership) throws -> Data {
    guard !membership.isErased else { return Data() }
    return try vault.seal(
      membership.content, as: Self.context(membership.id), of: membership.keySubject, in: tx)
  }

  /// A row that cannot be opened any more counts as erased, as in a restored backup.
  private func content(_ sealed: Data, of id: Membership.ID) throws -> Membership.Content {
    guard !sealed.isEmpty else { return .init() }
    do {
      return try vault.open(sealed, as: Membership.Content.self, context: Self.context(id), in: tx)
    } catch VaultError.erased { return .init() }
  }

  private static func context(_ id: Membership.ID) -> String { "oneassist_membership.content:\(id)" }

  private static func words(_ flags: Set<Membership.Flag>) -> String {
    flags.sorted().map(\.rawValue).joined(separator: " ")
  }

  private func membership(_ row: SQLRow) throws -> Membership {
    let id: Membership.ID = try row.get("id")
    let flags = try row.get("flags", as: String.self).split(separator: " ")
    var content = try content(row.get("content"), of: id)
    // As rows were before: it is sealed with the rest when the row is written again.
    if content.secondLastFour == nil { content.secondLastFour = try row.get("second_last_four") }
    return Membership(
      id: id, partner: try row.get("partner_id"), customer: try row.get("customer_id"),
      orderUUID: try row.get("order_uuid"), orderNumber: try row.get("order_number"),
      activationCode: try row.get("activation_code"), activityReference: try row.get("activity_reference"),
      applicationNumber: try row.get("application_number"), planCode: try row.get("plan_code"),
      status: try row.get("status"), startsOn: try Self.day(row, "starts_on"), endsOn: try Self.day(row, "ends_on"),
      documentsUntil: try row.get("documents_until"), linkSentAt: try row.get("link_sent_at"),
      flags: Set(flags.compactMap { Membership.Flag(rawValue: String($0)) }),
      reuploads: try row.get("reuploads"), mismatches: try row.get("mismatches"),
      eraseAfter: try row.get("erase_after"), createdAt: try row.get("created_at"), version: try row.get("version"),
      content: content)
  }

  private static func day(_ row: SQLRow, _ column: String) throws -> WireDate {
    guard let day = WireDate(try row.get(column, as: String.self)) else { throw SQLError.unreadable(column) }
    return day
  }
}
