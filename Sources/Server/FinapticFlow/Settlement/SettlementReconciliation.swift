// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import Storage

/// Compares what the books say of a settlement account with a statement of the bank that keeps it (camt.053).
package struct SettlementReconciliation: Sendable {
  /// Days around those of the statement of which entries may belong to its lines: the banks' days end at other times.
  private static let slack = 5

  let core: CoreDependencies
  let ledger: Ledger

  /// What became of one statement.
  package struct Report: Sendable, Equatable {
    package let account: SettlementAccount
    /// The statement's own id.
    package let statement: String
    package let found: Reconciliation
    /// What the booked entries miss between the balances: zero in a statement that adds up; nil when it cannot be told.
    package let difference: Money?
  }

  /// - Throws: `MessageFault`; `Problem` not found; unprocessable `not-a-statement` for another message, and
  ///   `no-settlement-account` for a statement of an account that the tenant does not settle over.
  package func run(_ bytes: Data, of tenant: Int) async throws -> [Report] {
    guard case .statement(let message) = try PaymentMessage.read(bytes) else {
      throw Problem(.unprocessable, "not-a-statement", "This is no statement of an account (camt.053).")
    }
    let accounts = try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      return try SettlementStore(tx).all(of: tenant)
    }
    var reports: [Report] = []
    for statement in message.statements {
      let currency = statement.balances.first?.amount.currency
      guard let account = accounts.first(where: { $0.number == statement.account.text && $0.currency == currency })
      else {
        throw Problem(
          .unprocessable, "no-settlement-account", "The tenant does not settle over the account of the statement.")
      }
      let books = try await lines(of: account, days: statement.days)
      let told = statement.lines { core.vault.digest($0, for: "bank payment reference") }
      reports.append(
        Report(
          account: account, statement: statement.id, found: Reconciliation(books: books, statement: told),
          difference: statement.difference))
    }
    return reports
  }

  /// Entries of the books around some days, each with the references of its payment.
  private func lines(
    of account: SettlementAccount, days: ClosedRange<CalendarDate>?
  ) async throws -> [Reconciliation.Line] {
    var page = Ledger.EntryPage()
    page.newestFirst = false
    if let days {
      page.from = Self.time(days.lowerBound, -Self.slack)
      page.to = Self.time(days.upperBound, Self.slack + 1)
    }
    var lines: [Reconciliation.Line] = []
    while true {
      let entries = try await ledger.entries(of: account.ledger, page)
      guard let last = entries.last else { return lines }
      lines += try await core.database.read { [core] tx in
        let store = BankPaymentStore(tx, vault: core.vault)
        return try entries.compactMap { entry in
          let id = BankPayment.id(in: entry.transfer.order.key.split(separator: " ").last.map(String.init))
          let payment = try id.flatMap { try store.find($0, tenant: account.tenant) }
          // What was told of twice, and what was recalled before any bank was told of it, was booked and taken off
          // again: no statement has it.
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
      page.after = last.sequence
    }
  }

  /// The beginning of a day of UTC, so many days later.
  private static func time(_ day: CalendarDate, _ later: Int) -> LedgerTime? {
    Instant(rfc3339: "\(day.isoText)T00:00:00Z").map { LedgerTime($0 + .days(later)) }
  }
}
