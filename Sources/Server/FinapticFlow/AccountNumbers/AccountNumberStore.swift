// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import ReferenceData
import Storage

/// Rows of `finaptic_account_numbering` and `finaptic_account_number`.
struct AccountNumberStore {
  /// Numbers that are read at once.
  private static let pageMax = 1000

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  static let migration = Migration(
    "2026-12-08 finaptic account number",
    """
    CREATE TABLE finaptic_account_numbering (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      country TEXT NOT NULL,
      bank TEXT NOT NULL,
      branch TEXT NOT NULL,
      digits BIGINT NOT NULL,
      next_serial BIGINT CHECK (next_serial >= 0),
      set_at BIGINT NOT NULL,
      filled_at BIGINT,
      UNIQUE (country, bank, branch)
    );
    CREATE TABLE finaptic_account_number (
      account_id TEXT PRIMARY KEY REFERENCES ledger_account (id),
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      number TEXT NOT NULL UNIQUE,
      country TEXT NOT NULL,
      bank TEXT NOT NULL,
      branch TEXT NOT NULL,
      account TEXT NOT NULL,
      given_at BIGINT NOT NULL,
      UNIQUE (tenant_id, account)
    );
    """)

  // MARK: How a tenant numbers

  /// How the accounts of a tenant are numbered, and since when.
  struct Numbering: Sendable {
    let numbering: AccountNumbering
    let isSequential: Bool
    let setAt: Instant
    /// When every account that was opened before the numbering had a number; nil until then.
    let filledAt: Instant?
  }

  func numbering(of tenant: Int) throws -> Numbering? {
    try tx.first(
      """
      SELECT country, bank, branch, digits, next_serial, set_at, filled_at FROM finaptic_account_numbering
      WHERE tenant_id = \(tenant)
      """
    ).map { row in
      let (country, digits): (String, Int) = (try row.get("country"), try row.get("digits"))
      guard
        let numbering = AccountNumbering(
          country: country, bank: try row.get("bank"), branch: try row.get("branch"), digits: digits)
      else { throw Problem.unexpected }
      let next: Int64? = try row.get("next_serial")
      return Numbering(
        numbering: numbering, isSequential: next != nil, setAt: try row.get("set_at"),
        filledAt: try row.get("filled_at"))
    }
  }

  /// Numbers in order begin with the first one that no account of the tenant has.
  /// - Throws: `SQLError.notUnique` when another tenant numbers by the same institution and branch.
  func set(_ numbering: AccountNumbering, isSequential: Bool, of tenant: Int, at now: Instant) throws {
    let first: Int64? = isSequential ? Int64(clamping: try firstFree(numbering, of: tenant)) : nil
    try tx.execute(
      """
      INSERT INTO finaptic_account_numbering (tenant_id, country, bank, branch, digits, next_serial, set_at)
      VALUES (\(tenant), \(numbering.country), \(numbering.bank), \(numbering.branch), \(numbering.digits), \(first),
        \(now))
      ON CONFLICT (tenant_id) DO UPDATE SET country = excluded.country, bank = excluded.bank,
        branch = excluded.branch, digits = excluded.digits, next_serial = excluded.next_serial,
        set_at = excluded.set_at, filled_at = NULL
      """)
  }

  /// The first serial from one on whose number no account of the tenant has: numbers stay with their accounts, so a
  /// tenant that numbers otherwise, or as before again, has many of them.
  private func firstFree(_ numbering: AccountNumbering, of tenant: Int, from first: UInt64 = 1) throws -> UInt64 {
    var serial = first
    while true {
      guard let from = Self.number(&serial, numbering)?.account else { return serial }
      let page: [String] = try tx.query(
        """
        SELECT account FROM finaptic_account_number
        WHERE tenant_id = \(tenant) AND account >= \(from) AND LENGTH(account) = \(numbering.digits)
        ORDER BY account LIMIT \(Self.pageMax)
        """
      ).map { try $0.get("account") }
      for account in page {
        // Numbers of one length: the order of the texts is that of the serials.
        guard let free = Self.number(&serial, numbering)?.account, account <= free else { return serial }
        if account == free { serial += 1 }
      }
      guard page.count == Self.pageMax else { return serial }
    }
  }

  /// The number of a serial, or of the first one behind it that has one; nil behind the last serial.
  private static func number(_ serial: inout UInt64, _ numbering: AccountNumbering) -> CustomerAccountNumber? {
    while serial < numbering.serials {
      if let number = numbering.number(serial) { return number }
      serial += 1
    }
    return nil
  }

  /// Whether accounts of another tenant have numbers of an institution and branch, also of a time before.
  func isTaken(_ numbering: AccountNumbering, besides tenant: Int) throws -> Bool {
    try tx.first(
      """
      SELECT 1 AS one FROM finaptic_account_number
      WHERE country = \(numbering.country) AND bank = \(numbering.bank) AND branch = \(numbering.branch)
        AND tenant_id <> \(tenant) LIMIT 1
      """) != nil
  }

