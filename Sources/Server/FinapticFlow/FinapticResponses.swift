import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import Storage

/// How every call of this flow is read, carried out once and answered (finaptic §2.5, §10.6).
extension FinapticService {
  /// A call that only reads.
  package func ask<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, limit: Int? = nil, _ work: (Body) async throws -> any Encodable & Sendable
  ) async throws -> Response {
    try await answer(request, type, limit: limit, work)
  }

  /// A change whose answer is not kept: a repetition of the call is carried out again.
  func repeatableChange<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, _ work: (Body) async throws -> any Encodable & Sendable
  ) async throws -> Response { try await answer(request, type, limit: nil, work) }

  /// A change that moves money. The `Idempotency-Key` of the call is the key of the ledger's order: the ledger keeps the
  /// answer for ever and commits it together with the orders of other calls, so that no other record of it is needed.
  /// - Parameter work: gets the key; a new one when the call has none.
  /// - Throws: `Problem` missing-header for a key that is no UUID.
  func keyedChange<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, _ work: (Body, _ key: String) async throws -> any Encodable & Sendable
  ) async throws -> Response {
    let key = try Self.orderKey(request) ?? dependencies.core.world.randomUUID()
    return try await answer(request, type, limit: nil) { try await work($0, key) }
  }

  private static func orderKey(_ request: Request) throws -> String? {
    guard let text = request.headers[.finapticIdempotencyKey] else { return nil }
    guard let key = UUID(uuidString: text) else {
      throw Problem(.badRequest, "missing-header", "\(FinapticAPI.idempotencyKeyHeader) must be a UUID.")
    }
    return key.uuidString.lowercased()
  }

  private func answer<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, limit: Int?, _ work: (Body) async throws -> any Encodable & Sendable
  ) async throws -> Response {
    let content = try await RequestContent(request, limit: limit ?? FinapticPolicy.bodyMax)
    return try Response.json(try await work(try content.finaptic(type)))
  }

  /// A change that is one transaction: it commits with its idempotency key and its answer.
  /// - Parameter work: may run more than once; makes no random value that it does not store.
  package func change<Body: Decodable & Sendable>(
    _ request: Request, _ context: some FinapticCaller, _ type: Body.Type, isolation: SQLIsolation = .snapshot,
    _ work: @escaping @Sendable (Body, any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Response {
    let (body, write) = try await read(
      request, type, client: context.caller, correlationID: context.correlationID)
    return try await commit(write, isolation: isolation) { try work(body, $0) }
  }

  /// Commits the work of a change with its idempotency key and its answer.
  func commit(
    _ write: IdempotentAnswers.Write, status: Int = 200, isolation: SQLIsolation = .snapshot,
    _ work: @escaping @Sendable (any SQLTransaction) throws -> any Encodable & Sendable
  ) async throws -> Response {
    do {
      return Response(
        try await dependencies.core.database.write(retrying: .outdated, isolation) { [answers] tx in
          if let earlier = try answers.claim(write, in: tx) { return earlier }
          return try answers.keep(try work(tx), status: status, for: write, in: tx)
        })
    } catch SQLError.notUnique { throw Problem.stepInProgress }
  }

  /// A change of several steps: what cannot be repeated keeps its answer in its own transaction.
  package func act<Body: Decodable & Sendable>(
    _ request: Request, _ context: some FinapticCaller, _ type: Body.Type,
    within span: IdempotentAnswers.Span = .standard,
    _ work: @Sendable (Body, IdempotentAnswers.Write) async throws -> any Encodable & Sendable
  ) async throws -> Response {
    let (body, write) = try await read(
      request, type, client: context.caller, correlationID: context.correlationID)
    if let earlier = try await answers.claim(write, within: span) { return Response(earlier) }
    let view: any Encodable & Sendable
    do { view = try await work(body, write) } catch {
      return Response(try await answers.abandon(write, after: error))
    }
    return Response(try await answers.keep(view, for: write))
  }

  /// Reads a change, whose answer is kept under the key of `client`. Bodies hold passwords and names: only a keyed
  /// digest of a body is kept, from which it cannot be guessed.
  func read<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, client: String, correlationID: String
  ) async throws -> (body: Body, write: IdempotentAnswers.Write) {
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    let digest = dependencies.core.vault.digest(content.bytes.base64EncodedString(), for: "finaptic call")
    return (
      body, try answers.write(request, client: client, body: Data(digest.utf8), correlationID: correlationID)
    )
  }
}

extension HTTPField.Name {
  fileprivate static let finapticIdempotencyKey = Self(FinapticAPI.idempotencyKeyHeader)!
}

extension RequestContent {
  /// The body as one of the wire's requests; unknown members are ignored (finaptic §2.5).
  /// - Throws: `Problem` invalid argument.
  func finaptic<Body: Decodable>(_ type: Body.Type) throws -> Body {
    guard mediaType == nil || mediaType == "application/json" || bytes.isEmpty else { throw Problem.unsupportedMedia }
    return try StrictJSON.decode(type, from: bytes.isEmpty ? Data("{}".utf8) : bytes, ignoringUnknown: true)
  }
}
