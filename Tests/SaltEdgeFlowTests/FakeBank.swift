// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Synchronization
import Testing

/// A bank with a server of its own: it checks what the service signs, reads what only it can read, and answers as the
/// public demo bank does. What it hears is kept.
final class FakeBank: Sendable {
  static let address = "https://bank.example/base"
  static let webhook = "https://hosted.example/hook"

  struct Heard: Sendable {
    let method: String
    let url: String
    let headers: [String: String]
    let body: Data
  }

  private struct State {
    var serviceKey: RSAPublicKey?
    var provider = ""
    var heard: [Heard] = []
    var answers: [PeerHTTP.Answer] = []
    var failure: (any Error)?
    var isHanging = false
    var hanging: [Notifier] = []
    var codes: [String: String] = [:]
    var devices: [String: RSAPublicKey] = [:]
  }

  let key: RSAPrivateKey
  private let arrival = Notifier()
  private let world: World
  private let state = Mutex(State())

  init(key: RSAPrivateKey, world: World) { (self.key, self.world) = (key, world) }

  func meet(serviceKey: RSAPublicKey, provider: SaltEdgeProvider.ID) async {
    state.withLock { ($0.serviceKey, $0.provider) = (serviceKey, provider.rawValue) }
  }

  /// Every call, the oldest first.
  var heard: [Heard] { state.withLock { $0.heard } }

  /// Paths below the bank's base.
  var paths: [String] {
    heard.map { "\($0.method) \($0.url.replacing("\(Self.address)/api/sca/v1/", with: ""))" }
  }

  func forget() { state.withLock { $0.heard = [] } }

  /// What it says next instead of what it would say.
  func answer(_ status: Int, _ body: String = "{}", times: Int = 1) {
    state.withLock {
      $0.answers += Array(repeating: PeerHTTP.Answer(status: status, body: Data(body.utf8)), count: times)
    }
  }

  /// Whether it can be reached.
  func fail(_ failure: PeerHTTP.Failure?) { state.withLock { $0.failure = failure } }

  /// It hears, and answers only when it is released.
  func hang() { state.withLock { $0.isHanging = true } }

  func release() {
    let waiting = state.withLock { state in
      defer { (state.isHanging, state.hanging) = (false, []) }
      return state.hanging
    }
    for notifier in waiting { notifier.notify() }
  }

  /// Waits until so many calls hang.
  func waitForHanging(_ count: Int) async {
    while state.withLock({ $0.hanging.count }) < count { await arrival.wait() }
  }

  /// From now on every call arrives, and its caller is gone when the answer comes.
  func killCallers(with error: (any Error)?) { state.withLock { $0.failure = error } }

  func expect(_ code: String, on action: String) { state.withLock { $0.codes[action] = code } }

  /// The key that a device sent, which only this bank could read.
  func deviceKey(_ connection: String) -> RSAPublicKey? { state.withLock { $0.devices[connection] } }

  var http: PeerHTTP {
    PeerHTTP { [self] call in
      let (serviceKey, canned, failure) = state.withLock { state in
        state.heard.append(Heard(method: call.method, url: call.url, headers: call.headers, body: call.body))
        let canned = state.answers.isEmpty ? nil : state.answers.removeFirst()
        return (state.serviceKey, canned, state.failure)
      }
      let notifier = state.withLock { state -> Notifier? in
        guard state.isHanging else { return nil }
        let notifier = Notifier()
        state.hanging.append(notifier)
        return notifier
      }
      if let notifier {
        arrival.notify()
        await notifier.wait()
      }
      if let failure { throw failure }
      if let canned { return canned }
      guard call.url.hasPrefix("\(Self.address)/api/sca/v1/") else { return .init(status: 200) }
      let key = try #require(serviceKey)
      try DetachedJWS.verify(
        call.headers[DetachedJWS.header], body: call.body, with: key, nowSeconds: world.now().seconds)
      return .init(
        status: 200,
        body: try answer(call.method, String(call.url.dropFirst("\(Self.address)/api/sca/v1/".count)), call.body))
    }
  }

