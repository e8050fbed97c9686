/// Codes and their texts.
public protocol ReferenceDataClient: AnyObject, Sendable {
  /// The codes of a type in display order.
  func getReferenceDataByType(
    request: GetReferenceDataByTypeRequest, completion: @escaping FinapticCompletion<GetReferenceDataByTypeResponse>)
}
