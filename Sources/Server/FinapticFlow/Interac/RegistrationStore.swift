// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_autodeposit`.
///
/// An alias is one confirmed registration's in its network. Before that each customer may ask for it: `alias_digest` is
/// of the alias and the customer then, and of the alias alone from when it is confirmed.
package struct RegistrationStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-22 finaptic 30 autodeposit",
    """
    CREATE TABLE finaptic_autodeposit (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      customer_id TEXT NOT NULL REFERENCES finaptic_client_profile (customer_id),
      account_id TEXT NOT NULL,
      network TEXT NOT NULL,
      alias_digest TEXT NOT NULL,
      sealed_alias BLOB NOT NULL,
      confirm_digest TEXT UNIQUE,
      sealed_token BLOB,
      confirm_until BIGINT NOT NULL,
      confirmed_at BIGINT,
      expires_at BIGINT NOT NULL,
      noticed_at BIGINT,
      created_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      UNIQUE (network, alias_digest)
    );
    CREATE INDEX finaptic_autodeposit_customer ON finaptic_autodeposit (customer_id, id);
    CREATE INDEX finaptic_autodeposit_account ON finaptic_autodeposit (account_id, id);
    CREATE INDEX finaptic_autodeposit_expiry ON finaptic_autodeposit (expires_at);
    CREATE INDEX finaptic_autodeposit_unconfirmed ON finaptic_autodeposit (confirm_until)
      WHERE confirmed_at IS NULL;
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, customer_id, account_id, sealed_alias, confirmed_at, confirm_until, expires_at, noticed_at,
    created_at, version
    """

  /// - Parameter token: proves that the person who opens the message owns the alias.
  /// - Returns: false when the customer has asked for the alias already.
  func insert(_ registration: Registration, network: String, token: String) throws -> Bool {
    let (id, user) = (registration.id, try KeySubject.customer(registration.customer, in: tx))
    // A concurrent erasure would not see this registration.
    if let user { try vault.holdSubjectKey(of: user, in: tx) }
    let alias = try vault.seal(registration.alias, as: Self.context("sealed_alias", id), of: user, in: tx)
    let sealedToken = try vault.seal(token, as: Self.context("sealed_token", id), of: user, in: tx)
    return try tx.execute(
      """
      INSERT INTO finaptic_autodeposit
        (id, tenant_id, customer_id, account_id, network, alias_digest, sealed_alias, confirm_digest, sealed_token,
         confirm_until, expires_at, created_at, version)
      VALUES (\(id), \(registration.tenant), \(registration.customer), \(registration.account), \(network),
        \(digest(registration.alias, of: registration.customer)), \(alias), \(digest(token: token)), \(sealedToken),
        \(registration.confirmUntil), \(registration.expiresAt), \(registration.createdAt), 0)
      ON CONFLICT (network, alias_digest) DO NOTHING
      """) == 1
  }

  func find(_ id: Registration.ID) throws -> Registration? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_autodeposit WHERE id = \(id)").map(registration)
  }

  /// Whose the alias is. Programs before wrote one that is not confirmed in its place, too.
  func find(_ alias: InteracAlias, network: String) throws -> Registration? {
    try find(digest: digest(alias), network: network)
  }

  /// A customer's own that is not confirmed.
  func find(_ alias: InteracAlias, askedBy customer: String, network: String) throws -> Registration? {
    try find(digest: digest(alias, of: customer), network: network)
  }

  private func find(digest: String, network: String) throws -> Registration? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_autodeposit WHERE network = \(network) AND alias_digest = \(digest)"
    ).map(registration)
  }

  func find(token: String) throws -> Registration? {
    // Programs before have another digest, so that none of theirs confirms a registration without taking its alias.
    let former = vault.digest(token, for: "interac confirmation")
    return try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_autodeposit WHERE confirm_digest IN (\(digest(token: token)), \(former))
      """
    ).map(registration)
  }

  /// Of an account, the oldest first.
  func all(account: String, limit: Int) throws -> [Registration] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_autodeposit
      WHERE account_id = \(account) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(registration)
  }

  /// Of a customer, over all accounts.
  func all(of customer: String) throws -> [Registration] {
    try tx.query(
      "SELECT \(Self.columns) FROM finaptic_autodeposit WHERE customer_id = \(customer) ORDER BY created_at, id"
    ).map(registration)
  }

  /// Registrations that have not lapsed.
  func count(of customer: String, at now: Instant) throws -> Int {
    try tx.first(
      """
      SELECT COUNT(*) AS count FROM finaptic_autodeposit
      WHERE customer_id = \(customer) AND expires_at > \(now) AND (confirmed_at IS NOT NULL OR confirm_until > \(now))
      """)?.get("count") ?? 0
  }

  /// The token that the message is to hold; nil once it is of no use.
  func token(of id: Registration.ID) throws -> String? {
    try tx.first("SELECT sealed_token FROM finaptic_autodeposit WHERE id = \(id) AND sealed_token IS NOT NULL").map {
      try vault.open($0.get("sealed_token"), as: String.self, context: Self.context("sealed_token", id), in: tx)
    }
  }

  /// One that is confirmed takes its alias.
  /// - Throws: `SQLError.outdated` when another one was faster; `SQLError.notUnique` when its alias was taken.
  func advance(_ registration: Registration) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_autodeposit SET account_id = \(registration.account), confirmed_at = \(registration.confirmedAt),
        expires_at = \(registration.expiresAt), noticed_at = \(registration.noticedAt), version = version + 1,
        alias_digest = CASE WHEN CAST(\(registration.confirmedAt) AS BIGINT) IS NULL THEN alias_digest
          ELSE \(digest(registration.alias)) END,
        sealed_token = CASE WHEN CAST(\(registration.confirmedAt) AS BIGINT) IS NULL THEN sealed_token END
      WHERE id = \(registration.id) AND version = \(registration.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// - Throws: `SQLError.outdated` when another one was faster.
  func delete(_ registration: Registration) throws {
    let changed = try tx.execute(
      "DELETE FROM finaptic_autodeposit WHERE id = \(registration.id) AND version = \(registration.version)")
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Aliases are not opened here, so one that cannot be opened does not stop the deletion.
  /// - Returns: those that were confirmed.
  func deleteAll(of customer: String) throws -> [(id: String, tenant: Int, version: Int)] {
    try tx.query(
      """
      DELETE FROM finaptic_autodeposit WHERE customer_id = \(customer) RETURNING id, tenant_id, version, confirmed_at
      """
    ).compactMap { row -> (id: String, tenant: Int, version: Int)? in
      let confirmedAt: Instant? = try row.get("confirmed_at")
      return confirmedAt == nil ? nil : (try row.get("id"), try row.get("tenant_id"), try row.get("version"))
    }
  }

  /// Ids of a tenant's confirmed registrations, in their order.
  /// - Parameter after: empty for the first ones.
  func confirmed(of tenant: Int, after: String, limit: Int) throws -> [String] {
    try tx.query(
      """
      SELECT id FROM finaptic_autodeposit
      WHERE tenant_id = \(tenant) AND confirmed_at IS NOT NULL AND id > \(after) ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  // MARK: Expiry

  /// Ended, or never confirmed in time.
  /// - Parameter failed: those that are passed over.
  func lapsed(at now: Instant, besides failed: [Registration.ID], limit: Int) throws -> [Registration.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_autodeposit
      WHERE (expires_at <= \(now) OR (confirmed_at IS NULL AND confirm_until <= \(now)))
        AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Registrations that end before a horizon and whose holders do not know it yet.
  /// - Parameter failed: those that are passed over.
  func ending(before horizon: Instant, besides failed: [Registration.ID], limit: Int) throws -> [Registration.ID] {
    try tx.query(
      """
      SELECT id FROM finaptic_autodeposit
      WHERE expires_at <= \(horizon) AND noticed_at IS NULL AND confirmed_at IS NOT NULL
        AND NOT COALESCE(id IN \(list: failed), FALSE)
      ORDER BY expires_at, id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// The subject of limits of messages to an alias: a digest, from which the alias cannot be read.
  func limitSubject(_ alias: InteracAlias) -> String { vault.digest(alias.folded, for: "interac alias limit") }

  private func digest(_ alias: InteracAlias) -> String { vault.digest(alias.folded, for: "interac alias") }
  private func digest(_ alias: InteracAlias, of customer: String) -> String {
    vault.digest("\(customer) \(alias.folded)", for: "interac alias asked for")
  }
  private func digest(token: String) -> String { vault.digest(token, for: "interac confirmation of a customer") }

  private static func context(_ column: String, _ id: Registration.ID) -> String {
    "finaptic_autodeposit.\(column):\(id)"
  }

  private func registration(_ row: SQLRow) throws -> Registration {
    let id: Registration.ID = try row.get("id")
    return Registration(
      id: id, tenant: try row.get("tenant_id"), customer: try row.get("customer_id"),
      account: try row.get("account_id"),
      alias: try vault.open(
        row.get("sealed_alias"), as: InteracAlias.self, context: Self.context("sealed_alias", id), in: tx),
      confirmedAt: try row.get("confirmed_at"), confirmUntil: try row.get("confirm_until"),
      expiresAt: try row.get("expires_at"), noticedAt: try row.get("noticed_at"), createdAt: try row.get("created_at"),
      version: try row.get("version"))
  }
}
