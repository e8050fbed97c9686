// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum BankingSamples {
  /// Line 1398 of the seed.
  package static func getAccountDetails(sdk: FinapticSDK, accountId: String) {
    let request = GetAccountDetailsRequest(accountId: accountId)
    sdk.coreBankingClient.getAccountDetails(request: request) { result in
       switch result {
       case .success(let response):
           print(response.status)
           print(response.accruedInterest)

       case .failure(let error):
           print("Get account details error: \(error)")
       }
    }
  }

  /// Line 1415 of the seed.
  package static func getCard(sdk: FinapticSDK, cardId: String) {
    let request = GetCardRequest(cardId: cardId)
    sdk.coreCardClient.getCard(request: request) { result in
       switch result {
       case .success(let response):
           print(response.description)

       case .failure(let error):
           print("Get card error: \(error)")
       }
    }
  }

  /// Line 1429 of the seed.
  package static func listCards(sdk: FinapticSDK) {
    let request = ListCardsRequest(
               pageSize: 10,
               pageToken: nil
            )
    sdk.coreCardClient.listCards(request: request) { result in
       switch result {
       case .success(let response):
           print(response.cards.count)
           print(response.nextPageToken)

       case .failure(let error):
           print("List cards error: \(error)")
       }
    }
  }

  /// Line 1447 of the seed.
  package static func createCardSDKSignOnToken(sdk: FinapticSDK, cardId: String) {
    let request = CreateCardSDKSignOnTokenRequest(cardId: cardId)
    sdk.coreCardClient.createCardSDKSignOnToken(request: request) { result in
       switch result {
       case .success(let response):
           print(response.token)

       case .failure(let error):
           print("Create card SDK sign on token error: \(error)")
       }
    }
  }
}
