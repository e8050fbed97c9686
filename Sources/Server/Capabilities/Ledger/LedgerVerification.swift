// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What the checker found: the books are right when it found no fault.
package struct LedgerVerification: Sendable, Hashable, Encodable {
  /// Faults of one kind that are named; the others are counted with them.
  static let namedMax = 20
  /// Entries or accounts that are looked at together.
  static let walkPage = 1_000
  /// Stands for an id that is no text of UTF-8, or holds a NUL.
  static let unreadableID = "an id that cannot be read"

  package enum Rule: String, Sendable, CaseIterable, Encodable {
    /// All entries of a tenant and currency sum to zero.
    case balanced
    /// An account's balance is the sum of its entries, and that after its last one.
    case balance
    /// An account's numbers are 1, 2, 3 … up to the one that it knows.
    case sequence
    /// The balance after an entry is that before it and its amount.
    case running
    /// A later entry of an account has a later time.
    case time
    /// A booked transfer has two entries, of its accounts, numbers, amount and time; no other entry is there.
    case pair
    /// What an account holds back is the sum of its open holds.
    case held
    /// No less is available than the account may have.
    case overdrawn
    /// A settled hold has one transfer, of its accounts and of no more than was held; no other hold has one.
    case settlement
    /// A customer's account has an owner.
    case owner
    /// Interest that was booked is that of a transfer, and a transfer of interest is in the list of months.
    case interest
    /// Each day's interest is that of the balance at its end, and no more was booked than grew.
    case accrual
    /// Each entry has the seal that the key ring makes of it, and the account that of its last entry.
    case seal
    /// Entries from before the books were sealed are bound.
    case unsealed
    /// Checkpoints are signed, follow one another, and what they name is there.
    case checkpoint
    /// What customers see is what was booked and held.
    case transaction
    /// Each value is of its column's kind.
    case readable
  }

  package struct Fault: Sendable, Hashable, Encodable, CustomStringConvertible {
    package let rule: Rule
    /// Id of the account, transfer or hold, with what of it cannot be read; tenant and currency.
    package let subject: String

    package init(rule: Rule, subject: String) { (self.rule, self.subject) = (rule, subject) }

    package var description: String { "\(rule.rawValue): \(subject)" }
  }

  package internal(set) var accounts = 0
  package internal(set) var transfers = 0
  package internal(set) var declined = 0
  package internal(set) var entries = 0
  package internal(set) var openHolds = 0
  package internal(set) var checkpoints = 0
  /// Some of each kind.
  package private(set) var faults: [Fault] = []

  /// Names what a search found by `subject` of its row.
  package mutating func add(_ rule: Rule, _ row: SQLRow) {
    add(.init(rule: rule, subject: (try? row.get("subject")) ?? Self.unreadableID))
  }

  /// Names a fault, unless enough of its kind are named.
  package mutating func add(_ fault: Fault) {
    guard faults.count(where: { $0.rule == fault.rule }) < Self.namedMax else { return }
    faults.append(fault)
  }
}

extension LedgerStore {
  /// Walks through all the books in one snapshot. Reads every row once or twice; nothing waits for it.
  /// - Parameter seal: nil leaves out what only the key ring proves.
  package func verify(under seal: LedgerSeal? = nil, progress: WorkProgress? = nil) throws -> LedgerVerification {
    var found = LedgerVerification()
    progress?.begin("rules", of: LedgerVerification.Rule.allCases.count)
    found.accounts = try count("SELECT COUNT(id) AS n FROM ledger_account")
    found.transfers = try count("SELECT COUNT(id) AS n FROM ledger_transfer WHERE declined IS NULL")
    found.declined = try count("SELECT COUNT(id) AS n FROM ledger_transfer WHERE declined IS NOT NULL")
    found.entries = try count("SELECT COUNT(sequence) AS n FROM ledger_entry")
    found.openHolds = try count("SELECT COUNT(id) AS n FROM ledger_hold WHERE state = 'open'")
    for rule in LedgerVerification.Rule.allCases {
      defer { progress?.advance() }
      guard let search = Self.search(rule) else { continue }
      for row in try tx.query(search) { found.add(rule, row) }
    }
    // Each booked transfer has both entries, by the rule `pair`; so one more entry has none.
    if found.entries != 2 * found.transfers {
      let (entries, transfers) = (
        found.entries.counted("entry", "entries"), found.transfers.counted("transfer", "transfers")
      )
      found.add(.init(rule: .pair, subject: "\(entries) of \(transfers)"))
    }
    progress?.begin("accounts", of: found.accounts)
    try walk(under: seal, into: &found, progress)
    progress?.begin("checkpoints", of: try count("SELECT COUNT(number) AS n FROM ledger_checkpoint"))
    if let seal { try verifyCheckpoints(under: seal, into: &found, progress) }
    return found
  }

  private func count(_ query: SQL) throws -> Int { try tx.first(query)?.get("n") ?? 0 }

  // What an intruder wrote may be any number: sums are added by their upper and lower halves (see `SQLRow.wide`), and
  // single numbers as NUMERIC.

