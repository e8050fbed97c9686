// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/api/sca/v1/…`: what banks' servers call (saltedge-authenticator §7.3).
package struct BankRoutes: Sendable {
  private let commands: BankCommands
  private let gate: BankGate

  package init(_ service: SaltEdgeService) {
    gate = BankGate(core: service.core, devices: service.gate)
    commands = BankCommands(core: service.core, policy: service.policy, gate: gate)
  }

  package func add(to group: RouterGroup<PublicContext>) {
    group.put("connections/{id}/success_authentication") { [commands] request, context in
      try await done(request, context) { try await commands.authenticated($0, $1) }
    }
    group.put("connections/{id}/fail_authentication") { [commands] request, context in
      try await done(request, context) { try await commands.authenticationFailed($0, $1) }
    }
    group.put("connections/{id}/revoke") { [commands] request, context in
      try await done(request, context) { try await commands.revokeConnection($0, $1) }
    }
    group.post("actions") { [commands] request, context in
      try await answer(request, context) { try await commands.open($1) }
    }
    group.put("actions/{id}") { [commands] request, context in
      try await answer(request, context) { try await commands.add($0, $1) }
    }
    group.put("actions/{id}/close") { [commands] request, context in
      try await done(request, context) { try await commands.close($0, $1) }
    }
    group.post("consents") { [commands] request, context in
      try await answer(request, context) { try await commands.addConsent($1) }
    }
    group.put("consents/{id}/revoke") { [commands] request, context in
      try await done(request, context) { try await commands.revokeConsent($0, $1) }
    }
  }

  /// Banks read nothing of the answer but that it is one.
  private func done(
    _ request: Request, _ context: PublicContext, _ act: @Sendable (String, BankCall) async throws -> Void
  ) async throws -> Response {
    try await answer(request, context) {
      try await act($0, $1)
      return EmptyBody()
    }
  }

  private func answer<Content: Codable & Sendable>(
    _ request: Request, _ context: PublicContext,
    _ act: @Sendable (String, BankCall) async throws -> Content
  ) async throws -> Response {
    let (signature, source) = (request.headers[.jwsSignature], context.source)
    let admitted = try await gate.admit(request.headers[.providerID], signature: signature, source: source)
    let content = try await RequestContent(request, limit: SaltEdgePolicy.bankBodyMax)
    let provider = try await gate.find(admitted.id, for: source)
    return try Response.saltEdge(
      try await act(
        context.parameters.get("id") ?? "",
        BankCall(provider: provider, signature: signature ?? "", body: content.bytes, source: source)))
  }
}
