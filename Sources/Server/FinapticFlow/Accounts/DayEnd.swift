// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import Ledger
import Storage

/// What a bank does at the end of a day: terms whose day has begun count, postings whose value date has begun are
/// booked, interest grows, and at the end
/// of a month it and the fees are booked. Each day counts once, however often and by however many nodes it is ended.
///
/// Tenants do not wait for each other: what stops one is told by its number, and its day is ended by a later run, from
/// where this one stopped. An account that cannot do its part is dead-lettered by itself and tried again every hour
/// (decision 108).
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
    /// Accounts that did now what they had been dead-lettered with.
    package var resumed = 0
    /// What accounts were dead-lettered with now.
    package var deadLettered: [DeadLetteredDayEndTask] = []
    /// Postings whose value date has come, booked or declined now.
    package var posted = 0
    /// Postings whose value date has come and that could not be booked: a later run tries again.
    package var stuck: [ScheduledPostings.Stuck] = []
    /// Dead-lettered tasks that were passed over, because their rows cannot be read.
    package var unreadable: [UnreadableDayEndTask] = []

    package init() {}
  }

  let core: CoreDependencies
  let ledger: Ledger
  let tenants: FinapticTenants
  private var scheduled: ScheduledPostings { ScheduledPostings(core: core, ledger: ledger) }

  /// Ends every day that is over, of every tenant, oldest first.
  /// - Throws: `PartialFailure` with the tenants that were stopped and the accounts that were dead-lettered now, after
  ///   everything else was done.
  @discardableResult
  package func run() async throws -> Done {
    var (done, failures) = (Done(), [PartialFailure.Part]())
    for tenant in try await tenants.list() {
      var own = Done()
      do { try await run(tenant, into: &own) } catch let error as CancellationError { throw error } catch {
        failures.append(.init(["tenant": "\(tenant.id)"], error: error))
      }
      failures += own.deadLettered.map { .init($0, of: tenant.id) }
      failures += own.stuck.map {
        .init(["tenant": "\(tenant.id)", "account": $0.account, "duty": "posting"], reason: $0.reason)
      }
      failures += own.unreadable.map { .init($0, of: tenant.id) }
      done.add(own)
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
    return done
  }

  private func run(_ tenant: FinapticTenant, into done: inout Done) async throws {
    try await AccountTerms(core: core, ledger: ledger, tenants: tenants).beginDue(of: tenant.id)
    let due = try await scheduled.bookDue(of: tenant.id)
    (done.posted, done.stuck) = (done.posted + due.ended, done.stuck + due.stuck)
    let retried = try await ledger.retryDeadLettered(tenant: BankAccount.ledgerTenant(tenant.id))
    done.resumed += retried.done
    done.unreadable += retried.unreadable
    let from = try await core.database.read { try DayEndStore($0).last(of: tenant.id) }.map { $0 + 1 }
    let first = from ?? Ledger.day(of: tenant.createdAt)
    let over = Ledger.day(of: core.world.now() - Ledger.finality)
    if first < over {
      for day in first..<min(over, first + Int64(Self.daysMax)) {
        try await end(day, of: tenant.id, into: &done)
        try await core.database.write(retrying: .outdated) { try DayEndStore($0).ended(day, of: tenant.id) }
      }
    }
    // Also after a run that ended the day and was interrupted before.
    guard over > Ledger.day(of: tenant.createdAt) else { return }
    try await ledger.checkpoint(day: over - 1, tenant: BankAccount.ledgerTenant(tenant.id))
  }

  /// Ends one day of a tenant. What accounts are dead-lettered with counts as ended: it waits beside the day.
  /// - Parameter day: days since 1970-01-01, UTC.
  /// - Throws: `Problem` when the day is not over.
  package func end(_ day: Int64, of tenant: Int, into done: inout Done) async throws {
    let name = BankAccount.ledgerTenant(tenant)
    let month = Month(of: day)
    for product in try await core.database.read({ try LedgerStore($0).products(tenant: name) })
    where product.kind == .customer {
      let grown = try await ledger.end(.accrual(day: day), tenant: name, product: product.code)
      done.grown += grown.done
      done.deadLettered += grown.deadLettered
      guard month.lastDay == day else { continue }
      let paid = try await ledger.end(
        .interest(
          month: month.number, lastDay: day, from: InternalAccounts.account(.interest, tenant: tenant)),
        tenant: name, product: product.code)
      done.paid += paid.done
      done.deadLettered += paid.deadLettered
      let charged = try await ledger.end(
        .fee(month: month.number, lastDay: day, to: InternalAccounts.account(.fees, tenant: tenant)),
        tenant: name, product: product.code)
      done.charged += charged.done
      done.deadLettered += charged.deadLettered
    }
    done.days += 1
  }

  /// Tries what accounts of a tenant are dead-lettered with, also what was tried a short while ago.
  package func retryDeadLettered(of tenant: Int) async throws -> Int {
    try await ledger.retryDeadLettered(tenant: BankAccount.ledgerTenant(tenant), isForced: true).done
  }

  /// What accounts of a tenant are dead-lettered with.
  package func deadLettered(of tenant: Int) async throws -> [DeadLetteredDayEndTask] {
    try await ledger.deadLettered(tenant: BankAccount.ledgerTenant(tenant))
  }

  /// Dead-lettered tasks of a tenant whose rows cannot be read.
  package func unreadable(of tenant: Int) async throws -> [UnreadableDayEndTask] {
    try await ledger.unreadable(tenant: BankAccount.ledgerTenant(tenant))
  }

  /// A month of UTC.
  package struct Month: Hashable, Sendable {
    /// Months since 1970-01.
    package let number: Int64
    /// Days since 1970-01-01.
    package let lastDay: Int64

    init(of day: Int64) {
      let date = WireDate(daysSince1970: Int(day))
      number = Int64((date.year - 1970) * 12 + date.month - 1)
      var last = day
      while WireDate(daysSince1970: Int(last) + 1).month == date.month { last += 1 }
      lastDay = last
    }
  }
}

extension DayEnd.Done {
  fileprivate mutating func add(_ other: Self) {
    days += other.days
    grown += other.grown
    paid += other.paid
    charged += other.charged
    resumed += other.resumed
    posted += other.posted
    stuck += other.stuck
    deadLettered += other.deadLettered
    unreadable += other.unreadable
  }
}

extension PartialFailure.Part {
  fileprivate init(_ deadLettered: DeadLetteredDayEndTask, of tenant: Int) {
    self.init(
      ["tenant": "\(tenant)", "account": "\(deadLettered.account)", "duty": "\(deadLettered.task.name.rawValue)"],
      reason: deadLettered.reason)
  }

  fileprivate init(_ task: UnreadableDayEndTask, of tenant: Int) {
    self.init(
      ["tenant": "\(tenant)", "account": task.account, "duty": task.task], reason: "SQLError.unreadable")
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
