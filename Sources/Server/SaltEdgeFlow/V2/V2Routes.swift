// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import SaltEdgeWire

/// `/api/authenticator/v2/…`: what devices call (saltedge-authenticator §5).
package struct V2Routes: Sendable {
  private let connections: V2Connections
  private let authorizations: V2Authorizations
  private let consents: V2Consents

  package init(_ service: SaltEdgeService) {
    let (core, policy, gate, bank) = (service.core, service.policy, service.gate, service.bank)
    connections = V2Connections(core: core, policy: policy, gate: gate, bank: bank)
    authorizations = V2Authorizations(core: core, policy: policy, gate: gate, bank: bank)
    consents = V2Consents(core: core, gate: gate)
  }

  package func add(to group: RouterGroup<PublicContext>) {
    group.get("configurations/{id}") { [connections] _, context in
      try Response.saltEdge(try await connections.configuration(context.parameters.require("id")))
    }
    group.post("connections") { [connections] in try Response.saltEdge(try await connections.connect(.init($0, $1))) }
    group.get("connections/{id}") { [connections] in
      try Response.saltEdge(try await connections.show($1.parameters.require("id"), .init($0, $1)))
    }
    group.patch("connections/{id}/update") { [connections] in
      try Response.saltEdge(try await connections.update($1.parameters.require("id"), .init($0, $1)))
    }
    group.put("connections/{id}/revoke") { [connections] in
      try Response.saltEdge(try await connections.revoke($1.parameters.require("id"), .init($0, $1)))
    }
    group.get("authorizations") { [authorizations] request, context in
      let action = request.uri.queryParameters["action_id"].map(String.init)
      return try Response.saltEdge(try await authorizations.list(action, .init(request, context)))
    }
    group.get("authorizations/{id}") { [authorizations] in
      try Response.saltEdge(try await authorizations.show($1.parameters.require("id"), .init($0, $1)))
    }
    group.put("authorizations/{id}/confirm") { [authorizations] in
      try Response.saltEdge(try await authorizations.decide($1.parameters.require("id"), confirms: true, .init($0, $1)))
    }
    group.put("authorizations/{id}/deny") { [authorizations] in
      try Response.saltEdge(
        try await authorizations.decide($1.parameters.require("id"), confirms: false, .init($0, $1)))
    }
    group.post("authorizations") { [authorizations] in
      try Response.saltEdge(try await authorizations.submit(.init($0, $1)))
    }
    group.get("consents") { [consents] in try Response.saltEdge(try await consents.list(.init($0, $1))) }
    group.put("consents/{id}/revoke") { [consents] in
      try Response.saltEdge(try await consents.revoke($1.parameters.require("id"), .init($0, $1)))
    }
  }
}
