// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import SaltEdgeCore
import SaltEdgeWire
import Synchronization
import TestSupport
import Testing

/// A bank's own server on a socket of the loopback: it checks what the service signs, reads what only it can read, and
/// believes its customers' devices alone (saltedge-authenticator §7).
final class LiveConnector: Sendable {
  struct Heard: Sendable {
    let path: String
    let decision: SaltEdgeBank.Decision
  }

  private struct State {
    var serviceKey: RSAPublicKey?
    var provider = ""
    var devices: [String: RSAPublicKey] = [:]
    var heard: [Heard] = []
    var revoked: [String] = []
    var isDown = false
  }

  static let user = "customer-1"
  static let code = "code-of-the-payment"

  let key: RSAPrivateKey
  let service: HTTPTransport
  private let state = Mutex(State())

  init(service: HTTPTransport) throws {
    key = try TestKeys.named("connector")
    self.service = service
  }

  func meet(serviceKey: RSAPublicKey, provider: String) {
    state.withLock { ($0.serviceKey, $0.provider) = (serviceKey, provider) }
  }

  /// Decisions that it heard, those too that it did not answer.
  var heard: [Heard] { state.withLock { $0.heard } }
  var connections: [String] { state.withLock { $0.devices.keys.sorted() } }
  var revoked: [String] { state.withLock { $0.revoked } }

  /// It hears, and answers 503.
  func go(down isDown: Bool) { state.withLock { $0.isDown = isDown } }

  /// Serves as long as the play goes on.
  func run(_ play: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
    let router = Router(context: BasicRequestContext.self)
    let group = router.group("api/sca/v1")
    group.post("connections") { try await self.answer($0, $1) { try await self.connect($0) } }
    group.put("connections/{id}/revoke") { request, context in
      try await self.answer(request, context) { (_: EmptyBody) in
        self.state.withLock { $0.revoked.append(context.parameters.get("id") ?? "") }
        return EmptyBody()
      }
    }
    for verb in ["confirm", "deny"] {
      group.put("actions/{id}/\(verb)") { request, context in
        try await self.answer(request, context) {
          try self.decide("\(context.parameters.get("id") ?? "")/\(verb)", $0)
        }
      }
    }
    try await Application(router: router).serve { client in try await play(try #require(client.port)) }
  }

  private func answer<Asked: Codable & Sendable, Answer: Codable & Sendable>(
    _ request: Request, _ context: BasicRequestContext, _ act: @Sendable (Asked) async throws -> Answer
  ) async throws -> Response {
    let body = Data((try await request.body.collect(upTo: 1 << 20)).readableBytesView)
    let service = try #require(state.withLock { $0.serviceKey })
    try DetachedJWS.verify(
      request.headers[try #require(HTTPField.Name(DetachedJWS.header))], body: body, with: service,
      nowSeconds: World.live.now().seconds)
    let asked = try WireJSON.decode(SaltEdge.SignedBody<Asked>.self, from: body).data
    let answer = try await act(asked)
    guard !state.withLock({ $0.isDown }) else { return Response(status: .serviceUnavailable) }
    return Response(
      status: .ok, headers: [.contentType: "application/json"],
      body: .init(byteBuffer: ByteBuffer(bytes: try WireJSON.encode(SaltEdge.Body(data: answer)))))
  }

  /// The customer is signed in already: the service is told, and the device gets its token, which only it can read.
  private func connect(_ asked: SaltEdgeBank.Connect) async throws -> SaltEdgeBank.Connecting {
    let device = try RSAPublicKey(pem: EncryptedPayload(asked.encryptedPublicKey).decrypted(with: key))
    let token = "token-\(asked.connectionID)-\(World.live.uuid())"
    state.withLock { $0.devices[asked.connectionID.text] = device }
    try await call(
      "PUT", "connections/\(asked.connectionID)/success_authentication",
      SaltEdgeBank.Authenticated(userID: .init(Self.user), accessToken: token, publicKey: device.pem))
    return .init(
      authenticationURL: ReturnRedirect.authenticated(
        accessToken: try EncryptedAccessToken.encrypt(token, for: device), connectionID: nil
      ).url(returnURL: asked.returnURL))
  }

  private func decide(_ path: String, _ decision: SaltEdgeBank.Decision) throws -> SaltEdgeBank.Decided {
    let body = Data(decision.originalRequest.utf8)
    let device = try #require(state.withLock { $0.devices[decision.connectionID.text] })
    try DetachedJWS.verify(decision.originalSignature, body: body, with: device)
    let sealed = try WireJSON.decode(SaltEdge.SignedBody<SaltEdge.Ciphertext>.self, from: body).data
    let confirmation = try WireJSON.decode(
      SaltEdgeV2.Confirmation.self, from: Data(EncryptedPayload(sealed).decrypted(with: key).utf8))
    #expect(confirmation.code == (path.hasSuffix("/deny") ? nil : Self.code))
    state.withLock { $0.heard.append(.init(path: path, decision: decision)) }
    return .init(closesAction: true)
  }

  /// Asks the customer for a confirmation, on every device.
  func open(_ action: String, title: String) async throws {
    let (now, devices) = (World.live.now(), state.withLock { $0.devices })
    let content = try WireJSON.encode(
      SaltEdgeV2.Content(
        title: title, description: .init(payment: .init(payee: "Utopia Water Works", amount: "12.50 EUR")),
        code: Self.code, createdAt: now.rfc3339, expiresAt: (now + .minutes(5)).rfc3339))
    try await call(
      "POST", "actions",
      SaltEdgeBank.Action(
        actionID: .init(action), userID: .init(Self.user), isMultiple: false, expiresAt: (now + .minutes(5)).rfc3339,
        authorizations: try devices.map { id, device in
          .init(
            connectionID: .init(id),
            payload: try EncryptedPayload(encrypting: content, for: device, randomness: Randomness(World.live.random))
              .wire)
        }))
  }

  /// - Throws: when the service does not take it.
  func call(_ method: String, _ path: String, _ content: some Codable & Sendable) async throws {
    let exp = World.live.now().seconds + 120
    let body = try WireJSON.encode(SaltEdge.SignedBody(data: content, exp: exp))
    let url = try #require(URL(string: "\(LiveProgram.address)/api/sca/v1/\(path)"))
    let answer = try await service.send(
      TransportRequest(
        method: method, url: url,
        headers: [
          "Content-Type": "application/json", "Provider-Id": state.withLock { $0.provider },
          DetachedJWS.header: try DetachedJWS.sign(body, with: key),
        ], body: body))
    try #require(answer.isSuccess, "\(path): \(answer.status)")
  }
}

extension EncryptedPayload {
  fileprivate init(_ wire: SaltEdge.Ciphertext) { self.init(key: wire.key, iv: wire.iv, data: wire.data) }
  fileprivate var wire: SaltEdge.Ciphertext { .init(key: key, iv: iv, data: data) }
}
