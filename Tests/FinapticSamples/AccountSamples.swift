// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic
import Foundation

/// What each sample names without declaring is its parameter.
@MainActor
package enum AccountSamples {
  /// Line 1934 of the seed.
  package static func listAccounts(sdk: FinapticSDK) {
    let request = ListAccountsRequest(pageSize: 2, pageToken: nil)
    sdk.coreTransactionClient.listAccounts(request: request) { result in
        switch result {
        case .success(let response):
            print("Accounts: \(response.accounts.count)")

        case .failure(let error):
            print("List accounts error: \(error)")
        }
    }
  }

  /// Line 1957 of the seed.
  package static func getAccount(sdk: FinapticSDK, accountId: String) {
    let request = GetAccountRequest(accountId: accountId)
    sdk.coreTransactionClient.getAccount(request: request) { result in
        switch result {
        case .success(let account):
            print("Get account success: \(account)")

        case .failure(let error):
            print("Get account error: \(error)")
        }
    }
  }

  /// Line 1977 of the seed.
  package static func listAuthorizedUsers(sdk: FinapticSDK, accountId: String) {
    let request = ListAuthorizedUsersRequest(accountId: accountId)
    sdk.coreTransactionClient.listAuthorizedUsers(request: request) { result in
        switch result {
        case .success(let response):
            print("List authorized users success")
            for authorizedUserId in response.authorizedUsers {
                print("Authorized user with id \(authorizedUserId)")
            }

        case .failure(let error):
            print("List authorized users error: \(error)")
        }
    }
  }

  /// Line 2003 of the seed.
  package static func listOwners(sdk: FinapticSDK, accountId: String) {
    let request = ListOwnersRequest(accountId: accountId)
    sdk.coreTransactionClient.listOwners(request: request) { result in
        switch result {
        case .success(let response):
            print("List owners success")
            for ownerId in response.owners {
                print("Owner with id \(ownerId)")
            }

        case .failure(let error):
            print("List owners error: \(error)")
        }
    }
  }

  /// Line 2023 of the seed.
  package static func listTransactions(sdk: FinapticSDK, accountId: String) {
    let request = ListTransactionsRequest(accountId: accountId, pageSize: 2)
    sdk.coreTransactionClient.listTransactions(request: request) { result in
        switch result {
        case .success(let response):
            print("List transactions success")
            for transaction in response.transactions {
                print("Transaction with id \(transaction.transactionId)")
            }

        case .failure(let error):
            print("List transactions error: \(error)")
        }
    }
  }

  /// Line 2058 of the seed.
  package static func getTransferDetails(sdk: FinapticSDK, transaction: Transaction) {
    let request = GetTransferDetailsRequest(transactionId: transaction.transactionId)
    sdk.coreTransferClient.getTransferDetails(request: request) { result in
        switch result {
        case .failure(let error):
            print("Get TransferTransactionDetails error: \(error)")

        case .success(let transferTransactionDetails):
            print("Get TransferTransactionDetails success: \(transferTransactionDetails)")
        }
    }
  }

  /// Line 2078 of the seed.
  package static func initiateTransfer(sdk: FinapticSDK, sourceAccount: Account, destinationAccount: Account) {
    let amount = Amount(amount: Decimal(string: "0.01")!, currency: "CAD")
    let request = InitiateTransferRequest(sourceAccountId: sourceAccount.id,
                                            destinationAccountId: destinationAccount.id,
                                            fundTransfer: amount)
    sdk.coreTransferClient.initiateTransfer(request: request) { result in
        switch result {
        case .failure(let error):
            print("Initiate transfer error: \(error)")

        case .success(let response):
            guard response.reason.isEmpty else {
                print("Initiate transfer failed with reason: \(response.reason)")
                return
            }
            let transfer = response.details
            print("Initiate transfer success: \(transfer)")
        }
    }
  }
}
