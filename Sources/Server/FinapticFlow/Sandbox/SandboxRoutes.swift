// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/finaptic/sandbox/v1/…`: what tests of an app do to the server that it talks to (finaptic §11.3).
package struct SandboxRoutes: Sendable {
  package static let base = "/finaptic/sandbox/v1"

  /// How clients of these controls name their tenant.
  package static func clientTenant(of tenant: FinapticTenant) -> String { tenant.session }

  let calls: FinapticCalls
  let controls: SandboxControls

  package func add(to servers: RouterGroup<ClientContext<ServiceClient>>) {
    let group = servers.group(RouterPath(Self.base))
    group.post("faults", use: arm)
    group.get("faults", use: faults)
    group.post("messages", use: messages)
    group.post("reset", use: reset)
  }

  @Sendable
  private func arm(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await controls.tenant(of: context.client)
    let asked = try await calls.body(request, SandboxBodies.Fault.self)
    return try Response.json(SandboxBodies.FaultView(try await controls.arm(asked, for: tenant, by: context.client)))
  }

  @Sendable
  private func faults(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await controls.tenant(of: context.client)
    return try Response.json(
      SandboxBodies.Faults(faults: try await controls.faults(of: tenant).map(SandboxBodies.FaultView.init)))
  }

  @Sendable
  private func messages(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await controls.tenant(of: context.client)
    let asked = try await calls.body(request, SandboxBodies.Addressee.self)
    return try Response.json(
      SandboxBodies.Messages(
        messages: try await controls.messages(to: asked.email, of: tenant).map(SandboxBodies.Messages.Entry.init)))
  }

  @Sendable
  private func reset(_ request: Request, _ context: ClientContext<ServiceClient>) async throws -> Response {
    let tenant = try await controls.tenant(of: context.client)
    return try Response.json(
      SandboxBodies.Disarmed(faults: try await controls.reset(tenant, by: context.client)))
  }
}

/// The controls' errors: those of the calls, but for who is asked to say who they are.
package struct SandboxDialect: Dialect {
  package static let base = "/finaptic/sandbox"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    var response = FinapticDialect().response(for: problem, path: path, correlationID: correlationID)
    if response.headers[.wwwAuthenticate] != nil {
      response.headers[.wwwAuthenticate] = #"Basic realm="finaptic-sandbox""#
    }
    return response
  }
}
