// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Makes the statements of accounts, once for each month that is over, and gives them out (issue 31).
///
/// A run goes on where the last one stopped: an account that has its statement is passed over, and a month of a tenant
/// is done when each of its accounts has one. Of two nodes that make the same statement the first one's counts.
package struct MonthlyStatements: Sendable {
  /// Months that a tenant gets statements of when it gets its first ones.
  static let monthsMax: Int64 = 12
  /// Characters of the reason of a correction.
  private static let reasonMax = 200

  let core: CoreDependencies
  let ledger: Ledger
  let tenants: FinapticTenants

  // MARK: At the end of a month

  /// Makes every statement that is due.
  /// - Returns: how many were made.
  /// - Throws: `PartialFailure` with the accounts whose statements could not be made, after the others were.
  @discardableResult
  package func run() async throws -> Int {
    var (made, failures) = (0, [PartialFailure.Part]())
    for tenant in try await tenants.list() {
      do { made += try await run(tenant, failures: &failures) } catch let error as CancellationError {
        throw error
      } catch { failures.append(.init(["tenant": "\(tenant.id)"], error: error)) }
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
    return made
  }

  private func run(_ tenant: FinapticTenant, failures: inout [PartialFailure.Part]) async throws -> Int {
    let (ended, last) = try await core.database.read { tx in
      (try DayEndStore(tx).last(of: tenant.id), try MonthlyStatementStore(tx).lastMonth(of: tenant.id))
    }
    // Interest and fees of a month are booked by the end of its last day.
    guard let ended else { return 0 }
    let month = DayEnd.Month(of: ended)
    let over = month.lastDay == ended ? month.number : month.number - 1
    let opened = DayEnd.Month(of: Ledger.day(of: tenant.createdAt)).number
    let next = last.map { $0 + 1 } ?? max(opened, over - Self.monthsMax + 1)
    guard next <= over else { return 0 }
    let known = failures.count
    var made = 0
    for number in next...over {
      made += try await make(.init(number: number), of: tenant, failures: &failures)
      // The first month with a failure is tried again by the next run. One account does not keep others from the months
      // after it: they are made now, and passed over then.
      guard failures.count == known else { continue }
      try await core.database.write(retrying: .outdated) { try MonthlyStatementStore($0).made(number, of: tenant.id) }
    }
    return made
  }

  private func make(
    _ month: DayEnd.Month, of tenant: FinapticTenant, failures: inout [PartialFailure.Part]
  ) async throws -> Int {
    let name = BankAccount.ledgerTenant(tenant.id)
    var made = 0
    for product in try await core.database.read({ try LedgerStore($0).products(tenant: name) })
    where product.kind == .customer {
      var after: LedgerAccount.ID?
      while true {
        // Ids alone: an account that cannot be read fails by itself.
        let (page, known) = try await core.database.read { [after] tx in
          let ids = try LedgerStore(tx).accountIDs(
            tenant: name, product: product.code, after: after, limit: Ledger.pageMax)
          return (ids, try MonthlyStatementStore(tx).known(among: ids, month: month.number))
        }
        made += try await makeEach(
          page.filter { !known.contains($0) }, month, of: tenant, failures: &failures)
        guard page.count == Ledger.pageMax else { break }
        after = page.last
      }
    }
    return made
  }

  // MARK: A correction

  /// Makes the statement anew from the books, under a number of its own. The one that it corrects stays as it is.
  /// - Throws: `Problem` not found; validation; conflict `statement-corrected` when another one has taken its place.
  func correct(
    _ id: MonthlyStatement.ID, on account: BankAccount.ID, of tenant: FinapticTenant, reason: String, by actor: String
  ) async throws -> MonthlyStatement {
    let why = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...Self.reasonMax).contains(why.unicodeScalars.count), DisplayedText.isPlain(why) else {
      throw Problem.validation([
        .init("/reason", "length", "1 to \(Self.reasonMax) characters that can be seen, in one line.")
      ])
    }
    let wrong = try await find(id, on: account, of: tenant.id)
    guard
      let statement = try await ledger.statement(
        of: account, tenant: BankAccount.ledgerTenant(tenant.id), from: wrong.month.from, to: wrong.month.to)
    else { throw Problem.notFound }
    let made = try await make(
      [statement], wrong.month, of: tenant, correcting: wrong, reason: why, by: actor
    ).first
    guard let made else {
      throw Problem(.conflict, "statement-corrected", "Another statement has taken the place of this one.")
    }
    return made
  }

  // MARK: Giving out

  /// - Throws: `Problem` not found.
  func find(
    _ id: MonthlyStatement.ID, on account: BankAccount.ID, of tenant: Int
  ) async throws -> MonthlyStatement {
    guard let found = try await core.database.read({ try MonthlyStatementStore($0).find(id, tenant: tenant) }),
      found.account == account
    else { throw Problem.notFound }
    return found
  }

  /// A document as it was given out first.
  /// - Throws: `StatementFault` when what is stored is another one; `Problem` not found when the object is gone.
  package func document(_ statement: MonthlyStatement, _ format: MonthlyStatement.Format) async throws -> Data {
    guard let sealed = try await core.blobs.get(statement[format].blob) else { throw Problem.notFound }
    let bytes = try await core.vault.open(
      sealed, context: MonthlyStatement.context(statement.id, format), in: core.database)
    guard bytes.sha256Hex == statement[format].digest else { throw StatementFault.changed }
    return bytes
  }
}