  /// Whatever breaks a rule; nil for what is found by walking.
  private static func search(_ rule: LedgerVerification.Rule) -> SQL? {
    let limit = LedgerVerification.namedMax
    return switch rule {
    case .accrual, .seal, .unsealed, .checkpoint, .transaction, .readable: nil
    case .balanced:
      """
      SELECT a.tenant || ' ' || a.currency AS subject
      FROM ledger_entry AS e JOIN ledger_account AS a ON a.id = e.account_id
      GROUP BY a.tenant, a.currency
      HAVING CAST(SUM(e.amount & 4294967295) AS BIGINT) & 4294967295 <> 0
        OR CAST(SUM(e.amount >> 32) AS BIGINT) + (CAST(SUM(e.amount & 4294967295) AS BIGINT) >> 32) <> 0
      LIMIT \(limit)
      """
    case .balance:
      """
      SELECT a.id AS subject FROM ledger_account AS a
      LEFT JOIN (
        SELECT account_id, CAST(SUM(amount >> 32) AS BIGINT) AS high, CAST(SUM(amount & 4294967295) AS BIGINT) AS low
        FROM ledger_entry GROUP BY account_id
      ) AS s ON s.account_id = a.id
      LEFT JOIN ledger_entry AS last ON last.account_id = a.id AND last.sequence = a.sequence
      WHERE a.actual & 4294967295 <> COALESCE(s.low, 0) & 4294967295
        OR a.actual >> 32 <> COALESCE(s.high, 0) + (COALESCE(s.low, 0) >> 32)
        OR a.actual <> COALESCE(last.balance, 0) LIMIT \(limit)
      """
    case .sequence:
      """
      SELECT a.id AS subject FROM ledger_account AS a
      LEFT JOIN (
        SELECT account_id, COUNT(sequence) AS many, MIN(sequence) AS low, MAX(sequence) AS high
        FROM ledger_entry GROUP BY account_id
      ) AS s ON s.account_id = a.id
      WHERE a.sequence <> COALESCE(s.many, 0) OR a.sequence <> COALESCE(s.high, 0)
        OR COALESCE(s.low, 1) <> 1 LIMIT \(limit)
      """
    case .running:
      """
      SELECT DISTINCT account_id AS subject FROM (
        SELECT account_id, amount, balance,
          LAG(balance, 1, CAST(0 AS BIGINT)) OVER (PARTITION BY account_id ORDER BY sequence) AS before
        FROM ledger_entry
      ) AS walked WHERE CAST(walked.before AS NUMERIC) + walked.amount <> walked.balance LIMIT \(limit)
      """
    case .time:
      """
      SELECT DISTINCT account_id AS subject FROM (
        SELECT account_id, booked_at, LAG(booked_at) OVER (PARTITION BY account_id ORDER BY sequence) AS before
        FROM ledger_entry
      ) AS walked WHERE walked.before >= walked.booked_at LIMIT \(limit)
      """
    case .pair:
      """
      SELECT t.id AS subject FROM ledger_transfer AS t
      LEFT JOIN ledger_entry AS d ON d.account_id = t.debit_id AND d.sequence = t.debit_sequence
        AND d.transfer_id = t.id AND d.amount = -t.amount AND d.booked_at = t.booked_at
      LEFT JOIN ledger_entry AS c ON c.account_id = t.credit_id AND c.sequence = t.credit_sequence
        AND c.transfer_id = t.id AND c.amount = t.amount AND c.booked_at = t.booked_at
      WHERE t.declined IS NULL AND (d.sequence IS NULL OR c.sequence IS NULL) LIMIT \(limit)
      """
    case .held:
      """
      SELECT a.id AS subject FROM ledger_account AS a
      LEFT JOIN (
        SELECT account_id, CAST(SUM(amount >> 32) AS BIGINT) AS high, CAST(SUM(amount & 4294967295) AS BIGINT) AS low
        FROM ledger_hold WHERE state = 'open' GROUP BY account_id
      ) AS s ON s.account_id = a.id
      WHERE a.held & 4294967295 <> COALESCE(s.low, 0) & 4294967295
        OR a.held >> 32 <> COALESCE(s.high, 0) + (COALESCE(s.low, 0) >> 32) LIMIT \(limit)
      """
    case .overdrawn:
      """
      SELECT id AS subject FROM ledger_account
      WHERE available_min IS NOT NULL AND CAST(actual AS NUMERIC) - held < available_min LIMIT \(limit)
      """
    case .settlement:
      """
      SELECT h.id AS subject FROM ledger_hold AS h
      LEFT JOIN ledger_transfer AS t ON t.hold_id = h.id AND t.declined IS NULL
      WHERE (h.state = 'settled') <> (t.id IS NOT NULL)
        OR (t.id IS NOT NULL AND (t.debit_id <> h.account_id OR t.credit_id <> h.counterparty_id
          OR t.amount > h.amount)) LIMIT \(limit)
      """
    case .owner:
      """
      SELECT a.id AS subject FROM ledger_account AS a
      WHERE a.kind = 'customer' AND NOT EXISTS (
        SELECT p.party FROM ledger_party AS p WHERE p.account_id = a.id AND p.role = 'owner'
      ) LIMIT \(limit)
      """
    case .interest:
      """
      SELECT i.account_id AS subject FROM ledger_interest AS i
      LEFT JOIN ledger_transfer AS t ON t.id = i.transfer_id AND t.kind = 'interest' AND t.credit_id = i.account_id
        AND t.amount = i.amount AND t.declined IS NULL
      WHERE t.id IS NULL
      UNION
      SELECT t.credit_id AS subject FROM ledger_transfer AS t
      LEFT JOIN ledger_interest AS i ON i.transfer_id = t.id
      WHERE t.kind = 'interest' AND t.idempotency_key LIKE 'interest %' AND t.declined IS NULL
        AND i.account_id IS NULL LIMIT \(limit)
      """
    }
  }
}
