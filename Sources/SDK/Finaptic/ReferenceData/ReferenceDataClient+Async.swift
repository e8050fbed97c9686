// SPDX-License-Identifier: Apache-2.0

extension ReferenceDataClient {
  /// The codes of a type in display order.
  public func getReferenceDataByType(
    request: GetReferenceDataByTypeRequest
  ) async throws(FinapticError) -> GetReferenceDataByTypeResponse {
    try await withCheckedContinuation { done in getReferenceDataByType(request: request) { done.resume(returning: $0) }
    }.get()
  }
}
