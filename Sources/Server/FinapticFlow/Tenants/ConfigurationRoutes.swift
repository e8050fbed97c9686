import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `GET /finaptic/v1/configuration`: what the SDK reads before anything else (finaptic §2.2).
package struct ConfigurationRoutes: Sendable {
  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) { groups.keyed.get("configuration", use: configuration) }

  @Sendable
  private func configuration(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let (dependencies, tenant) = (service.dependencies, context.tenant.id)
    let urls = try await dependencies.core.database.read {
      try TenantStore($0).documents(of: tenant, publicURL: dependencies.policy.publicURL)
    }
    return try Response.json(
      FinapticAPI.Configuration(
        consents: TenantDocument.consents.map {
          .init(
            documentType: $0.type, documentNameAndVersion: urls[$0.type] ?? "",
            neededBeforeValidation: $0.neededBeforeValidation)
        }, referenceDataVersion: dependencies.library.catalogue.version))
  }
}
