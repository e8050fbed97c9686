// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What callers, agents and statements look at.
extension LedgerStore {
  static let transferColumns: SQLColumns = """
    id, tenant, idempotency_key, kind, domain, lifecycle, hold_id, debit_id, credit_id, amount, currency,
    debit_sequence, credit_sequence, declined, booked_at, value_day
    """
  static let holdColumns: SQLColumns = """
    id, tenant, idempotency_key, kind, domain, account_id, counterparty_id, amount, currency, state, declined,
    held_at, expires_at, ended_at
    """
  static let entryColumns: SQLColumns = """
    e.account_id, e.sequence, e.amount AS entry_amount, e.balance, t.id, t.tenant, t.idempotency_key, t.kind,
    t.domain, t.lifecycle, t.hold_id, t.debit_id, t.credit_id, t.amount, t.currency, t.debit_sequence,
    t.credit_sequence, t.declined, t.booked_at, t.value_day
    """

  package func transfer(_ id: LedgerTransfer.ID) throws -> LedgerTransfer? { try transfers([id]).first }

  /// What was booked, or declined, under the key of an order.
  package func transfer(under key: String, of tenant: String) throws -> LedgerTransfer? {
    try tx.first(
      """
      SELECT \(Self.transferColumns) FROM ledger_transfer WHERE tenant = \(tenant) AND idempotency_key = \(key)
      """
    ).map(Self.transfer)
  }

  /// The keys of those orders that are in the books, booked or declined.
  package func known(among orders: [TransferOrder]) throws -> Set<String> {
    Set(try transfers(under: Set(orders.map { .init(tenant: $0.tenant, key: $0.key) })).map(\.order.key))
  }

  /// The first of a lifecycle that was booked, not declined, under a key that begins so.
  package func booked(lifecycle: String, keyPrefix: String) throws -> LedgerTransfer? {
    try tx.first(
      """
      SELECT \(Self.transferColumns) FROM ledger_transfer
      WHERE lifecycle = \(lifecycle) AND declined IS NULL AND idempotency_key LIKE \(keyPrefix + "%")
      ORDER BY booked_at, id LIMIT 1
      """
    ).map(Self.transfer)
  }

  func transfers(_ ids: [LedgerTransfer.ID]) throws -> [LedgerTransfer] {
    try tx.query("SELECT \(Self.transferColumns) FROM ledger_transfer WHERE id IN \(list: ids)").map(Self.transfer)
  }

  /// Everything that belongs to what an id began: its settlement, its refunds, the first first.
  package func transfers(lifecycle: String, limit: Int) throws -> [LedgerTransfer] {
    try tx.query(
      """
      SELECT \(Self.transferColumns) FROM ledger_transfer WHERE lifecycle = \(lifecycle)
      ORDER BY booked_at, id LIMIT \(limit)
      """
    ).map(Self.transfer)
  }

  /// What an account was asked for and did not give, the newest first, older than a given one.
  package func declined(
    of id: LedgerAccount.ID, before: LedgerTransfer? = nil, limit: Int
  ) throws -> [LedgerTransfer] {
    let at = before?.at.microseconds ?? .max
    return try tx.query(
      """
      SELECT \(Self.transferColumns) FROM ledger_transfer WHERE debit_id = \(id) AND declined IS NOT NULL
        AND (booked_at < \(at) OR (booked_at = \(at) AND id < \(before?.id.rawValue ?? "")))
      ORDER BY booked_at DESC, id DESC LIMIT \(limit)
      """
    ).map(Self.transfer)
  }

  package func hold(_ id: LedgerHold.ID) throws -> LedgerHold? {
    try tx.first("SELECT \(Self.holdColumns) FROM ledger_hold WHERE id = \(id)").map(Self.hold)
  }

  /// What was held, or declined, under the key of an order.
  package func hold(under key: String, of tenant: String) throws -> LedgerHold? {
    try tx.first(
      "SELECT \(Self.holdColumns) FROM ledger_hold WHERE tenant = \(tenant) AND idempotency_key = \(key)"
    ).map(Self.hold)
  }

  /// Of an account, in every state, the newest first, older than a given one.
  package func holds(of id: LedgerAccount.ID, before: LedgerHold? = nil, limit: Int) throws -> [LedgerHold] {
    let at = before?.at.microseconds ?? .max
    return try tx.query(
      """
      SELECT \(Self.holdColumns) FROM ledger_hold WHERE account_id = \(id)
        AND (held_at < \(at) OR (held_at = \(at) AND id < \(before?.id.rawValue ?? "")))
      ORDER BY held_at DESC, id DESC LIMIT \(limit)
      """
    ).map(Self.hold)
  }

