// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Seals of entries, and checkpoints of the books.
extension LedgerStore {
  private static let sealedAccountColumns: SQLColumns =
    "id, tenant, sequence, actual, seal, sealed_from, sealed_proof"
  private static let checkpointColumns: SQLColumns = "number, day, at, is_whole, digest, document"

  /// Older accounts begin unsealed: `gatehouse ledger seal` binds what they hold.
  package static let sealMigration = Migration(
    "2026-11-26 ledger seal",
    """
    ALTER TABLE ledger_entry ADD COLUMN seal TEXT;
    ALTER TABLE ledger_account ADD COLUMN seal TEXT;
    ALTER TABLE ledger_account ADD COLUMN sealed_from BIGINT NOT NULL DEFAULT 1;
    ALTER TABLE ledger_account ADD COLUMN sealed_proof TEXT;
    CREATE TABLE ledger_checkpoint (
      tenant TEXT NOT NULL,
      number BIGINT NOT NULL CHECK (number > 0),
      day BIGINT NOT NULL,
      at BIGINT NOT NULL,
      is_whole BIGINT NOT NULL,
      digest TEXT NOT NULL,
      document TEXT NOT NULL,
      PRIMARY KEY (tenant, number)
    );
    """, appendOnly: ["ledger_checkpoint"])

  /// An account's books as their seals see them.
  struct SealedAccount {
    let id: LedgerAccount.ID
    let tenant: String
    let sequence: Int64
    let actual: Int64
    /// Of its last entry that has one.
    let seal: String?
    /// Number of the first entry that has to have one.
    let sealedFrom: Int64
    /// Binds the entries before.
    let proof: String?
  }

  /// By id, after a given one.
  func sealedAccounts(after: LedgerAccount.ID?, limit: Int) throws -> [SealedAccount] {
    try tx.query(
      """
      SELECT \(Self.sealedAccountColumns)
      FROM ledger_account WHERE id > \(after?.rawValue ?? "") ORDER BY id LIMIT \(limit)
      """
    ).map(Self.sealedAccount)
  }

  /// Ids of accounts in their order, after a given one; nil for one that cannot be asked for again: bytes, and what
  /// SQLite keeps as text although it is no UTF-8 or holds a NUL.
  func accountIDs(after: LedgerAccount.ID?, limit: Int) throws -> [LedgerAccount.ID?] {
    try tx.query(
      "SELECT id FROM ledger_account WHERE id > \(after?.rawValue ?? "") ORDER BY id LIMIT \(limit)"
    ).map { row in
      guard let id = try? row.get("id", as: String.self), !id.holdsNUL, !id.unicodeScalars.contains("\u{FFFD}") else {
        return nil
      }
      return .init(rawValue: id)
    }
  }

  /// Of a tenant, by id, after a given one, on which something happened at an instant or later. The seal is that of the
  /// very last entry, which has none where a node of a release that does not seal booked it.
  func sealedAccounts(
    tenant: String, since: LedgerTime, after: LedgerAccount.ID?, limit: Int
  ) throws -> [SealedAccount] {
    try tx.query(
      """
      SELECT a.id, a.tenant, a.sequence, a.actual, e.seal, a.sealed_from, a.sealed_proof
      FROM ledger_account AS a LEFT JOIN ledger_entry AS e ON e.account_id = a.id AND e.sequence = a.sequence
      WHERE a.tenant = \(tenant) AND a.last_at >= \(since) AND a.id > \(after?.rawValue ?? "")
      ORDER BY a.id LIMIT \(limit)
      """
    ).map(Self.sealedAccount)
  }

  func sealedAccounts(_ ids: [LedgerAccount.ID]) throws -> [SealedAccount] {
    guard !ids.isEmpty else { return [] }
    return try tx.query(
      """
      SELECT \(Self.sealedAccountColumns)
      FROM ledger_account WHERE id IN \(list: ids) ORDER BY id
      """
    ).map(Self.sealedAccount)
  }

  private static func sealedAccount(_ row: SQLRow) throws -> SealedAccount {
    let tenant: String = try row.get("tenant")
    // Nothing could be asked for by it.
    guard !tenant.holdsNUL else { throw SQLError.unreadable("tenant: it holds a NUL") }
    return SealedAccount(
      id: try row.get("id"), tenant: tenant, sequence: try row.get("sequence"),
      actual: try row.get("actual"), seal: try row.get("seal"), sealedFrom: try row.get("sealed_from"),
      proof: try row.get("sealed_proof"))
  }

  /// Entries after a number, the oldest first, with the seal that each has.
  func sealedEntries(
    of id: LedgerAccount.ID, after sequence: Int64, limit: Int
  ) throws -> [(entry: LedgerEntry, seal: String?)] {
    try tx.query(
      """
      SELECT \(Self.entryColumns), e.seal AS entry_seal
      FROM ledger_entry AS e JOIN ledger_transfer AS t ON t.id = e.transfer_id
      WHERE e.account_id = \(id) AND e.sequence > \(sequence) ORDER BY e.sequence LIMIT \(limit)
      """
    ).map { (try Self.entry($0), try $0.get("entry_seal")) }
  }

