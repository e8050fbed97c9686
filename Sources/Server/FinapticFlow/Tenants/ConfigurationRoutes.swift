// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `GET /finaptic/v1/configuration`: what the SDK reads before anything else (finaptic §2.2).
package struct ConfigurationRoutes: Sendable {
  let core: CoreDependencies
  let publicURL: String
  let catalogue: ReferenceCatalogue

  package func add(to groups: FinapticRouteGroups) { groups.keyed.get("configuration", use: configuration) }

  @Sendable
  private func configuration(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let urls = try await core.database.read {
      try TenantStore($0).documents(of: context.tenant.id, publicURL: publicURL)
    }
    return try Response.json(
      FinapticAPI.Configuration(
        consents: TenantDocument.consents.map {
          .init(
            documentType: $0.type, documentNameAndVersion: urls[$0.type] ?? "",
            neededBeforeValidation: $0.neededBeforeValidation)
        }, referenceDataVersion: catalogue.version))
  }
}
