import GatehouseWire
import Kit
import Ledger
import Storage

/// What a bank does at the end of a day: interest grows, and at the end of a month it and the fees are booked. Each day
/// counts once, however often and by however many nodes it is ended.
package struct DayEnd: Sendable {
  /// Days that one run makes up for.
  static let daysMax = 400

  /// What a run did.
  package struct Done: Sendable, Hashable {
    package var days = 0
    /// Accounts whose interest grew, once a day each.
    package var grown = 0
    /// Accounts that got interest.
    package var paid = 0
    /// Accounts that paid a fee.
    package var charged = 0

    package init() {}
  }

  let core: CoreDependencies
  let ledger: Ledger
  let tenants: FinapticTenants

  /// Ends every day that is over, of every tenant, oldest first.
  @discardableResult
  package func run() async throws -> Done {
    var done = Done()
    for tenant in try await tenants.list() {
      let from = try await core.database.read { try DayEndStore($0).last(of: tenant.id) }.map { $0 + 1 }
      let first = from ?? Ledger.day(of: tenant.createdAt)
      let over = Ledger.day(of: core.world.now() - Ledger.finality)
      guard first < over else { continue }
      for day in first..<min(over, first + Int64(Self.daysMax)) {
        try await end(day, of: tenant.id, into: &done)
        try await core.database.write(retrying: .outdated) { try DayEndStore($0).ended(day, of: tenant.id) }
      }
    }
    return done
  }

  /// Ends one day of a tenant.
  /// - Parameter day: days since 1970-01-01, UTC.
  /// - Throws: `Problem` when the day is not over.
  package func end(_ day: Int64, of tenant: Int, into done: inout Done) async throws {
    let name = BankAccount.ledgerTenant(tenant)
    let month = Month(of: day)
    for product in try await core.database.read({ try LedgerStore($0).products(tenant: name) })
    where product.kind == .customer {
      done.grown += try await ledger.accrue(day: day, tenant: name, product: product.code)
      guard month.lastDay == day else { continue }
      done.paid += try await ledger.bookInterest(
        month: month.number, lastDay: day, tenant: name, product: product.code,
        from: InternalAccounts.account(.interest, tenant: tenant))
      done.charged += try await ledger.bookFees(
        month: month.number, lastDay: day, tenant: name, product: product.code,
        to: InternalAccounts.account(.fees, tenant: tenant))
    }
    done.days += 1
  }

  /// A month of UTC.
  struct Month: Hashable {
    /// Months since 1970-01.
    let number: Int64
    /// Days since 1970-01-01.
    let lastDay: Int64

    init(of day: Int64) {
      let date = WireDate(daysSince1970: Int(day))
      number = Int64((date.year - 1970) * 12 + date.month - 1)
      var last = day
      while WireDate(daysSince1970: Int(last) + 1).month == date.month { last += 1 }
      lastDay = last
    }
  }
}

/// Rows of `finaptic_day_end`: up to which day a tenant's days are ended.
package struct DayEndStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 22 day end",
    """
    CREATE TABLE finaptic_day_end (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      last_day BIGINT NOT NULL
    );
    """)

  func last(of tenant: Int) throws -> Int64? {
    try tx.first("SELECT last_day FROM finaptic_day_end WHERE tenant_id = \(tenant)")?.get("last_day")
  }

  /// What another node did meanwhile stays.
  func ended(_ day: Int64, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_day_end (tenant_id, last_day) VALUES (\(tenant), \(day))
      ON CONFLICT (tenant_id) DO UPDATE SET last_day = excluded.last_day
      WHERE excluded.last_day > finaptic_day_end.last_day
      """)
  }
}