  /// Takes the next serial of a tenant that numbers in order.
  /// - Returns: nil when all are taken.
  func nextSerial(of tenant: Int, below count: UInt64) throws -> UInt64? {
    try tx.first(
      """
      UPDATE finaptic_account_numbering SET next_serial = next_serial + 1
      WHERE tenant_id = \(tenant) AND next_serial < \(Int64(clamping: count)) RETURNING next_serial - 1 AS serial
      """
    ).map { UInt64(try $0.get("serial", as: Int64.self)) }
  }

  /// Takes serials of a tenant that numbers in order, for one node to give (decision 181).
  /// - Returns: nil when the tenant does not number in order, or when fewer are left: these are taken one by one.
  func takeBlock(of tenant: Int) throws -> SerialAllocator.Block? {
    guard let known = try numbering(of: tenant), known.isSequential else { return nil }
    let size = SerialAllocator.Block.size(of: known.numbering)
    let behind = Int64(clamping: known.numbering.serials) - Int64(clamping: size)
    return try tx.first(
      """
      UPDATE finaptic_account_numbering SET next_serial = next_serial + \(Int64(clamping: size))
      WHERE tenant_id = \(tenant) AND set_at = \(known.setAt) AND next_serial <= \(behind)
      RETURNING next_serial AS behind
      """
    ).map { row in
      let end = UInt64(try row.get("behind", as: Int64.self))
      return .init(next: end - size, end: end, numbering: known.numbering, setAt: known.setAt)
    }
  }

  /// Lets a tenant go on behind serials that accounts have already.
  /// - Returns: the first free one from a serial on.
  func passOver(_ serial: UInt64, _ numbering: AccountNumbering, of tenant: Int) throws -> UInt64 {
    let free = try firstFree(numbering, of: tenant, from: serial)
    let next = Int64(clamping: free)
    try tx.execute(
      """
      UPDATE finaptic_account_numbering SET next_serial = \(next) WHERE tenant_id = \(tenant) AND next_serial < \(next)
      """)
    return free
  }

  /// Tenants of which older accounts may have no number yet.
  func unfilled() throws -> [Int] {
    try tx.query(
      "SELECT tenant_id FROM finaptic_account_numbering WHERE filled_at IS NULL ORDER BY tenant_id"
    ).map { try $0.get("tenant_id") }
  }

  func fill(_ tenant: Int, since setAt: Instant, at now: Instant) throws {
    try tx.execute(
      """
      UPDATE finaptic_account_numbering SET filled_at = \(now) WHERE tenant_id = \(tenant) AND set_at = \(setAt)
      """)
  }

  // MARK: Numbers

  private static let columns: SQLColumns = "country, bank, branch, account, number"

  /// - Returns: false when another account has the number.
  func insert(_ number: CustomerAccountNumber, of id: BankAccount.ID, tenant: Int, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO finaptic_account_number (account_id, tenant_id, number, country, bank, branch, account, given_at)
      VALUES (\(id), \(tenant), \(number.text), \(number.country), \(number.bank), \(number.branch),
        \(number.account), \(now))
      ON CONFLICT DO NOTHING
      """) == 1
  }

  func number(of id: BankAccount.ID) throws -> CustomerAccountNumber? { try numbers(of: [id])[id] }

  func numbers(of ids: [BankAccount.ID]) throws -> [BankAccount.ID: CustomerAccountNumber] {
    guard !ids.isEmpty else { return [:] }
    let rows = try tx.query(
      "SELECT account_id, \(Self.columns) FROM finaptic_account_number WHERE account_id IN \(list: ids)")
    return try rows.reduce(into: [:]) { numbers, row in
      numbers[try row.get("account_id")] = CustomerAccountNumber(
        country: try row.get("country"), bank: try row.get("bank"), branch: try row.get("branch"),
        account: try row.get("account"), text: try row.get("number"))
    }
  }

  /// The account of a tenant that a payment or a person names by its number.
  /// - Parameters:
  ///   - written: the full number in one of its forms, or in Canada the account alone, whose check digits are over
  ///     its branch, too.
  ///   - routing: the routing number of the bank beside it: then the account alone is one of that bank.
  /// - Returns: nil when no account has it, or more than one might be meant.
  func account(named written: String, routing: String? = nil, tenant: Int) throws -> BankAccount.ID? {
    let full = CustomerAccountNumber.candidates(written, routing: routing).sorted()
    guard !full.isEmpty else { return nil }
    let alone = routing == nil ? written.filter { $0 != " " && $0 != "-" } : ""
    let found = try tx.query(
      """
      SELECT account_id FROM finaptic_account_number
      WHERE tenant_id = \(tenant)
        AND (number IN \(list: full) OR account = \(alone) AND country = \(AccountNumbering.canada)) LIMIT 2
      """)
    return found.count == 1 ? try found.first?.get("account_id") : nil
  }

  /// Accounts of all tenants with a full number in one of its forms.
  func accounts(named written: String, limit: Int) throws -> [BankAccount.ID] {
    let full = CustomerAccountNumber.candidates(written).sorted()
    guard !full.isEmpty else { return [] }
    return try tx.query(
      "SELECT account_id FROM finaptic_account_number WHERE number IN \(list: full) ORDER BY account_id LIMIT \(limit)"
    ).map { try $0.get("account_id") }
  }
}
