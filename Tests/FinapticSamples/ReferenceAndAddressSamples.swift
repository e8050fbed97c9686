// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum ReferenceAndAddressSamples {
  /// Line 1212 of the seed.
  package static func getReferenceDataByType(sdk: FinapticSDK) {
    let request = GetReferenceDataByTypeRequest(dataType: ReferenceDataTypes.accountPurpose,
                                                   locale: "EN_CA")
    sdk.referenceDataClient.getReferenceDataByType(request: request) { result in
       switch result {
       case .success(let response):
           print(response.data)

       case .failure(let error):
           print("Reference data error: \(error)")
       }
    }
  }

  /// Line 1228 of the seed.
  package static func getSuggestions(sdk: FinapticSDK, onboardingApplicationId: String) {
    let request = AddressSuggestionsRequest(
       onboardingApplicationId: onboardingApplicationId,
       pattern: "123",
       addressType: AddressTypes.homeAddressType
    )
    sdk.addressClient.getSuggestions(request: request) { result in
       switch result {
       case .success(let response):
           print(response.suggestions.first)

       case .failure(let error):
           print("Address suggestions error: \(error)")
       }
    }
  }
}
