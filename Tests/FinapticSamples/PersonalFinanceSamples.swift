// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum PersonalFinanceSamples {
  /// Line 2310 of the seed.
  package static func getTransactions(sdk: FinapticSDK, accountId: String) {
    let request = GetTransactionsRequest(accountId: accountId, pageSize: 10, sortOrder: .descending)
    sdk.personalFinanceManagementClient.getTransactions(request: request) { result in
        switch result {
        case .success(let response):
            print("Get transactions success")
            for transaction in response.transactions {
                print("Transaction with id \(transaction.transactionId)")
            }

        case .failure(let error):
            print("Get transactions error: \(error)")
        }
    }
  }

  /// Line 2339 of the seed.
  package static func getTransaction(sdk: FinapticSDK, transactionId: String) {
    let request = GetTransactionRequest(transactionId: transactionId)
    sdk.personalFinanceManagementClient.getTransaction(request: request) { result in
        switch result {
        case .success(let response):
            print("Get transaction success: \(response.transaction.transactionId)")

        case .failure(let error):
            print("Get transaction error: \(error)")
        }
    }
  }
}
