// SPDX-License-Identifier: Apache-2.0

import Finaptic

/// What a user would choose from lists.
struct SampleLists {
  let sdk: FinapticSDK

  /// The first code of a list.
  func first(_ type: String) async throws -> String {
    let list = try await sdk.referenceDataClient.getReferenceDataByType(
      request: GetReferenceDataByTypeRequest(dataType: type, locale: "EN_CA"))
    guard let first = list.data.first else { throw SampleFault("the list \(type) is empty") }
    return first.code
  }

  /// The first suggestion, or what the user would type.
  func address(_ application: String, _ type: String) async throws -> Address {
    let found = try await sdk.addressClient.getSuggestions(
      request: AddressSuggestionsRequest(onboardingApplicationId: application, pattern: "350 Bay", addressType: type))
    say("getSuggestions: \(found.suggestions.count)")
    return found.suggestions.first
      ?? Address(
        type: type, line1: "350 Bay Street", locality: "Toronto", area: "Ontario", postalCode: "M5H 2S6",
        country: "Canada")
  }
}
