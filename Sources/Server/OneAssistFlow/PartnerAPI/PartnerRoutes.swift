import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

/// `/OASYS/…`, `/partner/v1/…`: what partners' servers call, with the credentials of their client (oneassist §9).
package struct PartnerRoutes: Sendable {
  private let parts: OneAssistDependencies
  private var commands: PartnerCommands { PartnerCommands(parts: parts) }

  package init(_ room: OneAssistService) { parts = room.parts }

  package func add(to group: RouterGroup<ClientContext<ServiceClient>>) {
    group.post("OASYS/webservice/rest/customer/onboardCustomer") { request, context in
      let partner = try await partner(context)
      let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
      return try Self.json(
        await commands.onboard(Self.decode(OnboardRequest.self, content), body: content.bytes, by: partner))
    }
    let own = group.group("partner/v1")
    own.post("generateToken") { request, context in
      let partner = try await partner(context)
      let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
      return try Self.json(await commands.token(Self.decode(TokenRequest.self, content), by: partner))
    }
    own.get("memberships") { request, context in
      let query = request.uri.queryParameters
      return try await Self.json(
        commands.memberships(
          order: query.get("orderUUID"), mobile: query.get("mobileNumber"), of: partner(context)))
    }
    own.post("memberships/{id}/cancel") { _, context in
      try await Self.json(commands.cancel(context.parameters.get("id") ?? "", by: partner(context)))
    }
  }

  /// In whose name the client acts.
  private func partner(_ context: ClientContext<ServiceClient>) async throws -> Partner {
    let client = context.client.id.rawValue
    let found = try await parts.database.read { [parts] in
      try PartnerStore($0, vault: parts.vault).find(client: client)
    }
    guard let found, found.tenant == context.client.tenant else {
      throw Problem(.forbidden, "forbidden", "This client is no partner's.")
    }
    return found
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ content: RequestContent) throws -> Value {
    do { return try WireJSON.decode(type, from: content.bytes) } catch {
      throw Problem(.badRequest, "invalid-json", "The body is not JSON.")
    }
  }

  private static func json(_ view: some Encodable & Sendable) throws -> Response {
    .oneAssist(bytes: try WireJSON.encode(view))
  }
}
