// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit
import Ledger
import Storage

/// `personalFinanceManagement`: what was spent and received (finaptic §3.8, §8.6).
package struct PersonalFinanceRoutes: Sendable {
  private typealias Wire = FinapticAPI

  /// In the words of the wire.
  private enum Order: String { case descending = "DESCENDING", ascending = "ASCENDING" }

  let calls: FinapticCalls
  private var core: CoreDependencies { calls.core }

  package func add(to groups: FinapticRouteGroups) {
    groups.customers.post("personalFinanceManagement/getTransactions", use: getTransactions)
    groups.customers.post("personalFinanceManagement/getTransaction", use: getTransaction)
  }

  @Sendable
  private func getTransactions(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, Wire.GetTransactionsRequest.self)
    var check = InputCheck()
    let id = check.id(asked.accountId, "accountId")
    let order = asked.sortOrder.flatMap(Order.init)
    if order == nil { check.refuse("sortOrder", "unknown", "DESCENDING or ASCENDING.") }
    if (asked.pageSize ?? 0) < 1 { check.refuse("pageSize", "range", "One or more.") }
    try check.end()
    guard let id, let order else { throw Problem.unexpected }
    let size = try PageTokens.size(asked.pageSize)
    let tokens = PageTokens(core.vault, "getTransactions", context.customer, id, order.rawValue)
    let way = try tokens.position(asked.pageToken).flatMap(TransactionPage.Cursor.init) ?? Self.first(order)
    return try Response.json(
      try await core.database.read { tx in
        let account = try AccountAccess(tx, context).account(asked.accountId)
        let page = try TransactionPage.load(
          way, of: account.id, size: size, from: BankTransactionStore(tx, vault: core.vault))
        var names = try TransactionNames(tx, vault: core.vault, tenant: context.tenant, customer: context.customer)
        let views = try page.transactions.map { try names.view($0) }
        let (older, newer) = (
          try page.older.map { try tokens.token($0.text) }, try page.newer.map { try tokens.token($0.text) }
        )
        return order == .descending
          ? Wire.TransactionsResponse(
            previousPageToken: newer, transactions: views, nextPageToken: older, sortOrder: order.rawValue)
          : Wire.TransactionsResponse(
            previousPageToken: older, transactions: views.reversed(), nextPageToken: newer, sortOrder: order.rawValue)
      })
  }

  private static func first(_ order: Order) -> TransactionPage.Cursor {
    order == .descending ? .older(LedgerTime(microseconds: .max)) : .newer(LedgerTime(microseconds: .min))
  }

  @Sendable
  private func getTransaction(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, Wire.TransactionRequest.self)
    let id = try AccountAccess.uuid(asked.transactionId, field: "/transactionId")
    return try Response.json(
      try await core.database.read { tx in
        guard let found = try VisibleTransactions(tx, context, vault: core.vault).find(.init(rawValue: id)) else {
          throw Problem.notFound
        }
        var names = try TransactionNames(tx, vault: core.vault, tenant: context.tenant, customer: context.customer)
        return Wire.TransactionResponse(transaction: try names.view(found))
      })
  }
}

/// Transactions of accounts that a customer may see.
package struct VisibleTransactions {
  private let access: AccountAccess
  private let store: BankTransactionStore

  package init(_ tx: any SQLTransaction, _ context: FinapticCustomerContext, vault: Vault) {
    (access, store) = (AccountAccess(tx, context), BankTransactionStore(tx, vault: vault))
  }

  /// A transaction as it is now: of two legs the debit, of a hold whose money went what settled it.
  /// - Returns: nil when it is not there or not the customer's to see.
  package func find(_ id: BankTransaction.ID) throws -> BankTransaction? {
    for leg in try store.legs(of: id, tenant: access.tenant) where try access.find(leg.account) != nil {
      guard let settled = leg.settledBy else { return leg }
      return try store.legs(of: settled, tenant: access.tenant).first { $0.account == leg.account } ?? leg
    }
    return nil
  }
}
