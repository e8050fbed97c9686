// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `referenceData`: what apps let people choose from (finaptic §3.3, §7).
package struct ReferenceDataRoutes: Sendable {
  let calls: FinapticCalls
  let catalogue: ReferenceCatalogue

  package func add(to groups: FinapticRouteGroups) {
    groups.open.post("referenceData/getReferenceDataByType", use: byType)
  }

  @Sendable
  private func byType(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.ReferenceDataRequest.self)
    var check = InputCheck()
    let type = InputCheck.clean(asked.dataType)
    let locale = InputCheck.clean(asked.locale).flatMap { ReferenceLocale(wire: $0) }
    let list = type.flatMap(catalogue.list)
    if list == nil {
      check.refuse("dataType", "unknown", "A type of ReferenceDataTypes; STATE_ with a country's code.")
    }
    if locale == nil { check.refuse("locale", "unknown", "EN_CA or FR_CA.") }
    try check.end()
    guard let type, let locale, let list else { throw Problem.unexpected }
    return try Response.json(
      FinapticAPI.ReferenceDataResponse(
        data: list.map {
          .init(dataType: type, code: $0.code, value: locale.text(of: $0), locale: locale.rawValue)
        }))
  }
}