  /// Days of interest of an account, the oldest first.
  func accruals(
    of id: LedgerAccount.ID
  ) throws -> [(day: Int64, balance: Int64, rate: Int64, millionths: Int64)] {
    try tx.query(
      """
      SELECT day, balance, yearly_interest_millionths, millionths FROM ledger_accrual
      WHERE account_id = \(id) ORDER BY day
      """
    ).map {
      (
        try $0.get("day"), try $0.get("balance"), try $0.get("yearly_interest_millionths"), try $0.get("millionths")
      )
    }
  }

  /// Of entries that have to be sealed and are not: the last one before a number, and the first one from there on.
  func unsealed(
    _ account: SealedAccount, before limit: Int64
  ) throws -> (last: Int64?, refused: UnsealedEntry?) {
    let last = try tx.first(
      """
      SELECT sequence FROM ledger_entry
      WHERE account_id = \(account.id) AND seal IS NULL AND sequence >= \(account.sealedFrom) AND sequence < \(limit)
      ORDER BY sequence DESC LIMIT 1
      """
    ).map { try $0.get("sequence", as: Int64.self) }
    let refused = try tx.first(
      """
      SELECT sequence, booked_at FROM ledger_entry
      WHERE account_id = \(account.id) AND seal IS NULL AND sequence >= \(max(account.sealedFrom, limit))
      ORDER BY sequence LIMIT 1
      """
    ).map {
      UnsealedEntry(
        account: account.id, tenant: account.tenant, sequence: try $0.get("sequence"), at: try $0.get("booked_at"))
    }
    return (last, refused)
  }

  /// Begins the seals of an account anew after a number; the chain goes on from the last seal that there is.
  /// - Returns: false when they begin there already, or later.
  func setBeginning(_ id: LedgerAccount.ID, from sequence: Int64, proof: String) throws -> Bool {
    try tx.execute(
      """
      UPDATE ledger_account SET sealed_from = \(sequence), sealed_proof = \(proof)
      WHERE id = \(id) AND sealed_from < \(sequence)
      """) == 1
  }

  // MARK: Checkpoints

  struct CheckpointRow {
    let number: Int64
    let day: Int64
    let at: Instant
    let isWhole: Bool
    let digest: String
    let document: String
  }

  func lastCheckpoint(of tenant: String) throws -> CheckpointRow? {
    try tx.first(
      """
      SELECT \(Self.checkpointColumns) FROM ledger_checkpoint WHERE tenant = \(tenant)
      ORDER BY number DESC LIMIT 1
      """
    ).map(Self.checkpoint)
  }

  /// By number, after a given one.
  func checkpoints(of tenant: String, after number: Int64, limit: Int) throws -> [CheckpointRow] {
    try tx.query(
      """
      SELECT \(Self.checkpointColumns) FROM ledger_checkpoint
      WHERE tenant = \(tenant) AND number > \(number) ORDER BY number LIMIT \(limit)
      """
    ).map(Self.checkpoint)
  }

  /// Also those whose checkpoints are all gone. A name that is no text, or holds a NUL, is left out.
  func tenantsWithBooks() throws -> [String] {
    try tx.query(
      "SELECT tenant FROM ledger_account UNION SELECT tenant FROM ledger_checkpoint ORDER BY tenant"
    ).compactMap { try? $0.get("tenant", as: String.self) }.filter { !$0.holdsNUL }
  }

  func insert(_ row: CheckpointRow, of tenant: String) throws {
    try tx.execute(
      """
      INSERT INTO ledger_checkpoint (tenant, number, day, at, is_whole, digest, document)
      VALUES (\(tenant), \(row.number), \(row.day), \(row.at), \(row.isWhole ? 1 : 0), \(row.digest), \(row.document))
      """)
  }

  /// Which of some entries are there, with seal and balance as they are now.
  func found(
    _ heads: [(account: String, sequence: Int64)]
  ) throws -> [String: (sequence: Int64, seal: String?, balance: Int64)] {
    var asked = SQLRows(.text("account_id"), .integer("sequence"))
    for head in heads { asked.append(head.account, head.sequence) }
    let rows = try tx.query(
      """
      SELECT e.account_id, e.sequence, e.seal, e.balance FROM \(asked) AS asked
      JOIN ledger_entry AS e ON e.account_id = asked.account_id AND e.sequence = asked.sequence
      """)
    return try rows.reduce(into: [:]) {
      $0[try $1.get("account_id")] = (try $1.get("sequence"), try $1.get("seal"), try $1.get("balance"))
    }
  }

  private static func checkpoint(_ row: SQLRow) throws -> CheckpointRow {
    CheckpointRow(
      number: try row.get("number"), day: try row.get("day"), at: try row.get("at"),
      isWhole: try row.get("is_whole", as: Int64.self) != 0, digest: try row.get("digest"),
      document: try row.get("document"))
  }
}