  /// Open holds whose time is over.
  func overdueHolds(at now: Instant, limit: Int) throws -> [LedgerHold] {
    try tx.query(
      """
      SELECT \(Self.holdColumns) FROM ledger_hold
      WHERE state = 'open' AND expires_at IS NOT NULL AND expires_at <= \(now)
      ORDER BY expires_at LIMIT \(limit)
      """
    ).map(Self.hold)
  }

  // MARK: Entries

  /// Entries with numbers in a range, the newest first or the oldest first.
  package func entries(
    of id: LedgerAccount.ID, in numbers: Range<Int64>, newestFirst: Bool, limit: Int
  ) throws -> [LedgerEntry] {
    let rows =
      newestFirst
      ? try tx.query(
        """
        SELECT \(Self.entryColumns) FROM ledger_entry AS e JOIN ledger_transfer AS t ON t.id = e.transfer_id
        WHERE e.account_id = \(id) AND e.sequence >= \(numbers.lowerBound) AND e.sequence < \(numbers.upperBound)
        ORDER BY e.sequence DESC LIMIT \(limit)
        """)
      : try tx.query(
        """
        SELECT \(Self.entryColumns) FROM ledger_entry AS e JOIN ledger_transfer AS t ON t.id = e.transfer_id
        WHERE e.account_id = \(id) AND e.sequence >= \(numbers.lowerBound) AND e.sequence < \(numbers.upperBound)
        ORDER BY e.sequence LIMIT \(limit)
        """)
    return try rows.map(Self.entry)
  }

  /// The number of the first entry of an account that was booked at an instant or later; one more than its last number
  /// when there is no such entry.
  ///
  /// Numbers and instants of an account grow together, so it is found by halving, along the primary key: an index by
  /// time would have to be written with every entry.
  package func firstSequence(of id: LedgerAccount.ID, at time: LedgerTime) throws -> Int64 {
    let row = try tx.first(
      """
      WITH RECURSIVE halving (low, high) AS (
        SELECT CAST(1 AS BIGINT), a.sequence + 1 FROM ledger_account AS a WHERE a.id = \(id)
        UNION ALL
        SELECT
          CASE WHEN (
            SELECT e.booked_at FROM ledger_entry AS e
            WHERE e.account_id = \(id) AND e.sequence = (h.low + h.high) / 2
          ) < \(time) THEN (h.low + h.high) / 2 + 1 ELSE h.low END,
          CASE WHEN (
            SELECT e.booked_at FROM ledger_entry AS e
            WHERE e.account_id = \(id) AND e.sequence = (h.low + h.high) / 2
          ) < \(time) THEN h.high ELSE (h.low + h.high) / 2 END
        FROM halving AS h WHERE h.low < h.high
      )
      SELECT low FROM halving WHERE low = high
      """)
    return try row?.get("low") ?? 1
  }

  /// The actual balance after an entry; 0 before the first one.
  func balance(of id: LedgerAccount.ID, after sequence: Int64) throws -> Int64 {
    try tx.first("SELECT balance FROM ledger_entry WHERE account_id = \(id) AND sequence = \(sequence)")?
      .get("balance") ?? 0
  }

  // MARK: Rows

  static func transfer(_ row: SQLRow) throws -> LedgerTransfer {
    var order = TransferOrder(
      tenant: try row.get("tenant"), key: try row.get("idempotency_key"), kind: try row.get("kind"),
      domain: try row.get("domain"), debit: try row.get("debit_id"), credit: try row.get("credit_id"),
      amount: Money(try row.get("amount"), try row.get("currency")), lifecycle: try row.get("lifecycle"),
      valueDay: try row.get("value_day"))
    order.hold = try row.get("hold_id")
    let debit: Int64? = try row.get("debit_sequence")
    let credit: Int64? = try row.get("credit_sequence")
    return LedgerTransfer(
      id: try row.get("id"), order: order, at: try row.get("booked_at"),
      sequences: debit.flatMap { debit in credit.map { .init(debit: debit, credit: $0) } },
      declined: try row.get("declined"))
  }

  static func hold(_ row: SQLRow) throws -> LedgerHold {
    LedgerHold(
      id: try row.get("id"),
      order: HoldOrder(
        tenant: try row.get("tenant"), key: try row.get("idempotency_key"), kind: try row.get("kind"),
        domain: try row.get("domain"), account: try row.get("account_id"),
        counterparty: try row.get("counterparty_id"), amount: Money(try row.get("amount"), try row.get("currency")),
        expiresAt: try row.get("expires_at")),
      at: try row.get("held_at"), state: try row.get("state"), endedAt: try row.get("ended_at"),
      declined: try row.get("declined"))
  }

  static func entry(_ row: SQLRow) throws -> LedgerEntry {
    LedgerEntry(
      account: try row.get("account_id"), sequence: try row.get("sequence"), amount: try row.get("entry_amount"),
      balance: try row.get("balance"), transfer: try transfer(row))
  }
}
