// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import SaltEdgeCore
import Storage

/// The page between a link that needs approval and the device's token: the device shows it while the bank names to its
/// customer, where the link was shown, what is being connected. It asks again by itself.
package struct LinkApprovalRoutes: Sendable {
  package static let path = "/api/authenticator/approval"

  private let core: CoreDependencies
  private let policy: SaltEdgePolicy
  private let gate: DeviceGate
  private let page: @Sendable () throws -> Response

  /// - Parameter page: what the device shows while it waits. It asks with `look` whether there is something else.
  package init(_ service: SaltEdgeService, page: @escaping @Sendable () throws -> Response) {
    (core, policy, gate, self.page) = (service.core, service.policy, service.gate, page)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    root.get(RouterPath(String(Self.path.dropFirst()))) { request, context in
      let query = request.uri.queryParameters
      let (session, isLook) = (query["session"].map(String.init) ?? "", query["look"] != nil)
      guard let end = try await end(session, isLook: isLook, source: context.source) else {
        var waiting = try page()
        waiting.headers[.cacheControl] = "no-store"
        return waiting
      }
      guard !isLook else { return Response(status: .noContent, headers: [.cacheControl: "no-store"]) }
      return Response(status: .seeOther, headers: [.location: end, .cacheControl: "no-store"])
    }
  }

  /// - Parameter isLook: nothing is ended yet.
  /// - Returns: where the device goes, empty for a look; nil while it waits.
  /// - Throws: `Problem` not-found for a session that is over.
  private func end(_ session: String, isLook: Bool, source: String) async throws -> String? {
    try gate.admit(source)
    let enrolment = Enrolment(core: core, policy: policy)
    let found = try await core.database.read { [core] tx in
      let connection = try ConnectionStore(tx, vault: core.vault)
        .find(sessionDigest: enrolment.digest(session: session))
      guard let connection, let link = try LinkStore(tx, vault: core.vault).find(on: connection.id) else {
        return nil as (SaltEdgeConnection, ConnectLinkGrant)?
      }
      return (connection, link)
    }
    guard let (connection, link) = found else { throw gate.refused(.notFound, by: source) }
    let isOver = core.world.now() >= connection.enrolmentEndsAt || connection.state != .authenticating
    guard link.isApproved || isOver else { return nil }
    guard !isLook else { return "" }
    return try await core.database.write(retrying: .outdated) { [core] tx in
      guard let provider = try ProviderStore(tx, vault: core.vault).find(connection.provider) else {
        throw Problem.notFound
      }
      guard !isOver else { return try enrolment.refusal(of: connection) }
      return try enrolment.end(session, of: provider, user: link.user, token: core.secret(), in: tx)
    }
  }
}
