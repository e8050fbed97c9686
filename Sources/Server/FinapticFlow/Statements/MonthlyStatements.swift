// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Paper
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
  private static let maker = "statements"

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
        for id in page where !known.contains(id) {
          try Task.checkCancellation()
          do {
            if try await make(id, month, of: tenant) { made += 1 }
          } catch let error as CancellationError { throw error } catch {
            failures.append(.init(["tenant": "\(tenant.id)", "account": "\(id)"], error: error))
          }
        }
        guard page.count == Ledger.pageMax else { break }
        after = page.last
      }
    }
    return made
  }

  /// - Returns: false when there is nothing to state and no one to state it to, or another node was faster.
  private func make(_ id: BankAccount.ID, _ month: DayEnd.Month, of tenant: FinapticTenant) async throws -> Bool {
    guard
      let statement = try await ledger.statement(
        of: id, tenant: BankAccount.ledgerTenant(tenant.id), from: month.from, to: month.to),
      LedgerTime(statement.account.openedAt) < month.to, statement.account.state == .active,
      // A closed account has a last statement, of the month in which it was closed.
      statement.account.stop != .closed || !statement.numbers.isEmpty || statement.opening != 0
    else { return false }
    return try await make(statement, month, of: tenant, correcting: nil, reason: nil, by: Self.maker) != nil
  }

  // MARK: A correction

  /// Makes the statement anew from the books, under a number of its own. The one that it corrects stays as it is.
  /// - Throws: `Problem` not found; validation; conflict `statement-corrected` when another one has taken its place.
  func correct(
    _ id: MonthlyStatement.ID, on account: BankAccount.ID, of tenant: FinapticTenant, reason: String, by actor: String
  ) async throws -> MonthlyStatement {
    let why = reason.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...Self.reasonMax).contains(why.unicodeScalars.count) else {
      throw Problem.validation([.init("/reason", "length", "1 to \(Self.reasonMax) characters.")])
    }
    let wrong = try await find(id, on: account, of: tenant.id)
    guard
      let statement = try await ledger.statement(
        of: account, tenant: BankAccount.ledgerTenant(tenant.id), from: wrong.month.from, to: wrong.month.to)
    else { throw Problem.notFound }
    let made = try await make(statement, wrong.month, of: tenant, correcting: wrong, reason: why, by: actor)
    guard let made else {
      throw Problem(.conflict, "statement-corrected", "Another statement has taken the place of this one.")
    }
    return made
  }

  // MARK: Making

  /// The objects are durable before the row names them. What a lost race leaves goes again.
  /// - Returns: nil when another node was faster, and when no owner is left.
  private func make(
    _ statement: LedgerStatement, _ month: DayEnd.Month, of tenant: FinapticTenant,
    correcting wrong: MonthlyStatement?, reason: String?, by actor: String
  ) async throws -> MonthlyStatement? {
    let (id, now) = (MonthlyStatement.ID(core.world), core.world.now())
    // Only the key is written. A month may have many entries: they are read without keeping writers out.
    let found = try await core.database.write(retrying: .outdated) { [core] tx in
      let keys = AccountKeyStore(tx, vault: core.vault)
      guard let account = try AccountStore(tx).find(statement.account.id, tenant: tenant.id),
        try keys.owner(of: account.id) != nil
      else { return (account: BankAccount, key: SubjectKey?)?.none }
      return (account, try keys.key(of: account.id, tenant: tenant.id))
    }
    guard let (account, key) = found else { return nil }
    let content = try await core.database.read { [core] tx in
      try StatementContent(
        id, correcting: wrong?.id, statement, of: account, month, tenant: tenant, at: now, vault: core.vault, in: tx)
    }
    // Both forms are whole before an object is put.
    let (paper, xml) = (try content.paper.pdf(), try content.message())
    let pdf = try await put(paper, .pdf, of: id, under: key)
    let message = try await put(xml, .message, of: id, under: key)
    let new = MonthlyStatement(
      id: id, tenant: tenant.id, account: statement.account.id, month: month, revision: (wrong?.revision ?? 0) + 1,
      corrects: wrong?.id, language: content.language, createdAt: now, pdf: pdf, message: message)
    let isKept = try await core.database.write(retrying: .outdated) { [core] tx in
      // An erasure that ran meanwhile has destroyed the key; one that runs now meets this transaction.
      guard let owner = try AccountKeyStore(tx, vault: core.vault).owner(of: new.account) else { return false }
      try core.vault.holdSubjectKey(of: KeySubject(owner), in: tx)
      guard try MonthlyStatementStore(tx).insert(new) else { return false }
      try core.note("statement.made", "account-\(new.account)", by: actor, Self.facts(new, reason), in: tx)
      return true
    }
    if isKept { return new }
    for document in [pdf, message] { try await core.blobs.delete(document.blob) }
    return nil
  }

  private static func facts(_ new: MonthlyStatement, _ reason: String?) -> [String: String] {
    var facts = [
      "statement": new.id.rawValue, "month": new.month.text, "pdf": new.pdf.digest, "message": new.message.digest,
    ]
    facts["corrects"] = new.corrects?.rawValue
    facts["reason"] = reason
    return facts
  }

  private func put(
    _ bytes: Data, _ format: MonthlyStatement.Format, of id: MonthlyStatement.ID, under key: SubjectKey?
  ) async throws -> MonthlyStatement.Document {
    let blob = core.world.uuid()
    let sealed = try core.vault.seal(bytes, context: MonthlyStatement.context(id, format), under: key)
    try await core.blobs.put(blob, sealed)
    return .init(blob: blob, digest: bytes.sha256Hex, size: bytes.count)
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
