// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// `/api/v1/saltedge/providers/{provider}/…`: what banks' systems call in the name of their bank.
package struct ProviderRoutes: Sendable {
  private static let bodyMax = 64 * 1024

  private let commands: ProviderCommands
  private let answers: IdempotentAnswers
  private typealias Clients = RouterGroup<ClientContext<ServiceClient>>
  private var core: CoreDependencies { commands.core }

  package init(_ service: SaltEdgeService, idempotency: Idempotency) {
    commands = ProviderCommands(core: service.core, policy: service.policy, keys: service.keys)
    answers = IdempotentAnswers(
      database: service.core.database, idempotency: idempotency, world: service.core.world)
  }

  package func add(to group: RouterGroup<ClientContext<ServiceClient>>) {
    let bank = group.group("providers/{provider}")
    bank.get { [commands] _, context in
      try Response.json(await commands.describe(provider(context, anyKind: true)))
    }
    write(bank, "connect-links", 201) { [commands] in try commands.connectLink($0, $2, in: $3) }
    bank.post("connect-links/describe") { [commands] request, context in
      let (asked, provider) = try await read(request, context, LinkReference.self)
      return try Response.json(await commands.describeLink(asked, provider))
    }
    write(bank, "connect-links/approve") { [commands] in try commands.approveLink($0, $2, in: $3) }
    write(bank, "connect-links/refuse") { [commands] in try commands.refuseLink($0, $2, in: $3) }
    bank.post("sessions/describe") { [commands] request, context in
      let (asked, provider) = try await read(request, context, SessionReference.self)
      return try Response.json(await commands.session(asked, provider))
    }
    write(bank, "sessions/authenticate") { [commands] in try commands.authenticate($0, $2, in: $3) }
    write(bank, "sessions/refuse") { [commands] in try commands.refuse($0, $2, in: $3) }
    bank.post("connections/search") { [commands] request, context in
      let (asked, provider) = try await read(request, context, UserRequest.self)
      return try Response.json(await commands.connections(asked, provider))
    }
    write(bank, "connections/{id}/revoke") { [commands] (_: EmptyBody, id, provider, tx) in
      try commands.revokeConnection(id, provider, in: tx)
    }
    write(bank, "authorizations", 201) { [commands] in try commands.open($0, $2, in: $3) }
    read(bank, "authorizations/{id}") { [commands] in try await commands.operation($0, $1) }
    read(bank, "authorizations/{id}/evidence") { [commands] in try await commands.evidence($0, $1) }
    write(bank, "authorizations/{id}/cancel") { [commands] (_: EmptyBody, id, provider, tx) in
      try commands.cancel(id, provider, in: tx)
    }
    // A consent that does not exist decides: no other customer may have the reference.
    write(bank, "consents", 201, .serializable) { [commands] in try commands.addConsent($0, $2, in: $3) }
    read(bank, "consents/{id}") { [commands] in try await commands.consent($0, $1) }
    write(bank, "consents/{id}/revoke") { [commands] (_: EmptyBody, id, provider, tx) in
      try commands.revokeConsent(id, provider, in: tx)
    }
  }

  private func read<View: Encodable & Sendable>(
    _ group: Clients, _ path: String,
    _ act: @escaping @Sendable (String, SaltEdgeProvider) async throws -> View
  ) {
    group.get(RouterPath(path)) { _, context in
      let provider = try await provider(context)
      return try Response.json(await act(context.parameters.get("id") ?? "", provider))
    }
  }

  /// A write, which may be sent again under its key. Handlers get body, `{id}`, bank and transaction.
  private func write<Body: Decodable & Sendable, View: Encodable & Sendable>(
    _ group: Clients, _ path: String, _ status: Int = 200, _ isolation: SQLIsolation = .snapshot,
    _ act: @escaping @Sendable (Body, String, SaltEdgeProvider, any SQLTransaction) throws -> View
  ) {
    group.post(RouterPath(path)) { request, context in
      _ = try await provider(context)
      let content = try await RequestContent(request, limit: Self.bodyMax)
      let body = try content.decode(as: Body.self)
      let id = context.parameters.get("id") ?? ""
      let write = try answers.write(
        request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
      return Response(
        try await core.database.writeOnce(isolation) { tx in
          // Again: the body may have come slowly, and the bank be suspended meanwhile.
          let provider = try provider(context, in: tx)
          if let earlier = try answers.claim(write, in: tx) { return earlier }
          let view = try act(body, id, provider, tx)
          let user = (view as? any UserAnswer)?.user.map { core.digest(user: $0, of: provider.id) }
          return try answers.keep(
            view, status: status, about: KeySubject(user: user, of: provider.id), for: write, in: tx)
        })
    }
  }

  /// The body of a call that writes nothing, and the bank, which is looked up again once the body is there.
  private func read<Body: Decodable>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ type: Body.Type
  ) async throws -> (Body, SaltEdgeProvider) {
    _ = try await provider(context)
    let body = try await RequestContent(request, limit: Self.bodyMax).decode(as: type)
    return (body, try await provider(context))
  }

  private func provider(
    _ context: ClientContext<ServiceClient>, anyKind: Bool = false
  ) async throws -> SaltEdgeProvider {
    try await core.database.look { try provider(context, anyKind: anyKind, in: $0) }
  }

  /// The bank in whose name the client may act; anybody else's is not there.
  /// - Parameter anyKind: also a bank with a server of its own, which asks for everything else over that.
  private func provider(
    _ context: ClientContext<ServiceClient>, anyKind: Bool = false, in tx: any SQLTransaction
  ) throws -> SaltEdgeProvider {
    guard context.client.scopes.contains(.bank) else {
      throw Problem(.forbidden, "forbidden", "This client does not have the scope bank.")
    }
    let id = SaltEdgeProvider.ID(rawValue: try context.parameters.require("provider"))
    let found = try ProviderStore(tx, vault: core.vault).find(id)
    guard let found, found.client == context.client.id, found.tenant == context.client.tenant,
      anyKind || found.kind == .hosted
    else {
      throw Problem.notFound
    }
    try found.requireAdmitted()
    return found
  }
}

/// How the provider API says that something went wrong: problem documents (RFC 9457), as all APIs of our own.
package struct ProviderDialect: Dialect {
  package static let base = "/api/v1/saltedge"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="saltedge""#)
  }
}
