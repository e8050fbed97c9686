// SPDX-License-Identifier: Apache-2.0

extension AddressClient {
  /// At most ten addresses that match.
  public func getSuggestions(
    request: AddressSuggestionsRequest
  ) async throws(FinapticError) -> AddressSuggestionsResponse {
    try await withCheckedContinuation { done in getSuggestions(request: request) { done.resume(returning: $0) } }.get()
  }
}
