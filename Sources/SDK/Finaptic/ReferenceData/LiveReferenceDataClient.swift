// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Codes and their texts, over the wire.
final class LiveReferenceDataClient: ReferenceDataClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getReferenceDataByType(
    request: GetReferenceDataByTypeRequest, completion: @escaping FinapticCompletion<GetReferenceDataByTypeResponse>
  ) {
    // `en_CA` and `en-CA` are meant as `EN_CA` (finaptic §10.5).
    let locale = String(request.locale.uppercased().map { $0 == "-" ? "_" : $0 })
    let list = FinapticAPI.ReferenceDataRequest(dataType: request.dataType, locale: locale)
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.ReferenceDataResponse = try await calls.send(.getReferenceDataByType, list)
      return GetReferenceDataByTypeResponse(
        data: answer.data.map {
          ReferenceData(dataType: $0.dataType, code: $0.code, value: $0.value, locale: $0.locale)
        })
    }
  }
}
