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
  static let path = "/api/authenticator/approval"

  private let core: CoreDependencies
  private let policy: SaltEdgePolicy
  private let gate: DeviceGate

  package init(_ service: SaltEdgeService) { (core, policy, gate) = (service.core, service.policy, service.gate) }

  package func add(to root: RouterGroup<PublicContext>) {
    root.get(RouterPath(String(Self.path.dropFirst()))) { request, context in
      let session = request.uri.queryParameters["session"].map(String.init) ?? ""
      guard let end = try await end(session, source: context.source) else { return Self.page }
      return Response(status: .seeOther, headers: [.location: end, .cacheControl: "no-store"])
    }
  }

  /// - Returns: where the device goes; nil while it waits.
  /// - Throws: `Problem` not-found for a session that is over.
  private func end(_ session: String, source: String) async throws -> String? {
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
    return try await core.database.write(retrying: .outdated) { [core] tx in
      guard let provider = try ProviderStore(tx, vault: core.vault).find(connection.provider) else {
        throw Problem.notFound
      }
      guard !isOver else { return try enrolment.refusal(of: connection) }
      return try enrolment.end(session, of: provider, user: link.user, token: core.secret(), in: tx)
    }
  }

  private static var page: Response {
    let html = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="refresh" content="3"><title>Confirm this device</title>
      </head>
      <body>
      <h1>Confirm this device</h1>
      <p>Your bank shows what is being connected on the page where you scanned the code. Allow it there if it is this
      device; this page then goes on by itself.</p>
      </body>
      </html>
      """
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .contentSecurityPolicy: .barePolicy,
      ], body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }
}
