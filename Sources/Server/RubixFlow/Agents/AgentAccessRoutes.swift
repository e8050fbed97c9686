// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import RubixWire

/// `/agents/auth/…`
package struct AgentAccessRoutes: Sendable {
  let access: AgentAccess
  let tenants: Tenants

  /// Adds the calls that need no token.
  package func add(to group: RouterGroup<PublicContext>) {
    group.post("agents/auth/token", use: signIn)
    group.post("agents/auth/refresh-token", use: refresh)
  }

  /// Adds the calls that need one.
  package func add(to group: RouterGroup<AgentContext>) {
    group.delete("agents/auth/logout", use: signOut)
  }

  @Sendable
  func signIn(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try tenants.find(request.headers[.tenantID])
    let body = try await RequestContent(request, limit: 16 * 1024)
    let (view, tokens) = try await access.signIn(body, tenant: tenant, address: context.clientAddress)
    return try Response.json(view).with(tokens)
  }

  @Sendable
  func refresh(_ request: Request, _ context: PublicContext) async throws -> Response {
    let tenant = try tenants.find(request.headers[.tenantID])
    let body = try await RequestContent(request, limit: 16 * 1024)
    let (view, tokens) = try await access.refresh(request.headers[.refreshToken], body, tenant: tenant)
    return try Response.json(view).with(tokens)
  }

  @Sendable
  func signOut(_ request: Request, _ context: AgentContext) async throws -> Response {
    try await access.signOut(context.agent)
    return Response(status: .noContent)
  }
}
