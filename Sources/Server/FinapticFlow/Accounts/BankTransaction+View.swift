// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Ledger

extension BankTransaction {
  /// Balances right after it.
  var balance: FinapticAPI.Balance {
    .init(actual: Money(actual, amount.currency).wire, available: Money(available, amount.currency).wire)
  }

  /// As an entry of the ledger (finaptic §8.5).
  var entryView: FinapticAPI.AccountTransaction {
    .init(
      transactionId: id.rawValue, lifecycleTransactionId: lifecycle, accountId: account.rawValue,
      transactionTime: at.wire, amount: amount.wire, balance: balance, accountDomain: BankAccount.domain,
      initiatingDomain: domain)
  }

  /// As its people know it (finaptic §8.6).
  /// - Parameters:
  ///   - transactor: merchant and place, or the other party.
  ///   - category: in the customer's language.
  func view(transactor: String, category spending: String) -> FinapticAPI.Transaction {
    .init(
      transactionId: id.rawValue, lifecycleTransactionId: lifecycle, amount: amount.wire, transactorName: transactor,
      balance: balance, transactionState: state.rawValue, transactionType: category.rawValue,
      accountId: account.rawValue, category: spending, transactionTime: at.wire, accountDomain: BankAccount.domain,
      initiatingDomain: domain)
  }
}
