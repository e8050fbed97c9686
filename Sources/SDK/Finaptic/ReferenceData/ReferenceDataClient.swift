// SPDX-License-Identifier: Apache-2.0

/// Codes and their texts.
public protocol ReferenceDataClient: AnyObject, Sendable {
  /// The codes of a type in display order.
  func getReferenceDataByType(
    request: GetReferenceDataByTypeRequest, completion: @escaping FinapticCompletion<GetReferenceDataByTypeResponse>)
}

extension ReferenceDataClient {
  /// `getReferenceDataByType`, as the published sample spells it.
  @available(*, deprecated, renamed: "getReferenceDataByType(request:completion:)")
  public func regetReferenceDataByType(
    request: GetReferenceDataByTypeRequest, completion: @escaping FinapticCompletion<GetReferenceDataByTypeResponse>
  ) { getReferenceDataByType(request: request, completion: completion) }
}
