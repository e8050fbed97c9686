import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `GET /finaptic/v1/configuration`: what the SDK reads before anything else (finaptic §2.2).
package struct ConfigurationRoutes: Sendable {
  private let room: FinapticRoom

  package init(_ room: FinapticRoom) { self.room = room }

  package func add(to doors: FinapticDoors) { doors.keyed.get("configuration", use: configuration) }

  @Sendable
  private func configuration(_ request: Request, _ context: FinapticContext) async throws -> Response {
    let urls = try await FinapticTenants(room).documents(of: context.tenant.id)
    return try AnswerMemory.response(
      View(
        tenantID: context.tenant.id, environment: context.tenant.kind.rawValue,
        consents: TenantDocument.consents.map {
          .init(
            documentType: $0.type, documentNameAndVersion: urls[$0.type] ?? "",
            neededBeforeValidation: $0.neededBeforeValidation)
        }, referenceDataVersion: room.parts.library.book.version))
  }

  private struct View: Encodable, Sendable {
    struct Document: Encodable, Sendable {
      let documentType: String
      let documentNameAndVersion: String
      let neededBeforeValidation: Bool

      enum CodingKeys: String, CodingKey {
        case documentType = "document_type"
        case documentNameAndVersion = "document_name_and_version"
        case neededBeforeValidation = "needed_before_validation"
      }
    }

    let tenantID: Int
    let environment: String
    let consents: [Document]
    let referenceDataVersion: String

    enum CodingKeys: String, CodingKey {
      case environment, consents
      case tenantID = "tenant_id"
      case referenceDataVersion = "reference_data_version"
    }
  }
}
