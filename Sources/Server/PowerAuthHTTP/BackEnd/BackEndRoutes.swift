// SPDX-License-Identifier: Apache-2.0

import Activations
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// What other servers of an institution call, `/api/v1/powerauth/…`: their users' activations and what those prove.
package struct BackEndRoutes: Sendable {
  /// Bytes of a request; what was signed may be a document.
  private static let bodyMax = 1024 * 1024

  private let commands: BackEndCommands
  private let answers: IdempotentAnswers
  private typealias Clients = RouterGroup<ClientContext<ServiceClient>>

  package init(activations: Activations, idempotency: Idempotency, database: any SQLDatabase, world: World) {
    answers = IdempotentAnswers(database: database, idempotency: idempotency, world: world)
    commands = BackEndCommands(database: database, activations: activations, answers: answers)
  }

  package func add(to group: RouterGroup<ClientContext<ServiceClient>>) {
    group.get("applications") { [commands] in try Response.json(await commands.applications(of: $1.client))
    }
    recordedWrite(group, "activations", status: 201) { [commands] in try await commands.initiate($0, by: $1, $2) }
    recordedWrite(group, "recovery-codes", status: 201) { [commands] in
      try await commands.issueRecovery($0, by: $1, $2)
    }
    // No search in a URL: a user's name may be personal, and URLs are written down.
    read(group, "activations/search") { [commands] in try await commands.search($0, by: $1) }
    group.get("activations/{id}") { [commands] _, context in
      try Response.json(await commands.detail(context.parameters.require("id"), by: context.client))
    }
    group.get("activations/{id}/history") { [commands] request, context in
      let query = request.uri.queryParameters
      let page = try HistoryPage(after: query.get("after"), limit: query.get("limit"))
      return try Response.json(
        await commands.history(context.parameters.require("id"), page, by: context.client))
    }
    write(group, "activations/{id}/commit") { [commands] in try await commands.commit($1, $0, by: $2) }
    write(group, "activations/{id}/block") { [commands] in try await commands.block($1, $0, by: $2) }
    write(group, "activations/{id}/unblock") { [commands] in try await commands.unblock($1, $0, by: $2) }
    write(group, "activations/{id}/remove") { [commands] in try await commands.remove($1, $0, by: $2) }
    for change in BackEndCommands.FlagChange.allCases {
      write(group, "activations/{id}/flags/\(change.rawValue)") { [commands] in
        try await commands.flags(change, $1, $0, by: $2)
      }
    }
    recordedWrite(group, "signatures/verify") { [commands] in try await commands.verifySignature($0, by: $1, $2) }
    recordedWrite(group, "tokens/verify") { [commands] in try await commands.verifyToken($0, by: $1, $2) }
    read(group, "offline/payloads") { [commands] in try await commands.offlinePayload($0, by: $1) }
    recordedWrite(group, "offline/verify") { [commands] in try await commands.verifyOffline($0, by: $1, $2) }
    read(group, "device-signatures/verify") { [commands] in try await commands.verifyDeviceSignature($0, by: $1) }
  }

  /// A question that is too long or too private for a URL, and changes nothing.
  private func read(
    _ group: Clients, _ path: String,
    _ act: @escaping @Sendable (RequestContent, ServiceClient) async throws -> any Encodable & Sendable
  ) {
    group.post(RouterPath(path)) { request, context in
      try Response.json(await act(RequestContent(request, limit: Self.bodyMax), context.client))
    }
  }

  /// A write, which may be sent again under its key. Handlers get body, `{id}` and client.
  private func write(
    _ group: Clients, _ path: String, status: Int = 200,
    _ act: @escaping @Sendable (RequestContent, String, ServiceClient) async throws -> any Encodable & Sendable
  ) {
    post(group, path, status) { content, id, client, _ in try await act(content, id, client) }
  }

  /// A write whose answer is kept in the transaction of its work: what cannot be done again, and whose repetition
  /// would find something else. Handlers get body, client and the write.
  private func recordedWrite(
    _ group: Clients, _ path: String, status: Int = 200,
    _ act:
      @escaping @Sendable (RequestContent, ServiceClient, IdempotentAnswers.Write) async throws -> any Encodable
      & Sendable
  ) {
    post(group, path, status) { content, _, client, write in try await act(content, client, write) }
  }

  private func post(
    _ group: Clients, _ path: String, _ status: Int,
    _ act:
      @escaping @Sendable (
        RequestContent, String, ServiceClient, IdempotentAnswers.Write
      ) async throws -> any Encodable & Sendable
  ) {
    group.post(RouterPath(path)) { [answers, commands] request, context in
      let content = try await RequestContent(request, limit: Self.bodyMax)
      let (id, client) = (context.parameters.get("id") ?? "", context.client)
      let write = try answers.write(
        request, client: client.id.rawValue, body: content.bytes, correlationID: context.correlationID)
      if let earlier = try await answers.claim(write) { return Response(earlier) }
      let view: any Encodable & Sendable
      do { view = try await act(content, id, client, write) } catch {
        return Response(try await answers.abandon(write, after: error))
      }
      return Response(
        try await answers.keep(view, status: status, about: commands.subject(of: view, for: client), for: write))
    }
  }
}

/// How the back-end API says that something went wrong: problem documents (RFC 9457), as all APIs of our own.
package struct BackEndDialect: Dialect {
  package static let base = "/api/v1/powerauth"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="powerauth""#)
  }
}
