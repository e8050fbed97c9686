// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension ListAccountsRequest {
  var wire: FinapticAPI.PageRequest { FinapticAPI.PageRequest(pageSize: pageSize, pageToken: pageToken) }
}

extension ListTransactionsRequest {
  var wire: FinapticAPI.ListTransactionsRequest {
    FinapticAPI.ListTransactionsRequest(
      accountId: accountId, from: from.map { FinapticAPI.Instant($0).description },
      to: to.map { FinapticAPI.Instant($0).description }, pageSize: pageSize, pageToken: pageToken)
  }
}

extension Account {
  init(_ wire: FinapticAPI.Account) throws(FinapticError) {
    self.init(
      id: wire.id, balance: try Balance(wire.balance), name: wire.name, sourceDomain: wire.sourceDomain,
      owners: wire.owners, authorizedUsers: wire.authorizedUsers, number: wire.number.map(AccountNumber.init))
  }
}

extension AccountNumber {
  init(_ wire: FinapticAPI.AccountNumber) {
    self.init(
      country: wire.country, institution: wire.institution, transit: wire.transit, number: wire.number, iban: wire.iban)
  }
}

extension AccountTransaction {
  init(_ wire: FinapticAPI.AccountTransaction) throws(FinapticError) {
    self.init(
      transactionId: wire.transactionId, lifecycleTransactionId: wire.lifecycleTransactionId,
      accountId: wire.accountId, transactionTime: wire.transactionTime.date, amount: try Amount(wire.amount),
      balance: try Balance(wire.balance), accountDomain: wire.accountDomain, initiatingDomain: wire.initiatingDomain)
  }
}
