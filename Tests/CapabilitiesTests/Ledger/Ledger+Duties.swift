// SPDX-License-Identifier: Apache-2.0

import Ledger

/// One duty at a time, as tests run it: the day's end asks for the same by `end`.
extension Ledger {
  /// Lets the accounts of a product grow by the interest of a day that is over.
  /// - Returns: how many grew.
  /// - Throws: `Problem` when the day is not final yet.
  @discardableResult
  func accrue(day: Int64, tenant: String, product: String) async throws -> Int {
    try await end(.accrual(day: day), tenant: tenant, product: product).done
  }

  /// Books what has grown up to the end of a month.
  /// - Parameters:
  ///   - month: months since 1970-01, for the key: a month is booked once.
  ///   - lastDay: of the month.
  ///   - expense: the institution's account that pays.
  /// - Returns: how many accounts got something.
  @discardableResult
  func bookInterest(
    month: Int64, lastDay: Int64, tenant: String, product: String, from expense: LedgerAccount.ID
  ) async throws -> Int {
    try await end(.interest(month: month, lastDay: lastDay, from: expense), tenant: tenant, product: product).done
  }

  /// Books the monthly fee of a product, as it was on the last day of the month, on accounts that were there by then. An
  /// account that cannot pay is declined, and not asked again for that month.
  /// - Returns: how many accounts paid now; one that paid before is not counted again.
  @discardableResult
  func bookFees(
    month: Int64, lastDay: Int64, tenant: String, product: String, to income: LedgerAccount.ID
  ) async throws -> Int {
    try await end(.fee(month: month, lastDay: lastDay, to: income), tenant: tenant, product: product).done
  }
}
