// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What members of a bank's staff see of statements. Each look is a line of the account's chain in the audit log.
extension MonthlyStatements {
  /// - Parameters:
  ///   - desk: the member's institution, `finaptic-7`.
  ///   - why: for the audit.
  /// - Throws: `Problem` not found.
  package func list(
    of account: BankAccount.ID, at desk: String, by actor: String, why: RecordAccess
  ) async throws -> [MonthlyStatement] {
    let tenant = try await tenants.find(named: desk)
    return try await core.database.write(retrying: .outdated) { [core] tx in
      guard try AccountStore(tx).find(account, tenant: tenant.id) != nil else { throw Problem.notFound }
      try core.note("statement.listed", "account-\(account)", by: actor, ["why": why.rawValue], in: tx)
      return try MonthlyStatementStore(tx).all(of: account)
    }
  }

  /// - Parameters:
  ///   - suffix: of the form, `pdf` or `xml`.
  ///   - why: for the audit.
  /// - Throws: `Problem` not found; as `document`.
  package func document(
    _ id: MonthlyStatement.ID, suffix: String, of account: BankAccount.ID, at desk: String, by actor: String,
    why: RecordAccess
  ) async throws -> Data {
    let tenant = try await tenants.find(named: desk)
    guard let format = MonthlyStatement.Format(suffix: suffix) else { throw Problem.notFound }
    let found = try await find(id, on: account, of: tenant.id)
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.note(
        "statement.read", "account-\(account)", by: actor,
        ["statement": id.rawValue, "form": suffix, "why": why.rawValue], in: tx)
    }
    return try await document(found, format)
  }
}
