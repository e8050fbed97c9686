// SPDX-License-Identifier: Apache-2.0

import Finaptic
import GatehouseApp

/// What a new customer finds.
extension FinapticStory {
  func lookAtAccounts() async throws {
    var account = ""
    try await step("listAccounts, getAccountDetails", shows: "1 account, 0 CAD, active") {
      let accounts = try await play.sdk.coreTransactionClient.listAccounts(request: .init(pageSize: 10)).accounts
      guard let first = accounts.first else { return ("no account", "") }
      account = first.id
      let details = try await play.sdk.coreBankingClient.getAccountDetails(request: .init(accountId: first.id))
      let balance = first.balance.available
      return ("\(accounts.count) account, \(balance.amount) \(balance.currency), \(details.status)", first.name)
    }
    try await step("listOwners, getTransactions", shows: "1 owner, 0 transactions") {
      let owners = try await play.sdk.coreTransactionClient.listOwners(request: .init(accountId: account)).owners
      let seen = try await play.sdk.personalFinanceManagementClient.getTransactions(
        request: .init(accountId: account, pageSize: 10, sortOrder: .descending))
      return ("\(owners.count) owner, \(seen.transactions.count) transactions", "")
    }
  }
}
