// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger
import ReferenceData

extension BankAccount {
  /// In the words of the wire.
  enum Status {
    static let inactive = "ACCOUNT_STATUS_INACTIVE"
    static let active = "ACCOUNT_STATUS_ACTIVE"
    /// For a bank's own systems: apps are told that the account is inactive.
    static let frozen = "ACCOUNT_STATUS_FROZEN"
    static let closed = "ACCOUNT_STATUS_CLOSED"
  }

  /// As a bank's own systems see it.
  var status: String {
    switch account.stop {
    case .frozen: Status.frozen
    case .closed: Status.closed
    case nil: isActive ? Status.active : Status.inactive
    }
  }

  /// - Parameter number: by which other banks name it; nil where the tenant has no numbers.
  func view(_ number: CustomerAccountNumber?) -> FinapticAPI.Account {
    .init(
      id: id.rawValue,
      balance: .init(actual: account.actualBalance.wire, available: account.availableBalance.wire), name: account.name,
      sourceDomain: Self.domain, owners: owners, authorizedUsers: authorizedUsers, number: number?.view)
  }

  /// - Parameter accrued: interest that has grown and is not booked, in minor units.
  func details(accrued: Int64) -> FinapticAPI.AccountDetails {
    .init(
      accountId: id.rawValue, status: books ? Status.active : Status.inactive,
      accruedInterest: Money(accrued, account.currency).wire, accountType: "ACCOUNT_TYPE_DEPOSIT")
  }
}

extension Money {
  /// As the wire has it: decimal, with all decimals of the currency.
  package var wire: FinapticAPI.Amount { .init(amount: decimal, currency: currency) }
}

extension LedgerTime {
  package var wire: FinapticAPI.Instant { .init(microsecondsSince1970: microseconds) }
}
