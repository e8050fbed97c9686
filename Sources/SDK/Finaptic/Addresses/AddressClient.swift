// SPDX-License-Identifier: Apache-2.0

/// Finds addresses as they are typed. Debounce what the user types.
public protocol AddressClient: AnyObject, Sendable {
  /// At most ten addresses that match.
  func getSuggestions(
    request: AddressSuggestionsRequest, completion: @escaping FinapticCompletion<AddressSuggestionsResponse>)
}
