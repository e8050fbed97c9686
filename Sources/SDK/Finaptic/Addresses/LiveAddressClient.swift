// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Addresses as they are typed, over the wire.
final class LiveAddressClient: AddressClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getSuggestions(
    request: AddressSuggestionsRequest, completion: @escaping FinapticCompletion<AddressSuggestionsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AddressSuggestionsResponse = try await calls.send(.getSuggestions, request.wire)
      return AddressSuggestionsResponse(suggestions: answer.suggestions.map { Address($0) })
    }
  }
}