  private func answer(_ method: String, _ path: String, _ body: Data) throws -> Data {
    let steps = path.split(separator: "/").map(String.init)
    switch (method, steps.first, steps.count, steps.last) {
    case ("POST", "connections", 1, _):
      let asked = try WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.Connect>.self, from: body).data
      let cipher = asked.encryptedPublicKey
      let pem = try EncryptedPayload(key: cipher.key, iv: cipher.iv, data: cipher.data).decrypted(with: key)
      let device = try RSAPublicKey(pem: pem)
      state.withLock { $0.devices[asked.connectionID.text] = device }
      return try WireJSON.encode(
        SaltEdge.Body(
          data: SaltEdgeBank.Connecting(
            authenticationURL: "https://bank.example/auth?connection_id=\(asked.connectionID)")))
    case ("PUT", "actions", 3, _):
      let decision = try WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.Decision>.self, from: body).data
      let request = Data(decision.originalRequest.utf8)
      let device = try #require(deviceKey(decision.connectionID.text))
      try DetachedJWS.verify(decision.originalSignature, body: request, with: device)
      let cipher = try WireJSON.decode(SaltEdge.SignedBody<SaltEdge.Ciphertext>.self, from: request).data
      let text = try EncryptedPayload(key: cipher.key, iv: cipher.iv, data: cipher.data).decrypted(with: key)
      let confirmation = try WireJSON.decode(SaltEdgeV2.Confirmation.self, from: Data(text.utf8))
      // A denial of ours holds no code; published apps send it in both.
      if steps.last == "confirm" || confirmation.code != nil {
        #expect(confirmation.code == state.withLock { $0.codes[steps[1]] })
      }
      return Data(#"{"data":{"close_action":true}}"#.utf8)
    case ("POST", "actions", 2, _):
      let asked = try WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.ActionSubmission>.self, from: body).data
      let action = try action(
        steps[1], user: "u-1", connections: [asked.connectionID.text], code: "instant", expires: .minutes(5))
      return try WireJSON.encode(SaltEdge.Body(data: action))
    default: return Data(#"{"data":{}}"#.utf8)
    }
  }

  // MARK: What it sends

  /// The body of a call to the service and its headers.
  func signed(_ content: some Codable & Sendable) throws -> (headers: [String: String], body: Data) {
    let exp = (world.now() + .seconds(120)).seconds
    let body = try WireJSON.encode(SaltEdge.SignedBody(data: content, exp: exp))
    return (
      ["Provider-Id": state.withLock { $0.provider }, DetachedJWS.header: try DetachedJWS.sign(body, with: key)], body
    )
  }

  /// An action with an authorization for every connection, as only its device can read it.
  func action(
    _ reference: String, user: String?, connections: [String], code: String = "code-1", expires: Duration = .minutes(5),
    multiple: Bool? = nil
  ) throws -> SaltEdgeBank.Action {
    let end = (world.now() + expires).rfc3339
    let content = SaltEdgeV2.Content(
      title: "Payment", description: .init(payment: .init(payee: "Shop", amount: "12.50 EUR")), code: code,
      createdAt: world.now().rfc3339, expiresAt: end)
    expect(code, on: reference)
    return SaltEdgeBank.Action(
      actionID: .init(reference), userID: user.map { .init($0) }, isMultiple: multiple, expiresAt: end,
      authorizations: try connections.map { try item(try WireJSON.encode(content), for: $0) })
  }

  func item(_ plaintext: Data, for connection: String, expiresAt: String? = nil) throws -> SaltEdgeBank.Item {
    let device = try #require(deviceKey(connection))
    let payload = try EncryptedPayload(encrypting: plaintext, for: device, randomness: Randomness(world.random))
    return .init(
      connectionID: .init(connection), expiresAt: expiresAt,
      payload: .init(key: payload.key, iv: payload.iv, data: payload.data))
  }
}
