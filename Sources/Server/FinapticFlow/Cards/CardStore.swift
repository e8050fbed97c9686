// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_card` and `finaptic_card_policy`.
package struct CardStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Numbers are sealed; a keyed digest keeps two cards from having one.
  package static let migration = Migration(
    "2026-11-22 finaptic 41 card",
    """
    CREATE TABLE finaptic_card (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      account_id TEXT NOT NULL,
      holder_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('CARD_STATE_UNSPECIFIED', 'CARD_STATE_ACTIVE', 'CARD_STATE_LOCKED')),
      content BLOB NOT NULL,
      reference TEXT,
      last_four TEXT,
      sealed_secrets BLOB,
      number_digest TEXT UNIQUE,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      CHECK ((sealed_secrets IS NULL) = (number_digest IS NULL)),
      CHECK (state <> 'CARD_STATE_ACTIVE' OR sealed_secrets IS NOT NULL)
    );
    CREATE INDEX finaptic_card_holder ON finaptic_card (holder_id, created_at, id);
    CREATE INDEX finaptic_card_account ON finaptic_card (account_id, created_at, id);
    CREATE TABLE finaptic_card_policy (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      requires_step_up BIGINT NOT NULL CHECK (requires_step_up IN (0, 1))
    );
    """)

  private static let columns: SQLColumns =
    "id, tenant_id, account_id, holder_id, kind, state, content, reference, last_four, created_at, version"

  func insert(_ card: PaymentCard, _ secrets: CardSecrets?) throws {
    let user = try KeySubject.customer(card.holder, in: tx)
    // An erasure does not see a card that is opened meanwhile.
    if let user { try vault.holdSubjectKey(of: user, in: tx) }
    try tx.execute(
      """
      INSERT INTO finaptic_card (id, tenant_id, account_id, holder_id, kind, state, content, reference, last_four,
        sealed_secrets, number_digest, created_at, updated_at, version)
      VALUES (\(card.id), \(card.tenant), \(card.account), \(card.holder), \(card.kind), \(card.state),
        \(try sealed(card.content, card.id, of: user)), \(card.reference), \(card.lastFour),
        \(try secrets.map { try sealed($0, card.id, of: user) }), \(secrets.map(digest)),
        \(card.createdAt), \(card.createdAt), 0)
      """)
  }

  func find(_ id: PaymentCard.ID) throws -> PaymentCard? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card WHERE id = \(id)").map(card)
  }

  /// Locks the row for reading: its state does not change before the transaction ends.
  func keep(_ id: PaymentCard.ID) throws -> PaymentCard? {
    try tx.first("SELECT \(Self.columns) FROM finaptic_card WHERE id = \(id) \(.forShare)").map(card)
  }

  /// Whether the bank took the card out of use, whatever its state is.
  func isBlocked(_ id: PaymentCard.ID) throws -> Bool { try blockedAt(id) != nil }

  /// Since when the bank has taken the card out of use; nil while it has not.
  func blockedAt(_ id: PaymentCard.ID) throws -> Instant? {
    try tx.first("SELECT blocked_at FROM finaptic_card WHERE id = \(id)")?.get("blocked_at")
  }

  /// Why the card is blocked, in the order in which the reasons came; none for a card that is not. The reason of a
  /// block under a release that kept none is nil.
  func blockReasons(_ id: PaymentCard.ID) throws -> [StopReason?] {
    guard
      let row = try tx.first(
        "SELECT blocked_reason FROM finaptic_card WHERE id = \(id) AND blocked_at IS NOT NULL")
    else { return [] }
    let text: String? = try row.get("blocked_reason")
    return (text ?? Self.unkept).split(separator: " ").map { StopReason(rawValue: String($0)) }
  }

  /// Stands for a reason that was not kept.
  private static let unkept = "-"

  /// Waits for payments that use the card: they keep its row.
  /// - Parameters:
  ///   - at: since when the card is blocked; nil for one that is not any more.
  ///   - reasons: all of them; their words have no spaces.
  func setBlocked(_ at: Instant?, because reasons: [StopReason?], of id: PaymentCard.ID) throws {
    let text = reasons.isEmpty ? nil : reasons.map { $0?.rawValue ?? Self.unkept }.joined(separator: " ")
    try tx.execute("UPDATE finaptic_card SET blocked_at = \(at), blocked_reason = \(text) WHERE id = \(id)")
  }

  /// Locks the row: of two who block and unblock, the later one sees what the earlier did.
  func take(_ id: PaymentCard.ID) throws {
    _ = try tx.first("SELECT id FROM finaptic_card WHERE id = \(id) \(.forUpdate)")
  }

  package static let blockMigration = Migration(
    "2026-11-26 finaptic card block", "ALTER TABLE finaptic_card ADD COLUMN blocked_at BIGINT;")

  func secrets(of id: PaymentCard.ID) throws -> CardSecrets? {
    let sealed: Data? = try tx.first("SELECT sealed_secrets FROM finaptic_card WHERE id = \(id)")?.get("sealed_secrets")
    return try sealed.map { try vault.open($0, as: CardSecrets.self, context: Self.secretsContext(id), in: tx) }
  }

  /// The cards that a customer carries and those of the accounts that they own, the oldest first, after a given one.
  func visible(
    to customer: String, tenant: Int, after: (at: Instant, id: String)?, limit: Int
  ) throws -> [PaymentCard] {
    let (at, id) = (after?.at ?? Instant(milliseconds: 0), after?.id ?? "")
    return try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card
      WHERE id IN (
          SELECT held.id FROM finaptic_card AS held WHERE held.holder_id = \(customer)
          UNION
          SELECT owned.id FROM ledger_party AS p JOIN finaptic_card AS owned ON owned.account_id = p.account_id
          WHERE p.party = \(customer) AND p.role = 'owner'
        )
        AND tenant_id = \(tenant) AND (created_at > \(at) OR (created_at = \(at) AND id > \(id)))
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(card)
  }

  /// Cards of an account that one customer carries.
  func all(of holder: String, on account: BankAccount.ID) throws -> [PaymentCard] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card
      WHERE account_id = \(account) AND holder_id = \(holder) ORDER BY created_at, id
      """
    ).map(card)
  }

  /// Compare-and-set on the version that the move was decided on.
  /// - Throws: `SQLError.outdated`.
  func save(_ card: PaymentCard, at now: Instant) throws {
    let content = try sealed(card.content, card.id, of: KeySubject.customer(card.holder, in: tx))
    let changed = try tx.execute(
      """
      UPDATE finaptic_card SET state = \(card.state), content = \(content),
        reference = \(card.reference), last_four = \(card.lastFour), updated_at = \(now), version = version + 1
      WHERE id = \(card.id) AND version = \(card.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// Once: a number does not change.
  func setSecrets(_ secrets: CardSecrets, of id: PaymentCard.ID) throws {
    let holder: String? = try tx.first("SELECT holder_id FROM finaptic_card WHERE id = \(id)")?.get("holder_id")
    let sealed = try sealed(secrets, id, of: KeySubject.customer(holder, in: tx))
    try tx.execute(
      """
      UPDATE finaptic_card SET sealed_secrets = \(sealed), number_digest = \(digest(secrets))
      WHERE id = \(id) AND sealed_secrets IS NULL
      """)
  }

  /// Whatever a customer carries.
  func all(of holder: String) throws -> [PaymentCard] {
    try tx.query(
      "SELECT \(Self.columns) FROM finaptic_card WHERE holder_id = \(holder) ORDER BY created_at, id"
    ).map(card)
  }

  /// Deletes the number of a card that is locked.
  func deleteSecrets(of id: PaymentCard.ID) throws {
    try tx.execute("UPDATE finaptic_card SET sealed_secrets = NULL, number_digest = NULL WHERE id = \(id)")
  }

  /// By what the processor knows it.
  /// - Returns: nil where no card of the tenant has the reference, or two have it.
  func find(reference: String, tenant: Int) throws -> PaymentCard? {
    let found = try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_card WHERE tenant_id = \(tenant) AND reference = \(reference) LIMIT 2
      """
    ).map(card)
    return found.count == 1 ? found[0] : nil
  }

  // MARK: What tenants decide

  func requiresStepUp(_ tenant: Int) throws -> Bool {
    try tx.first("SELECT requires_step_up FROM finaptic_card_policy WHERE tenant_id = \(tenant)")?
      .get("requires_step_up") ?? false
  }

  func setRequiresStepUp(_ isRequired: Bool, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_card_policy (tenant_id, requires_step_up) VALUES (\(tenant), \(isRequired))
      ON CONFLICT (tenant_id) DO UPDATE SET requires_step_up = excluded.requires_step_up
      """)
  }

  // MARK: Sealing

  private func sealed(_ content: PaymentCard.Content, _ id: PaymentCard.ID, of user: KeySubject?) throws -> Data {
    guard content != .emptied else { return Data() }
    return try vault.seal(content, as: Self.contentContext(id), of: user, in: tx)
  }

  private func sealed(_ secrets: CardSecrets, _ id: PaymentCard.ID, of user: KeySubject?) throws -> Data {
    try vault.seal(secrets, as: Self.secretsContext(id), of: user, in: tx)
  }

  private func digest(_ secrets: CardSecrets) -> String { vault.digest(secrets.number, for: "finaptic card number") }

  private static func contentContext(_ id: PaymentCard.ID) -> String { "finaptic_card.content:\(id)" }
  private static func secretsContext(_ id: PaymentCard.ID) -> String { "finaptic_card.sealed_secrets:\(id)" }

  private func card(_ row: SQLRow) throws -> PaymentCard {
    let id: PaymentCard.ID = try row.get("id")
    return PaymentCard(
      id: id, tenant: try row.get("tenant_id"), account: try row.get("account_id"), holder: try row.get("holder_id"),
      kind: try row.get("kind"), state: try row.get("state"),
      content: try vault.open(row.get("content"), or: .emptied, context: Self.contentContext(id), in: tx),
      reference: try row.get("reference"), lastFour: try row.get("last_four"), createdAt: try row.get("created_at"),
      version: try row.get("version"))
  }
}
