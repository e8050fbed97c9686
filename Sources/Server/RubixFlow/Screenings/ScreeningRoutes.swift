// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import RubixWire
import Screening

/// `/aml/screening`: the customer's side.
package struct ScreeningRoutes: Sendable {
  let commands: ScreeningCommands

  package func add(to group: RouterGroup<CustomerContext>) {
    group.post("aml/screening", use: screen)
    group.get("aml/screening", use: current)
  }

  @Sendable
  func screen(_ request: Request, _ context: CustomerContext) async throws -> Response {
    Response(try await commands.screen(StepRequest(request, context)))
  }

  @Sendable
  func current(_ request: Request, _ context: CustomerContext) async throws -> Response {
    try Response.json(try await commands.current(for: context.customer))
  }
}

/// `/customers/{id}/aml/…`: the officers' side.
package struct ScreeningDecisionRoutes: Sendable {
  let decisions: ScreeningDecisions
  let approvals: ScreeningApprovals

  package func add(to group: RouterGroup<AgentContext>) {
    group.post("customers/{id}/aml/decision", use: decide)
    group.get("customers/{id}/aml/cases") { _, context in
      let id: Application.ID = try Request.identifier(context.parameters.get("id"))
      return try Response.json(try await approvals.cases(of: id, by: context.agent))
    }
    group.post("customers/{id}/aml/cases/{case}/approval", use: approve)
  }

  @Sendable
  func approve(_ request: Request, _ context: AgentContext) async throws -> Response {
    let id: Application.ID = try Request.identifier(context.parameters.get("id"))
    let item: Screening.Case.ID = try Request.identifier(context.parameters.get("case"))
    let body = try await RequestContent(request, limit: StepRequest.formBodyMax)
    return try Response.json(try await approvals.decide(item, of: id, body, by: context.agent))
  }

  @Sendable
  func decide(_ request: Request, _ context: AgentContext) async throws -> Response {
    let id: Application.ID = try Request.identifier(context.parameters.get("id"))
    let body = try await RequestContent(request, limit: StepRequest.formBodyMax)
    return try Response.json(try await decisions.decide(id, body, by: context.agent))
  }
}

/// `/callback/aml/alert`: the provider's side, with Basic authentication instead of a token.
package struct ScreeningCallbackRoutes: Sendable {
  let callback: ScreeningCallback

  package func add(to group: RouterGroup<PublicContext>) {
    group.post("callback/aml/alert", use: alert)
  }

  @Sendable
  func alert(_ request: Request, _ context: PublicContext) async throws -> Response {
    let caller = PartnerCredentials(authorization: request.headers[.authorization])
    try await callback.receive(try await RequestContent(request, limit: 16 * 1024), from: caller)
    return try Response.json(CallbackReceipt(status: .success))
  }
}

/// Tells a provider that its answer arrived; the same for the first time and for repetitions.
private struct CallbackReceipt: Encodable {
  let status: ResponseStatus
}
