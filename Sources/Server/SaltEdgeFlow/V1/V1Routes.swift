// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import SaltEdgeCore
import SaltEdgeWire

/// `/saltedge/{bank}/api/authenticator/v1/…`: what devices of v1 call (saltedge-authenticator §4). Each bank has a base
/// of its own, as its configuration says, because in v1 a bank runs the service itself.
package struct V1Routes: Sendable {
  package static let base = "/saltedge"

  private let connections: V1Connections
  private let authorizations: V1Authorizations

  package init(_ service: SaltEdgeService) {
    let (core, policy) = (service.core, service.policy)
    let gate = V1Gate(core: core, policy: policy, devices: service.gate)
    connections = V1Connections(core: core, policy: policy, gate: gate)
    authorizations = V1Authorizations(core: core, gate: gate)
  }

  /// - Parameter root: of the whole URL space.
  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group("saltedge/{bank}/api/authenticator/v1")
    group.get("configuration") { [connections] in
      try Response.saltEdge(try await connections.configuration($1.parameters.require("bank")))
    }
    group.post("connections") { [connections] request, context in
      var call = try await DeviceCall(request, context)
      call.signature = nil
      return try Response.saltEdge(try await connections.connect(context.parameters.require("bank"), call))
    }
    group.delete("connections") { [connections] in
      try Response.saltEdge(try await connections.revoke(.init($0, $1)))
    }
    group.get("authorizations") { [authorizations] in
      try Response.saltEdge(try await authorizations.list(.init($0, $1)))
    }
    group.get("authorizations/{id}") { [authorizations] in
      try Response.saltEdge(try await authorizations.show($1.parameters.require("id"), .init($0, $1)))
    }
    group.put("authorizations/{id}") { [authorizations] in
      try Response.saltEdge(try await authorizations.decide($1.parameters.require("id"), .init($0, $1)))
    }
    group.put("actions/{id}") { [authorizations] in
      try Response.saltEdge(try await authorizations.submit($1.parameters.require("id"), .init($0, $1)))
    }
    group.get("consents") { [authorizations] in
      try Response.saltEdge(try await authorizations.consents(.init($0, $1)))
    }
    group.delete("consents/{id}") { [authorizations] in
      try Response.saltEdge(try await authorizations.revokeConsent($1.parameters.require("id"), .init($0, $1)))
    }
  }
}

extension V1Call {
  init(_ request: Request, _ context: PublicContext) async throws {
    let bank = try context.parameters.require("bank")
    var device = try await DeviceCall(request, context)
    device.signature = request.headers[.v1Signature]
    // What stands behind the bank's base, query included.
    let whole = request.uri.description
    let target = whole.range(of: "/saltedge/\(bank)").map { String(whole[$0.upperBound...]) } ?? whole
    self.init(
      method: request.method.rawValue, target: target, bank: bank, expiresAt: request.headers[.v1Expiry],
      geolocation: request.headers[.geoLocation], authorizationType: request.headers[.authorizationType],
      device: device)
  }
}

extension HTTPField.Name {
  fileprivate static let v1Signature = Self(SignedRequest.signatureHeader)!
  fileprivate static let v1Expiry = Self(SignedRequest.expiryHeader)!
  fileprivate static let geoLocation = Self("GEO-Location")!
  fileprivate static let authorizationType = Self("Authorization-Type")!
}
