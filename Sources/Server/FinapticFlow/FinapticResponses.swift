// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

/// How every call of this flow is read and answered (finaptic §2.5, §10.6).
///
/// A change that is one transaction commits with its key and its answer:
///
///     let call = try await calls.read(request, context, Wire.CardRequest.self)
///     return try await calls.core.database.writeOnce { tx in
///       if let earlier = try calls.claim(call, in: tx) { return earlier }
///       return try calls.keep(commands.lock(call.body, in: tx), for: call, in: tx)
///     }
///
/// Such a transaction may run more than once: it makes no random value that it does not store.
package struct FinapticCalls: Sendable {
  /// A change that was read, and the key under which it may be sent again.
  package struct Change<Body: Sendable>: Sendable {
    package let body: Body
    let write: IdempotentAnswers.Write
  }

  let core: CoreDependencies
  let answers: IdempotentAnswers

  // MARK: Reading

  /// The body of a call whose answer is not kept: one that only reads, or a change that a repetition carries out
  /// again.
  func body<Body: Decodable>(_ request: Request, _ type: Body.Type) async throws -> Body {
    try await RequestContent(request, limit: FinapticPolicy.bodyMax).finaptic(type)
  }

  /// The body of a change that moves money, and the key of the ledger's order: the `Idempotency-Key` of the call, or a
  /// new one. The ledger keeps the answer for ever and commits it together with the orders of other calls, so that no
  /// other record of it is needed.
  /// - Throws: `Problem` missing-header for a key that is no UUID.
  func order<Body: Decodable>(_ request: Request, _ type: Body.Type) async throws -> (body: Body, key: String) {
    let key = try Self.orderKey(request) ?? core.world.randomUUID()
    return (try await body(request, type), key)
  }

  /// - Throws: `Problem` missing-header for a key that is no UUID.
  static func orderKey(_ request: Request) throws -> String? {
    guard let text = request.headers[.finapticIdempotencyKey] else { return nil }
    guard let key = text.canonicalUUID else {
      throw Problem(.badRequest, "missing-header", "\(FinapticAPI.idempotencyKeyHeader) must be a UUID.")
    }
    return key
  }

  /// A change whose answer is kept under the caller's key.
  package func read<Body: Decodable & Sendable>(
    _ request: Request, _ context: some FinapticCaller, _ type: Body.Type
  ) async throws -> Change<Body> {
    try await read(request, type, client: context.caller, correlationID: context.correlationID)
  }

  /// The same under the key of `client`. Bodies hold passwords and names: only a keyed digest of a body is kept, from
  /// which it cannot be guessed.
  func read<Body: Decodable & Sendable>(
    _ request: Request, _ type: Body.Type, client: String, correlationID: String
  ) async throws -> Change<Body> {
    let content = try await RequestContent(request, limit: FinapticPolicy.bodyMax)
    let body = try content.finaptic(type)
    let digest = core.vault.digest(content.bytes.base64EncodedString(), for: "finaptic call")
    return Change(
      body: body,
      write: try answers.write(request, client: client, body: Data(digest.utf8), correlationID: correlationID))
  }

  /// The same for a client of a bank, whose bodies are compared as they are.
  func change<Body>(
    _ request: Request, _ context: ClientContext<ServiceClient>, _ content: RequestContent, _ body: Body
  ) throws -> Change<Body> {
    Change(
      body: body,
      write: try answers.write(
        request, client: context.client.id.rawValue, body: content.bytes, correlationID: context.correlationID))
  }

  // MARK: Answering a change that is one transaction

  /// Claims the key.
  /// - Returns: what the same change was answered before; nil when it is to be carried out.
  package func claim<Body>(_ call: Change<Body>, in tx: any SQLTransaction) throws -> Response? {
    try answers.claim(call.write, in: tx).map { Response($0) }
  }

  /// What the same change was answered before, without a claim of the key where there is nothing: for a change that is
  /// not carried out before something else agrees.
  package func earlier<Body>(_ call: Change<Body>, in tx: any SQLTransaction) throws -> Response? {
    try answers.isKnown(call.write, in: tx) ? claim(call, in: tx) : nil
  }

  /// Keeps the answer in the transaction of the change.
  package func keep<Body>(
    _ view: any Encodable & Sendable, status: Int = 200, for call: Change<Body>, in tx: any SQLTransaction
  ) throws -> Response { Response(try answers.keep(view, status: status, for: call.write, in: tx)) }

  // MARK: Answering a change of several steps

  /// Carries out a change of several transactions. What cannot be repeated keeps its answer in its own transaction.
  func act<Body>(
    _ call: Change<Body>, within span: IdempotentAnswers.Span = .standard,
    _ work: (IdempotentAnswers.Write) async throws -> any Encodable & Sendable
  ) async throws -> Response {
    if let earlier = try await answers.claim(call.write, within: span) { return Response(earlier) }
    let view: any Encodable & Sendable
    do { view = try await work(call.write) } catch {
      return Response(try await answers.abandon(call.write, after: error))
    }
    return Response(try await answers.keep(view, for: call.write))
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
