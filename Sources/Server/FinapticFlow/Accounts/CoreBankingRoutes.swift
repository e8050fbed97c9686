// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit
import Ledger
import Storage

/// `coreBanking`: what an account is (finaptic §3.5).
package struct CoreBankingRoutes: Sendable {
  let calls: FinapticCalls

  package func add(to groups: FinapticRouteGroups) {
    groups.customers.post("coreBanking/getAccountDetails", use: details)
  }

  @Sendable
  private func details(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.AccountRequest.self)
    return try Response.json(
      try await calls.core.database.read { tx in
        let account = try AccountAccess(tx, context).account(asked.accountId)
        return account.details(accrued: try LedgerStore(tx).accruedInterest(of: account.id))
      })
  }
}

extension AccountAccess {
  /// Of the caller.
  package init(_ tx: any SQLTransaction, _ context: FinapticCustomerContext) {
    self.init(tx, tenant: context.tenant.id, customer: context.customer)
  }
}
