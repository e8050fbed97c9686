// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import Storage

/// Compares what the books say of a settlement account with a statement of the bank that keeps it (camt.053).
package struct SettlementReconciliation: Sendable {
  /// How many days before and after those of a statement its lines may be booked here: the days of banks end at
  /// different times.
  private static let slack = 5

  let core: CoreDependencies
  let ledger: Ledger

  /// What became of one statement.
  package struct Report: Sendable, Equatable {
    package let account: SettlementAccount
    /// The statement's own id.
    package let statement: String
    package let found: Reconciliation
    /// By how much the booked entries miss the difference of the balances: zero in a statement that adds up; nil when
    /// it is not known.
    package let difference: Money?
  }

  /// What became of a message of statements.
  package struct Outcome: Sendable, Equatable {
    package var reports: [Report] = []
    /// Whether the same message was compared before. It is compared anew: the books may have changed.
    package var isRepeated = false

    /// Whether a person has to look into anything.
    package var differs: Bool {
      reports.contains { $0.found.openCount > 0 || ($0.difference?.minorUnits ?? 0) != 0 }
    }
  }

  /// Reads the message by pages, and the books by pages of entries (decision 187). Only the message's name is kept, and
  /// the lines of one statement at a time: a run that was cut short leaves nothing half done, and is begun again.
  /// - Parameter actor: as in the audit log.
  /// - Throws: `MessageFault`; `Problem` not found; unprocessable `not-a-statement` for another message, and
  ///   `no-settlement-account` for a statement of an account that the tenant does not settle over; conflict
  ///   `message-reused` when another content came under the same id for the same account.
  package func run(
    _ file: MessageFile, of tenant: Int, by actor: String, pages limit: MessagePage.Limit = .standard
  ) async throws -> Outcome {
    var pages = MessagePages(file, limit: limit)
    var digester = core.vault.digester(for: IncomingMessages.digestPurpose)
    var page = try pages.first { digester.update($0) }
    guard case .statement = page.message else {
      throw Problem(.unprocessable, "not-a-statement", "This is no statement of an account (camt.053).")
    }
    let (summaries, accounts) = (page.summaries, try await self.accounts(of: page.summaries, tenant))
    let messages = IncomingMessages(core: core, ledger: ledger)
    let name = messages.name(of: page.message)
    var outcome = Outcome()
    outcome.isRepeated = try await messages.note(name, digest: digester.digest, of: tenant)
    var matching = Reconciliation.Matching()
    while true {
      guard case .statement(let message) = page.message else { throw Problem.unexpected }
      for (statement, place) in zip(message.statements, page.places) {
        // The statements before it are complete; those without entries are on no page.
        while outcome.reports.count < place.statement {
          try await report(summaries, accounts, &matching, &outcome)
        }
        matching.take(
          statement: statement.lines(from: place.entry) { core.vault.digest($0, for: "bank payment reference") })
      }
      guard let next = try pages.following() else { break }
      page = next
    }
    while outcome.reports.count < summaries.count { try await report(summaries, accounts, &matching, &outcome) }
    try await finish(name, outcome, of: tenant, by: actor)
    return outcome
  }

  /// The settlement account of each statement.
  private func accounts(
    of summaries: [AccountStatement.Summary], _ tenant: Int
  ) async throws -> [SettlementAccount] {
    let accounts = try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      return try SettlementStore(tx).all(of: tenant)
    }
    return try summaries.map { summary in
      let (number, currency) = (summary.account.text, summary.currency)
      guard let account = accounts.first(where: { $0.number == number && $0.currency == currency }) else {
        throw Problem(
          .unprocessable, "no-settlement-account", "The tenant does not settle over the account of the statement.")
      }
      return account
    }
  }

  /// Compares the statement of which all lines were taken with the books.
  private func report(
    _ summaries: [AccountStatement.Summary], _ accounts: [SettlementAccount],
    _ matching: inout Reconciliation.Matching, _ outcome: inout Outcome
  ) async throws {
    let (summary, account) = (summaries[outcome.reports.count], accounts[outcome.reports.count])
    var whole = matching
    matching = .init()
    try await books(of: account, days: summary.days) { whole.take(books: $0) }
    outcome.reports.append(
      Report(account: account, statement: summary.id, found: whole.found(), difference: summary.difference))
  }

  /// Notes that all of a message was compared.
  private func finish(_ name: String, _ outcome: Outcome, of tenant: Int, by actor: String) async throws {
    let matched = outcome.reports.reduce(0) { $0 + $1.found.matched }
    let open = outcome.reports.reduce(0) { $0 + $1.found.openCount }
    try await core.database.write(retrying: .outdated) { [core] tx in
      try SettlementStore(tx).finish(name, tenant: tenant, at: core.world.now())
      try core.note(
        "statement.compared", "tenant-\(tenant)", by: actor,
        ["statements": "\(outcome.reports.count)", "matched": "\(matched)", "open": "\(open)"], in: tx)
    }
  }

  /// Entries of the books around some days, each with the references of its payment, page by page.
  private func books(
    of account: SettlementAccount, days: ClosedRange<CalendarDate>?, take: ([Reconciliation.Line]) -> Void
  ) async throws {
    var page = Ledger.EntryPage()
    page.newestFirst = false
    if let days {
      page.from = Self.time(days.lowerBound, -Self.slack)
      page.to = Self.time(days.upperBound, Self.slack + 1)
    }
    while true {
      let entries = try await ledger.entries(of: account.ledger, page)
      guard let last = entries.last else { return }
      let lines: [Reconciliation.Line] = try await core.database.read { [core] tx in
        let ids = entries.map { BankPayment.id(in: $0.transfer.order.key.split(separator: " ").last.map(String.init)) }
        let payments = try BankPaymentStore(tx, vault: core.vault)
          .all(Array(Set(ids.compactMap(\.self))), tenant: account.tenant)
        return zip(entries, ids).compactMap { entry, id in
          let payment = id.flatMap { payments[$0] }
          // A payment that was announced twice, or recalled before any bank was told of it, was booked and reversed: no
          // statement has it.
          if let payment, payment.state == .reversed, payment.direction == .incoming || payment.reversedBy == nil {
            return nil
          }
          let references = payment?.references
          let day = CalendarDate(entry.transfer.at.instant.rfc3339.prefix(10))
          return Reconciliation.Line(
            entry.transfer.id.rawValue, Money(-entry.amount, account.currency),
            references: Set([references?.uetr, references?.transaction, references?.endToEnd].compactMap(\.self)),
            day: day, isDue: day.map { day in days?.contains(day) ?? true } ?? true)
        }
      }
      take(lines)
      page.after = last.sequence
    }
  }

  /// The beginning of a day of UTC, so many days later.
  private static func time(_ day: CalendarDate, _ later: Int) -> LedgerTime? {
    Instant(rfc3339: "\(day.isoText)T00:00:00Z").map { LedgerTime($0 + .days(later)) }
  }
}
