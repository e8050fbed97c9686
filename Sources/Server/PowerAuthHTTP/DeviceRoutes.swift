// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import PowerAuthCore

/// Routes that devices call, each with what it demands. Handlers get plaintext and proof, answer a value, and see
/// neither headers nor envelopes; an answer to an encrypted request is encrypted, an error never is.
///
/// ```swift
/// let routes = DeviceRoutes(group, activations: activations, world: world, dialect: dialect)
/// routes.post("api/identity/status", .token(by: [.possession])) { call in
///   try await commands.status(of: call.proof.activation)
/// }
/// ```
package struct DeviceRoutes {
  /// Bytes of a body, unless a route says otherwise.
  package static let bodyMax = 64 * 1024

  private let group: RouterGroup<PublicContext>
  private let gate: ProofGate
  private let world: World
  private let dialect: DeviceDialect

  package init(
    _ group: RouterGroup<PublicContext>, activations: Activations, world: World, dialect: DeviceDialect
  ) {
    self.group = group
    gate = ProofGate(activations: activations)
    self.world = world
    self.dialect = dialect
  }

  /// Answers `{"status": "OK", "responseObject": …}`.
  package func post<Proof, Answer: Encodable & Sendable>(
    _ path: String, _ requirement: ProofRequirement<Proof>, bodyMax: Int = bodyMax,
    handle: @escaping @Sendable (DeviceCall<Proof>) async throws -> Answer
  ) {
    post(path, requirement, bodyMax: bodyMax, admit: { _ in }, handle: handle)
  }

  func post<Proof, Answer: Encodable & Sendable>(
    _ path: String, _ requirement: ProofRequirement<Proof>, bodyMax: Int = bodyMax,
    admit: @escaping @Sendable (DeviceRequest) async throws -> Void,
    handle: @escaping @Sendable (DeviceCall<Proof>) async throws -> Answer
  ) {
    on([.post], path, requirement, bodyMax: bodyMax, admit: admit) { call in
      try WireJSON.encode(ResponseEnvelope(try await handle(call)))
    }
  }

  /// Answers `{"status": "OK"}`.
  package func post<Proof>(
    _ path: String, _ requirement: ProofRequirement<Proof>, bodyMax: Int = bodyMax,
    handle: @escaping @Sendable (DeviceCall<Proof>) async throws -> Void
  ) {
    on([.post], path, requirement, bodyMax: bodyMax) {
      try await handle($0)
      return Self.ok
    }
  }

  static let ok = Data(#"{"status":"OK"}"#.utf8)

  /// The same with an answer that is JSON already.
  /// - Parameter admit: what is decided before anything is proved, such as a rate.
  func on<Proof>(
    _ methods: [HTTPRequest.Method], _ path: String, _ requirement: ProofRequirement<Proof>, bodyMax: Int = bodyMax,
    admit: @escaping @Sendable (DeviceRequest) async throws -> Void = { _ in },
    handle: @escaping @Sendable (DeviceCall<Proof>) async throws -> Data
  ) {
    respond(methods, path, requirement, bodyMax: bodyMax, admit: admit) { call, proven, _ in
      let answer = try await handle(call)
      let bytes = try proven.envelope.map { try WireJSON.encode(try $0.encrypt(answer)) } ?? answer
      return Response(
        status: .ok, headers: [.contentType: DeviceDialect.contentType],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
  }

  /// A GET whose answer goes on, in the open.
  /// - Parameter handle: gets the number of the last event that the device saw, as it says.
  /// - Precondition: the requirement does not ask for an encrypted body.
  package func events<Proof>(
    _ path: String, _ requirement: ProofRequirement<Proof>,
    handle: @escaping @Sendable (_ call: DeviceCall<Proof>, _ lastEventID: String?) async throws -> Response
  ) {
    precondition(!requirement.isEncrypted, "an answer that goes on is not encrypted")
    respond([.get], path, requirement, bodyMax: Self.bodyMax, admit: { _ in }) { call, _, request in
      try await handle(call, request.headers[.lastEventID])
    }
  }

  private func respond<Proof>(
    _ methods: [HTTPRequest.Method], _ path: String, _ requirement: ProofRequirement<Proof>, bodyMax: Int,
    admit: @escaping @Sendable (DeviceRequest) async throws -> Void,
    _ answer: @escaping @Sendable (DeviceCall<Proof>, ProofRequirement<Proof>.Proven, Request) async throws -> Response
  ) {
    let (gate, world, dialect) = (gate, world, dialect)
    for method in methods {
      group.on(RouterPath(path), method: method) { (request: Request, context: PublicContext) -> Response in
        do {
          let asked = try DeviceRequest(request, context, bodyMax: bodyMax)
          try await admit(asked)
          let proven = try await requirement.prove(gate, asked)
          let call = DeviceCall(
            proof: proven.proof, body: proven.plaintext, correlationID: context.correlationID,
            clientAddress: context.clientAddress, acceptLanguage: request.headers[.acceptLanguage])
          return try await answer(call, proven, request)
        } catch {
          let refusal = error as? RecoveryRefusal
          return dialect.response(
            for: ProblemMiddleware.problem(refusal?.problem ?? error, logger: context.logger),
            pukIndex: refusal?.pukIndex, timestamp: requirement.isEncrypted ? world.wall().milliseconds : nil)
        }
      }
    }
  }
}

/// A refusal that says which PUK is asked for next (powerauth.md §8).
struct RecoveryRefusal: Error {
  let problem = Problem.recoveryInvalid
  let pukIndex: Int
}

/// A call whose requirement was met, as a handler sees it: in the open, with what was proved.
package struct DeviceCall<Proof: Sendable>: Sendable {
  package let proof: Proof
  /// The plaintext, byte for byte as the device had it.
  package let body: Data
  /// Names the request in logs and answers.
  package let correlationID: String
  package let clientAddress: String?
  /// `Accept-Language` as it came (RFC 9110 §12.5.4).
  package let acceptLanguage: String?

  /// The whole body. Members that the type does not know are let be, `null` is as good as absent, and no body at all
  /// reads as `{}` (wultra-onboarding §1).
  /// - Throws: `Problem` invalid-request.
  package func content<Content: Decodable>(as type: Content.Type) throws -> Content {
    do { return try WireJSON.decode(type, from: body.isEmpty ? Data("{}".utf8) : body) } catch {
      throw Problem.requestUnreadable
    }
  }

  /// What is in `{"requestObject": …}`.
  /// - Throws: `Problem` invalid-request.
  package func requestObject<Content: Decodable>(as type: Content.Type) throws -> Content {
    try content(as: RequestEnvelope<Content>.self).requestObject
  }
}
