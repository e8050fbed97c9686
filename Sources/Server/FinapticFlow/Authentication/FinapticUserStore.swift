// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_user`.
package struct FinapticUserStore {
  let tx: any SQLTransaction
  let vault: Vault

  private static let columns: SQLColumns =
    "id, tenant_id, sealed_profile, password_hash, email_verified_at, customer_id, blocked_at, created_at"

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-22 finaptic 02 user",
    """
    CREATE TABLE finaptic_user (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      email_digest TEXT NOT NULL,
      username_digest TEXT,
      sealed_profile BLOB NOT NULL,
      password_hash TEXT NOT NULL,
      email_verified_at BIGINT,
      customer_id TEXT UNIQUE,
      blocked_at BIGINT,
      created_at BIGINT NOT NULL,
      UNIQUE (tenant_id, email_digest),
      UNIQUE (tenant_id, username_digest)
    );
    CREATE TABLE finaptic_guard (
      account TEXT PRIMARY KEY,
      failures BIGINT NOT NULL,
      locked_until BIGINT,
      touched_at BIGINT NOT NULL
    );
    CREATE INDEX finaptic_guard_touched ON finaptic_guard (touched_at);
    """)

  /// Who was blocked under a release whose books knew of no stopped parties, or before they had an account, is stopped
  /// in the books too.
  package static let stopMigration = Migration(
    "2026-11-28 finaptic blocked parties",
    """
    UPDATE ledger_party SET stopped_at =
      (SELECT u.blocked_at FROM finaptic_user AS u WHERE u.customer_id = ledger_party.party)
    WHERE stopped_at IS NULL AND party IN
      (SELECT customer_id FROM finaptic_user WHERE customer_id IS NOT NULL AND blocked_at IS NOT NULL);
    """)

  /// A user with what only signing in looks at.
  struct Row: Sendable {
    let user: FinapticUser
    let passwordHash: String
  }

  /// - Throws: `SQLError.notUnique` when the tenant has the address or the name.
  package func insert(_ user: FinapticUser, passwordHash: String) throws {
    let email = digest(email: user.profile.email, tenant: user.tenant)
    let username = user.profile.username.map { digest(username: $0, tenant: user.tenant) }
    let sealed = try vault.seal(
      user.profile, as: Self.context(user.id), of: KeySubject(user.id, ofTenant: user.tenant), in: tx)
    try tx.execute(
      """
      INSERT INTO finaptic_user (id, tenant_id, email_digest, username_digest, sealed_profile, password_hash, created_at)
      VALUES (\(user.id), \(user.tenant), \(email), \(username), \(sealed), \(passwordHash), \(user.createdAt))
      """)
  }

  func find(_ id: FinapticUser.ID) throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_user WHERE id = \(id)").map(row)
  }

  func find(email: String, tenant: Int) throws -> Row? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_user
      WHERE tenant_id = \(tenant) AND email_digest = \(digest(email: email, tenant: tenant))
      """
    ).map(row)
  }

  func find(username: String, tenant: Int) throws -> Row? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM finaptic_user
      WHERE tenant_id = \(tenant) AND username_digest = \(digest(username: username, tenant: tenant))
      """
    ).map(row)
  }

  func find(customer: String, tenant: Int) throws -> Row? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_user WHERE tenant_id = \(tenant) AND customer_id = \(customer)"
    ).map(row)
  }

  static func id(ofCustomer customer: String, in tx: any SQLTransaction) throws -> FinapticUser.ID? {
    try tx.first("SELECT id FROM finaptic_user WHERE customer_id = \(customer)")?.get("id")
  }

  /// Who applied; nil without an account.
  static func id(ofApplication application: String, in tx: any SQLTransaction) throws -> FinapticUser.ID? {
    try tx.first("SELECT user_id FROM finaptic_application WHERE id = \(application)").flatMap {
      try $0.get("user_id", as: FinapticUser.ID?.self)
    }
  }

  /// Users by the customers that they became.
  static func ids(ofCustomers customers: [String], in tx: any SQLTransaction) throws -> [String: FinapticUser.ID] {
    try tx.query("SELECT id, customer_id FROM finaptic_user WHERE customer_id IN \(list: customers)")
      .reduce(into: [:]) { try $0[$1.get("customer_id", as: String.self)] = $1.get("id") }
  }

  /// Which of some customers have a user who was not erased: a row stays of one who was.
  static func reachable(_ customers: [String], in tx: any SQLTransaction) throws -> Set<String> {
    guard !customers.isEmpty else { return [] }
    return Set(
      try tx.query(
        "SELECT customer_id FROM finaptic_user WHERE customer_id IN \(list: customers) AND length(sealed_profile) > 0"
      ).map { try $0.get("customer_id") })
  }

  /// The same, with their rows held as `takeIsKept` does: an erasure that goes on begins anew and finds what is written
  /// of them in this transaction, and this one begins anew after an erasure that ended since it began.
  static func takeReachable(_ customers: [String], in tx: any SQLTransaction) throws -> Set<String> {
    guard !customers.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        UPDATE finaptic_user SET created_at = created_at
        WHERE customer_id IN \(list: customers) AND length(sealed_profile) > 0 RETURNING customer_id
        """
      ).map { try $0.get("customer_id") })
  }

  /// By e-mail address or username.
  func find(identifier: String, tenant: Int) throws -> FinapticUser? {
    let text = CredentialRules.trimmed(identifier)
    return try (find(email: text, tenant: tenant) ?? find(username: text, tenant: tenant))?.user
  }

  /// Whom an erasure or an export is about, unless they were erased. Nothing sealed is opened: of a copy that was
  /// restored the key may be gone.
  /// - Parameter name: id of the user or of the customer, e-mail address or username.
  func kept(_ name: String, tenant: Int) throws -> (id: FinapticUser.ID, customer: String?)? {
    let (id, identifier) = (name.lowercased(), CredentialRules.trimmed(name))
    let (email, username) = (digest(email: identifier, tenant: tenant), digest(username: identifier, tenant: tenant))
    return try tx.first(
      """
      SELECT id, customer_id FROM finaptic_user
      WHERE tenant_id = \(tenant) AND password_hash <> ''
        AND (id = \(id) OR customer_id = \(id) OR email_digest = \(email) OR username_digest = \(username))
      ORDER BY CASE WHEN id = \(id) THEN 0 WHEN customer_id = \(id) THEN 1 WHEN email_digest = \(email) THEN 2
        ELSE 3 END
      LIMIT 1
      """
    ).map { (try $0.get("id"), try $0.get("customer_id")) }
  }

  /// A user without what is sealed, for lists.
  struct Outline: Sendable {
    let id: FinapticUser.ID
    let tenant: Int
    let state: State
    let createdAt: Instant
  }

  enum State: String, Sendable, CaseIterable, SQLConvertible { case registered, customer, blocked }

  private static let outline: SQLColumns = """
    id, tenant_id, created_at,
    CASE WHEN blocked_at IS NOT NULL THEN 'blocked' WHEN customer_id IS NULL THEN 'registered' ELSE 'customer' END
      AS state
    """

  /// Users of some tenants who were not erased, the newest first.
  func page(
    _ states: [State], of tenants: [Int], before id: String?, limit: Int
  ) throws -> [Outline] {
    try tx.query(
      """
      SELECT id, tenant_id, created_at, state FROM (
        SELECT \(Self.outline) FROM finaptic_user
        WHERE tenant_id IN \(list: tenants) AND password_hash <> '' AND id < \(id ?? "g")
      ) AS u WHERE state IN \(list: states) ORDER BY id DESC LIMIT \(limit)
      """
    ).map(Self.outline)
  }

  /// Users of some tenants whom an identifier names, the newest first: their own, or that of their account or card.
  func named(_ name: String, of tenants: [Int], before id: String?, limit: Int) throws -> [Outline] {
    var ids = try tenants.compactMap { try kept(name, tenant: $0)?.id }
    if let subject = name.canonicalUUID {
      ids += try tx.query(
        """
        SELECT u.id AS id FROM ledger_party AS p JOIN finaptic_user AS u ON u.customer_id = p.party
        WHERE p.account_id = \(subject)
        UNION SELECT u.id FROM finaptic_card AS c JOIN finaptic_user AS u ON u.customer_id = c.holder_id
        WHERE c.id = \(subject)
        LIMIT \(limit)
        """
      ).map { try $0.get("id") }
    }
    return try tx.query(
      """
      SELECT \(Self.outline) FROM finaptic_user
      WHERE id IN \(list: ids) AND tenant_id IN \(list: tenants) AND password_hash <> '' AND id < \(id ?? "g")
      ORDER BY id DESC LIMIT \(limit)
      """
    ).map(Self.outline)
  }

  private static func outline(_ row: SQLRow) throws -> Outline {
    Outline(
      id: try row.get("id"), tenant: try row.get("tenant_id"), state: try row.get("state"),
      createdAt: try row.get("created_at"))
  }

  /// Holds the user's row until the transaction ends. It is written, not only locked: a transaction that read before
  /// and changes the user after, as an erasure does, begins anew and finds what this one did.
  /// - Returns: false when there is no such customer.
  func take(customer: String, tenant: Int) throws -> Bool {
    try tx.execute(
      """
      UPDATE finaptic_user SET created_at = created_at WHERE tenant_id = \(tenant) AND customer_id = \(customer)
      """) == 1
  }

  /// Holds the user's row as `take(customer:tenant:)` does.
  /// - Returns: the user as they are from now on; nil when there is no such user.
  func take(_ id: FinapticUser.ID) throws -> FinapticUser? {
    guard try tx.execute("UPDATE finaptic_user SET created_at = created_at WHERE id = \(id)") == 1 else { return nil }
    return try find(id)?.user
  }

  /// Holds the user's row as `take` does, so that a transaction that blocks the user meanwhile waits, or begins anew.
  static func takeIsBlocked(customer: String, tenant: Int, in tx: any SQLTransaction) throws -> Bool {
    try tx.first(
      """
      UPDATE finaptic_user SET created_at = created_at WHERE tenant_id = \(tenant) AND customer_id = \(customer)
      RETURNING blocked_at
      """
    ).flatMap { try $0.get("blocked_at", as: Instant?.self) } != nil
  }

  /// Holds the user's row as `take` does, so that an erasure that goes on begins anew and finds what is written of the
  /// user in this transaction.
  /// - Returns: false for a user who was erased, whose row stays without a profile.
  static func takeIsKept(_ id: FinapticUser.ID, in tx: any SQLTransaction) throws -> Bool {
    try tx.execute(
      "UPDATE finaptic_user SET created_at = created_at WHERE id = \(id) AND length(sealed_profile) > 0") == 1
  }

  func setPasswordHash(_ hash: String, of id: FinapticUser.ID) throws {
    try tx.execute("UPDATE finaptic_user SET password_hash = \(hash) WHERE id = \(id)")
  }

  /// Only if the password was not changed meanwhile.
  func rehash(_ id: FinapticUser.ID, from old: String, to new: String) throws {
    try tx.execute("UPDATE finaptic_user SET password_hash = \(new) WHERE id = \(id) AND password_hash = \(old)")
  }

  /// - Returns: false when it was verified before.
  func verifyEmail(of id: FinapticUser.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      "UPDATE finaptic_user SET email_verified_at = \(now) WHERE id = \(id) AND email_verified_at IS NULL") == 1
  }

  /// - Returns: false when the user was blocked before.
  func block(_ id: FinapticUser.ID, at now: Instant) throws -> Bool {
    try tx.execute("UPDATE finaptic_user SET blocked_at = \(now) WHERE id = \(id) AND blocked_at IS NULL") == 1
  }

  /// - Returns: false when the user was not blocked.
  func unblock(_ id: FinapticUser.ID, with permit: FourEyesGate.Permit) throws -> Bool {
    try tx.execute("UPDATE finaptic_user SET blocked_at = NULL WHERE id = \(id) AND blocked_at IS NOT NULL") == 1
  }

  /// - Returns: false when the user is a customer already.
  package func setCustomer(_ customer: String, of id: FinapticUser.ID) throws -> Bool {
    try tx.execute(
      "UPDATE finaptic_user SET customer_id = \(customer) WHERE id = \(id) AND customer_id IS NULL") == 1
  }

  func digest(email: String, tenant: Int) -> String {
    vault.digest("\(tenant)\u{0}\(email.lowercased())", for: "finaptic email")
  }

  func digest(username: String, tenant: Int) -> String {
    vault.digest("\(tenant)\u{0}\(username.lowercased())", for: "finaptic username")
  }

  private static func context(_ id: FinapticUser.ID) -> String { "finaptic_user.sealed_profile:\(id)" }

  private func row(_ row: SQLRow) throws -> Row {
    let (id, sealed): (FinapticUser.ID, Data) = (try row.get("id"), try row.get("sealed_profile"))
    // Strict, so that whose key is gone does not sign in to a copy that was restored.
    let profile =
      sealed.isEmpty
      ? FinapticUser.Profile(email: "", username: nil)
      : try vault.open(sealed, as: FinapticUser.Profile.self, context: Self.context(id), in: tx)
    return Row(
      user: FinapticUser(
        id: id, tenant: try row.get("tenant_id"), profile: profile,
        emailVerifiedAt: try row.get("email_verified_at"), customer: try row.get("customer_id"),
        blockedAt: try row.get("blocked_at"), createdAt: try row.get("created_at")),
      passwordHash: try row.get("password_hash"))
  }
}
