// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of the books: what transfers and holds are decided by, and what they change. A batch takes a few statements,
/// however many orders it has.
package struct LedgerStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  // MARK: Accounts

  static let accountColumns: SQLColumns = """
    id, tenant, product, kind, name, currency, state, available_min, actual, held, sequence, opened_at, stopped
    """

  package func account(_ id: LedgerAccount.ID) throws -> LedgerAccount? {
    try tx.first("SELECT \(Self.accountColumns) FROM ledger_account WHERE id = \(id)").map(Self.account)
  }

  /// What a party is on an account; nil when nothing, or when there is no such account.
  package func role(of party: String, on id: LedgerAccount.ID) throws -> LedgerRole? {
    try tx.first("SELECT role FROM ledger_party WHERE account_id = \(id) AND party = \(party)")?.get("role")
  }

  /// In the order of their ids.
  package func parties(_ role: LedgerRole, on id: LedgerAccount.ID) throws -> [String] {
    try tx.query("SELECT party FROM ledger_party WHERE account_id = \(id) AND role = \(role) ORDER BY party")
      .map { try $0.get("party") }
  }

  static func account(_ row: SQLRow) throws -> LedgerAccount {
    LedgerAccount(
      id: try row.get("id"), tenant: try row.get("tenant"), product: try row.get("product"), kind: try row.get("kind"),
      name: try row.get("name"), currency: try row.get("currency"), state: try row.get("state"),
      stop: try row.get("stopped"), availableMin: try row.get("available_min"), actual: try row.get("actual"),
      held: try row.get("held"),
      sequence: try row.get("sequence"), openedAt: try row.get("opened_at"))
  }

  // MARK: Batches

  /// Everything that a batch decides by. The accounts are held until the transaction ends, in the order of their ids, so
  /// that two batches wait for each other in one direction only.
  func load(_ orders: [LedgerOrder], at now: LedgerTime, under seal: LedgerSeal?) throws -> LedgerBatch {
    var batch = LedgerBatch(now: now, seal: seal)
    let wanted = Lookups(orders)
    for hold in try holds(under: wanted.holdKeys, and: wanted.holds) {
      batch.holds[hold.id] = hold
      batch.holdKeys[.init(tenant: hold.order.tenant, key: hold.order.key)] = hold.id
    }
    var accounts = wanted.accounts
    for hold in batch.holds.values { accounts.formUnion([hold.order.account, hold.order.counterparty]) }
    batch.heads = try heads(accounts)
    // Read behind the locks: a transaction that removed a party from an account, or used the same key on the same
    // accounts or hold, has committed, and is seen.
    batch.parts = try parts(wanted.parts)
    for transfer in try transfers(under: wanted.transferKeys) {
      batch.transfers[.init(tenant: transfer.order.tenant, key: transfer.order.key)] = transfer
    }
    return batch
  }

  /// What orders name.
  private struct Lookups {
    var transferKeys: Set<LedgerBatch.Key> = []
    var holdKeys: Set<LedgerBatch.Key> = []
    var holds: Set<LedgerHold.ID> = []
    var accounts: Set<LedgerAccount.ID> = []
    var parts: Set<LedgerBatch.Part> = []

    init(_ orders: [LedgerOrder]) {
      for order in orders {
        switch order {
        case .transfer(_, let order, _, let party):
          transferKeys.insert(.init(tenant: order.tenant, key: order.key))
          accounts.insert(order.debit)
          accounts.insert(order.credit)
          guard let party else { break }
          for account in [order.debit, order.credit] { parts.insert(.init(party: party, account: account)) }
        case .hold(_, let order, _):
          holdKeys.insert(.init(tenant: order.tenant, key: order.key))
          accounts.formUnion([order.account, order.counterparty])
        case .settle(_, let order, _):
          transferKeys.insert(.init(tenant: order.tenant, key: order.key))
          holds.insert(order.hold)
        case .release(let id, _): holds.insert(id)
        }
      }
    }
  }

  /// Each key is looked up by itself, in the index: a join could be planned as a scan of the whole table.
  func transfers(under keys: Set<LedgerBatch.Key>) throws -> [LedgerTransfer] {
    guard !keys.isEmpty else { return [] }
    let asked = Self.rows(keys)
    let together: SQL = """
      SELECT found.id FROM (
        SELECT (
          SELECT t.id FROM ledger_transfer AS t
          WHERE t.tenant = asked.tenant AND t.idempotency_key = asked.idempotency_key
        ) AS id
        FROM \(asked) AS asked
      ) AS found WHERE found.id IS NOT NULL
      """
    let found = try tx.query(
      together.orOfEach(asked, "SELECT id FROM ledger_transfer WHERE tenant = ?1 AND idempotency_key = ?2")
    ).map { try $0.get("id", as: LedgerTransfer.ID.self) }
    return found.isEmpty ? [] : try transfers(found)
  }

  private func holds(under keys: Set<LedgerBatch.Key>, and ids: Set<LedgerHold.ID>) throws -> [LedgerHold] {
    var all = ids
    if !keys.isEmpty {
      let asked = Self.rows(keys)
      let together: SQL = """
        SELECT found.id FROM (
          SELECT (
            SELECT h.id FROM ledger_hold AS h
            WHERE h.tenant = asked.tenant AND h.idempotency_key = asked.idempotency_key
          ) AS id
          FROM \(asked) AS asked
        ) AS found WHERE found.id IS NOT NULL
        """
      let found = try tx.query(
        together.orOfEach(asked, "SELECT id FROM ledger_hold WHERE tenant = ?1 AND idempotency_key = ?2"))
      for row in found { all.insert(try row.get("id")) }
    }
    guard !all.isEmpty else { return [] }
    return try tx.query(
      "SELECT \(Self.holdColumns) FROM ledger_hold WHERE id IN \(list: Array(all)) ORDER BY id \(.forUpdate)"
    ).map(Self.hold)
  }

  private func parts(_ asked: Set<LedgerBatch.Part>) throws -> Set<LedgerBatch.Part> {
    guard !asked.isEmpty else { return [] }
    var rows = SQLRows(.text("party"), .text("account_id"))
    rows.reserve(asked.count)
    for part in asked { rows.append(cells: .text(part.party), .text(part.account.rawValue)) }
    let together: SQL = """
      SELECT found.party, found.account_id FROM (
        SELECT asked.party, asked.account_id, (
          SELECT p.role FROM ledger_party AS p WHERE p.account_id = asked.account_id AND p.party = asked.party
            AND p.stopped_at IS NULL
        ) AS role
        FROM \(rows) AS asked
      ) AS found WHERE found.role IS NOT NULL
      """
    let found = try tx.query(
      together.orOfEach(
        rows,
        "SELECT party, account_id FROM ledger_party WHERE party = ?1 AND account_id = ?2 AND stopped_at IS NULL"))
    return Set(try found.map { LedgerBatch.Part(party: try $0.get("party"), account: try $0.get("account_id")) })
  }

  /// Keeps accounts as they are until the transaction ends; until then, what is read of their parties stays true.
  package func lock(_ ids: Set<LedgerAccount.ID>) throws {
    guard !ids.isEmpty else { return }
    var asked = SQLRows(.text("id"))
    for id in ids { asked.append(id) }
    _ = try tx.query(
      """
      SELECT id FROM ledger_account WHERE id IN (SELECT asked.id FROM \(asked) AS asked) ORDER BY id \(.forUpdate)
      """)
  }

  /// Locks accounts until the transaction ends, in the order of their ids.
  func heads(_ ids: Set<LedgerAccount.ID>) throws -> [LedgerAccount.ID: LedgerBatch.Head] {
    guard !ids.isEmpty else { return [:] }
    var asked = SQLRows(.text("id"))
    asked.reserve(ids.count)
    for id in ids { asked.append(cells: .text(id.rawValue)) }
    let columns: SQLColumns =
      "id, tenant, kind, currency, state, available_min, actual, held, sequence, last_at, seal, stopped"
    let together: SQL = """
      SELECT \(columns)
      FROM ledger_account WHERE id IN (SELECT asked.id FROM \(asked) AS asked) ORDER BY id \(.forUpdate)
      """
    let rows = try tx.query(
      together.orOfEach(
        asked,
        """
        SELECT \(columns.names) FROM ledger_account WHERE id = ?1
        """))
    var heads: [LedgerAccount.ID: LedgerBatch.Head] = [:]
    heads.reserveCapacity(rows.count)
    for row in rows {
      heads[try row.get("id")] = LedgerBatch.Head(
        tenant: try row.get("tenant"), kind: try row.get("kind"), currency: try row.get("currency"),
        state: try row.get("state"), stop: try row.get("stopped"), availableMin: try row.get("available_min"),
        actual: try row.get("actual"),
        held: try row.get("held"),
        sequence: try row.get("sequence"), lastAt: try row.get("last_at"), seal: try row.get("seal"))
    }
    return heads
  }

  private static func rows(_ keys: Set<LedgerBatch.Key>) -> SQLRows {
    var rows = SQLRows(.text("tenant"), .text("idempotency_key"))
    rows.reserve(keys.count)
    for key in keys { rows.append(cells: .text(key.tenant), .text(key.key)) }
    return rows
  }

  // MARK: Writing

  func write(_ batch: LedgerBatch) throws {
    if !batch.newHolds.isEmpty { try insert(batch.newHolds.compactMap { batch.holds[$0] }) }
    if !batch.endedHolds.isEmpty { try end(batch.endedHolds.compactMap { batch.holds[$0] }) }
    if !batch.booked.isEmpty { try insert(batch.booked) }
    if !batch.changed.isEmpty { try update(batch.changed, batch.heads) }
  }

  private func insert(_ booked: [LedgerBatch.Booked]) throws {
    var rows = SQLRows(
      .text("id"), .text("tenant"), .text("idempotency_key"), .text("kind"), .text("domain"), .text("lifecycle"),
      .text("hold_id"), .text("debit_id"), .text("credit_id"), .integer("amount"), .text("currency"),
      .integer("debit_sequence"), .integer("credit_sequence"), .text("declined"), .integer("booked_at"),
      .integer("value_day"))
    var entries = SQLRows(
      .text("account_id"), .integer("sequence"), .text("transfer_id"), .integer("amount"), .integer("balance"),
      .integer("booked_at"), .text("seal"))
    rows.reserve(booked.count)
    entries.reserve(2 * booked.count)
    for one in booked {
      let (transfer, order) = (one.transfer, one.transfer.order)
      let (id, amount, at) = (transfer.id.rawValue, order.amount.minorUnits, transfer.at.microseconds)
      rows.append(
        cells: .text(id), .text(order.tenant), .text(order.key), .text(order.kind), .text(order.domain),
        .text(orNull: order.lifecycle), .text(orNull: order.hold?.rawValue), .text(order.debit.rawValue),
        .text(order.credit.rawValue), .integer(amount), .text(order.amount.currency),
        .integer(orNull: transfer.sequences?.debit), .integer(orNull: transfer.sequences?.credit),
        .text(orNull: transfer.declined?.rawValue), .integer(at), .integer(orNull: order.valueDay))
      guard let balances = one.balances, let sequences = transfer.sequences else { continue }
      entries.append(
        cells: .text(order.debit.rawValue), .integer(sequences.debit), .text(id), .integer(-amount),
        .integer(balances.debit), .integer(at), .text(orNull: one.seals?.debit))
      entries.append(
        cells: .text(order.credit.rawValue), .integer(sequences.credit), .text(id), .integer(amount),
        .integer(balances.credit), .integer(at), .text(orNull: one.seals?.credit))
    }
    try tx.execute(.insert(rows, into: "ledger_transfer"))
    try tx.execute(.insert(entries, into: "ledger_entry"))
  }

  private func update(_ ids: [LedgerAccount.ID], _ heads: [LedgerAccount.ID: LedgerBatch.Head]) throws {
    var rows = SQLRows(
      .text("id"), .integer("actual"), .integer("held"), .integer("sequence"), .integer("last_at"), .text("seal"))
    rows.reserve(ids.count)
    for id in ids {
      guard let head = heads[id] else { continue }
      rows.append(
        cells: .text(id.rawValue), .integer(head.actual), .integer(head.held), .integer(head.sequence),
        .integer(head.lastAt.microseconds), .text(orNull: head.seal))
    }
    let changed = try tx.execute(.update("ledger_account", to: rows))
    guard changed == ids.count else { throw SQLError.outdated }
  }

  private func insert(_ holds: [LedgerHold]) throws {
    for hold in holds {
      let order = hold.order
      try tx.execute(
        """
        INSERT INTO ledger_hold (id, tenant, idempotency_key, kind, domain, account_id, counterparty_id, amount,
          currency, state, declined, held_at, expires_at, ended_at)
        VALUES (\(hold.id), \(order.tenant), \(order.key), \(order.kind), \(order.domain), \(order.account),
          \(order.counterparty), \(order.amount.minorUnits), \(order.amount.currency), \(hold.state),
          \(hold.declined), \(hold.at), \(order.expiresAt), \(hold.endedAt))
        """)
    }
  }

  private func end(_ holds: [LedgerHold]) throws {
    for hold in holds {
      let changed = try tx.execute(
        """
        UPDATE ledger_hold SET state = \(hold.state), ended_at = \(hold.endedAt)
        WHERE id = \(hold.id) AND state = 'open'
        """)
      guard changed == 1 else { throw SQLError.outdated }
    }
  }
}
