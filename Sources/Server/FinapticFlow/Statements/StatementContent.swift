// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import Ledger
import ReferenceData
import Storage

/// What a statement says, before it has a form.
struct StatementContent: Sendable {
  /// An entry of the books.
  struct Line: Sendable {
    let transaction: BankTransaction
    /// Merchant and place, or the other party; empty when it is not known.
    let name: String
    /// What its sender wrote with it; empty when nothing.
    let remittance: String
    /// From when on it counts for interest, where that is not the day of its booking (decision 123).
    let valueDate: WireDate?
  }

  let id: MonthlyStatement.ID
  let corrects: MonthlyStatement.ID?
  let bank: String
  let account: LedgerAccount
  /// By which other banks name it; nil where the tenant has no numbers.
  let number: CustomerAccountNumber?
  /// Legal names of its owners.
  let holders: [String]
  let month: DayEnd.Month
  let opening: Int64
  let closing: Int64
  let debits: Int128
  let credits: Int128
  /// The oldest first.
  let lines: [Line]
  /// What its holders were told of its terms in the month, the oldest first.
  let notices: [TermsNotice]
  /// BCP 47.
  let language: String
  let createdAt: Instant
}

/// Why the statement of an account was not made now.
enum StatementFault: String, Error, Sendable {
  /// The month may still get entries.
  case notFinal
  /// What customers see does not add up to what is booked.
  case doesNotAddUp
  /// What is stored is not what was given out.
  case changed
}

extension StatementContent {
  /// Reads what was booked on an account in a month.
  /// - Parameter statement: of the account and the month.
  /// - Throws: `StatementFault`.
  init(
    _ id: MonthlyStatement.ID, correcting corrects: MonthlyStatement.ID?, _ statement: LedgerStatement,
    of account: BankAccount, _ month: DayEnd.Month, tenant: FinapticTenant, at now: Instant, vault: Vault,
    in tx: any SQLTransaction
  ) throws {
    guard statement.isFinal else { throw StatementFault.notFinal }
    let profiles = ClientProfileStore(tx, vault: vault)
    // Of several owners the first one chooses the language.
    let first = account.owners.first ?? ""
    (self.id, self.corrects, bank, self.month) = (id, corrects, tenant.name, month)
    (self.account, createdAt) = (statement.account, now)
    number = try AccountNumberStore(tx).number(of: account.id)
    holders = try account.owners.compactMap { try profiles.find($0)?.legalName }.filter { !$0.isEmpty }
    language = try profiles.locale(of: first)
    (opening, closing) = (statement.opening, statement.closing)
    (debits, credits) = (statement.debits, statement.credits)
    notices = try TermsChangeStore(tx).notices(on: account.id, limit: TermsChanges.listMax).filter {
      $0.sentAt.map { (month.from..<month.to).contains(LedgerTime($0)) } ?? false
    }
    var names = try TransactionNames(tx, vault: vault, tenant: tenant, customer: first)
    let dates = try LedgerStore(tx).valueDays(of: account.id, from: month.from, to: month.to)
    lines = try Self.booked(on: account.id, month, in: BankTransactionStore(tx, vault: vault)).map {
      Line(
        transaction: $0, name: try names.transactor(of: $0),
        remittance: $0.particulars?.remittance?.unstructured?.data ?? "",
        valueDate: dates[.init(rawValue: $0.id.rawValue)].map { WireDate(daysSince1970: Int($0)) })
    }
    let sum = lines.reduce(Int128(opening)) { $0 + Int128($1.transaction.amount.minorUnits) }
    guard lines.count == statement.numbers.count, sum == Int128(closing) else { throw StatementFault.doesNotAddUp }
  }

  /// What was booked, without holds and what was declined.
  private static func booked(
    on account: BankAccount.ID, _ month: DayEnd.Month, in store: BankTransactionStore
  ) throws -> [BankTransaction] {
    var (all, last) = ([BankTransaction](), LedgerTime(microseconds: month.from.microseconds - 1))
    while true {
      let page = try store.newer(than: last, on: account, limit: PageTokens.pageMax)
      all += page.filter { $0.entry != nil && $0.at < month.to }
      guard page.count == PageTokens.pageMax, let end = page.last?.at, end < month.to else { return all }
      last = end
    }
  }
}
