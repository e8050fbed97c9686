// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity

/// `/OASYS/…`, `/partner/v1/…`: what partners' servers call, with the credentials of their client (oneassist §9).
package struct PartnerRoutes: Sendable {
  private let commands: PartnerCommands

  package init(_ service: OneAssistService) { commands = service.sales }

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(context: UnverifiedPartnerContext.self).add(
      middleware: PartnerMiddleware(core: commands.core)
    )
    .group(context: PartnerContext.self)
    group.post("OASYS/webservice/rest/customer/onboardCustomer") { request, context in
      let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
      return try await Response.json(
        commands.onboard(content.oneAssist(OnboardRequest.self), body: content.bytes, by: context.partner))
    }
    let own = group.group("partner/v1")
    own.post("generateToken") { request, context in
      let content = try await RequestContent(request, limit: OneAssistPolicy.bodyMax)
      return try await Response.json(
        commands.token(content.oneAssist(TokenRequest.self), by: context.partner))
    }
    own.get("memberships") { request, context in
      let query = request.uri.queryParameters
      return try await Response.json(
        commands.memberships(
          order: query.get("orderUUID"), mobile: query.get("mobileNumber"), of: context.partner))
    }
    own.post("memberships/{id}/cancel") { _, context in
      try await Response.json(
        commands.cancel(context.parameters.get("id") ?? "", by: context.partner))
    }
  }
}
