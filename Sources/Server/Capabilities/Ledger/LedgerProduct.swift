// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What an account may do and what it costs, as data. A changed bound counts for accounts that are opened later; changed
/// interest and fees count for all accounts, from the day of the change: days and months before it keep theirs.
package struct LedgerProduct: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// Of a customer, who has an owner and is opened inactive.
    case customer
    /// Of the institution: cash, a network's clearing, fees, interest. Opened active.
    case house
  }

  package let tenant: String
  /// As in `current_account.v39`.
  package let code: String
  package let kind: Kind
  /// ISO 4217.
  package let currency: String
  /// The least that must stay available, in minor units: 0 unless the product allows an overdraft; nil for no bound.
  package let availableMin: Int64?
  /// Interest of a year in millionths of the balance: 25000 is 2.5 %.
  package let yearlyInterestMillionths: Int64
  /// What a month costs, in minor units.
  package let monthlyFee: Int64

  package init(
    tenant: String, code: String, kind: Kind, currency: String, availableMin: Int64? = 0,
    yearlyInterestMillionths: Int64 = 0, monthlyFee: Int64 = 0
  ) {
    (self.tenant, self.code, self.kind, self.currency) = (tenant, code, kind, currency)
    self.availableMin = availableMin
    (self.yearlyInterestMillionths, self.monthlyFee) = (yearlyInterestMillionths, monthlyFee)
  }
}
