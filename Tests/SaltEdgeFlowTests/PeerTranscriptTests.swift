// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import HTTPTypes
import Kit
import SaltEdgeCore
import Testing

@testable import SaltEdgeFlow

/// What a real bank's server said to a service and heard from one (`v2/provider_peer_transcript*.json`).
private struct PeerTranscript: Decodable, Sendable {
  struct Exchange: Decodable, Sendable {
    struct Request: Decodable, Sendable { let method, path, body: String }
    struct Response: Decodable, Sendable {
      let status: Int
      let body: String
    }
    let name: String
    let request: Request
    let response: Response
  }
  struct Callback: Decodable, Sendable {
    struct Decrypted: Decodable, Sendable { let plaintext: String }
    let method, path, body: String
    let headers: [String: String]
    /// In the order of the items.
    let decrypted: [Decrypted]?
  }

  let app_key, provider_key: String
  let service_to_provider_and_bank_pages: [Exchange]
  let provider_to_service_callbacks: [Callback]

  /// Without the bank's own pages.
  var exchanges: [Exchange] { service_to_provider_and_bank_pages.filter { $0.request.path.hasPrefix(Self.base) } }
  static let base = "/api/sca/v1/"
}

@Suite("Salt Edge v2: the service behind a bank that was recorded (§15.4)", Samples.areThere)
struct PeerTranscriptTests {
  @Test(
    "what the bank sent is taken byte for byte and reaches the device, and what it answered is understood",
    arguments: Samples.messages("v2/provider_peer_transcript"))
  func replay(file: String) async throws {
    let transcript = try JSONDecoder().decode(PeerTranscript.self, from: #require(Samples.data(file)))
    try await SaltEdgeTestApp.run { app in
      let stage = try await PeerStage(app, transcript)
      for callback in transcript.provider_to_service_callbacks { try await stage.hear(callback) }
      for exchange in transcript.exchanges { try await stage.perform(exchange) }
      #expect(try await app.owed().isEmpty)
    }
  }
}

/// The recorded bank and device, under the names that the recording has for them.
private struct PeerStage: Sendable {
  let app: SaltEdgeTestApp
  let provider: SaltEdgeProvider
  let device: DeviceV2

  init(_ app: SaltEdgeTestApp, _ transcript: PeerTranscript) async throws {
    func key(_ name: String) throws -> RSAPrivateKey {
      try RSAPrivateKey(pem: String(decoding: #require(Samples.data("keys/\(name)_private.pem")), as: UTF8.self))
    }
    let success = try #require(
      transcript.provider_to_service_callbacks.first { $0.path.hasSuffix("/success_authentication") })
    let connection = try #require(success.path.split(separator: "/").dropLast().last).description
    let authenticated = try Self.content(SaltEdgeBank.Authenticated.self, success.body)
    let id = try #require(success.headers.first { $0.key.lowercased() == "provider-id" }?.value)
    let now = try Instant(milliseconds: (Self.expiry(success.body) - 120) * 1000)
    app.clock.set(now)
    let bankKey = try key(transcript.provider_key).publicKey
    let bank = SaltEdgeProvider(
      id: .init(rawValue: id), tenant: "default", client: app.remoteCredentials.client.id, code: "recorded",
      name: "Recorded Bank", kind: .remote, baseURL: FakeBank.address, supportEmail: "help@recorded.example",
      publicKey: bankKey.pem, createdAt: now)
    let vault = app.service.core.vault
    try await app.database.write { tx in
      try ProviderStore(tx, vault: vault).insert(bank, privateKey: nil, webhookSecret: nil)
      try ConnectionStore(tx, vault: vault).insert(
        SaltEdgeConnection(
          id: .init(rawValue: connection), provider: bank.id, apiVersion: 2, state: .authenticating, platform: "ios",
          returnURL: ReturnRedirect.returnURL, enrolmentEndsAt: now + .minutes(5), createdAt: now))
    }
    (self.app, provider) = (app, bank)
    device = DeviceV2(
      app: app, key: try key(transcript.app_key), providerKey: bankKey, provider: id, connection: connection,
      token: authenticated.accessToken)
  }

  private static func content<Content: Codable & Sendable>(_ type: Content.Type, _ body: String) throws -> Content {
    try WireJSON.decode(SaltEdge.SignedBody<Content>.self, from: Data(body.utf8)).data
  }

  private static func expiry(_ body: String) throws -> Int64 {
    try WireJSON.decode(SaltEdge.SignedBody<EmptyBody>.self, from: Data(body.utf8)).exp
  }

  /// Time goes on as it did; it does not go back.
  private func wait(for body: String) throws {
    let then = try Instant(milliseconds: (Self.expiry(body) - 120) * 1000)
    if then > app.clock.now { app.clock.set(then) }
  }

  // MARK: What the bank sent

  func hear(_ callback: PeerTranscript.Callback) async throws {
    try wait(for: callback.body)
    let method = try #require(HTTPRequest.Method(callback.method))
    // A second time it has happened already.
    for _ in 0..<2 {
      let answer = try await app.call(
        method, callback.path, headers: callback.headers, body: Data(callback.body.utf8))
      #expect(answer.json == #"{"data":{}}"#, "\(callback.method) \(callback.path)")
    }
    let steps = callback.path.dropFirst(PeerTranscript.base.count).split(separator: "/").map(String.init)
    switch (steps[0], steps.last) {
    case ("connections", "success_authentication"):
      #expect(try await device.get("connections/\(device.connection)").status == 200)
    case ("actions", "close"):
      let left = try await device.authorizations("?action_id=\(steps[1])")
      #expect(!left.isEmpty && left.allSatisfy { $0.status == .closed })
    case ("actions", _):
      let reference = try Self.content(SaltEdgeBank.Action.self, callback.body).actionID
      let waiting = try await device.authorizations("?action_id=\(reference)").filter { $0.status == .pending }
      let shown = try waiting.map { try device.read($0.payload) }
      let sent = try #require(callback.decrypted).map(\.plaintext)
      #expect(Set(sent).isSubset(of: shown))
    case ("consents", "revoke"):
      #expect(try await device.get("consents").json == #"{"data":[]}"#)
    case ("consents", _):
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      let shown = try listed.map { try device.read($0.payload) }
      let sent = try #require(callback.decrypted).map(\.plaintext)
      #expect(Set(sent).isSubset(of: shown))
    default: Issue.record("A call that no test knows: \(callback.method) \(callback.path)")
    }
  }

  // MARK: What the bank was asked

  func perform(_ exchange: PeerTranscript.Exchange) async throws {
    try wait(for: exchange.request.body)
    let steps = exchange.request.path.dropFirst(PeerTranscript.base.count).split(separator: "/").map(String.init)
    let isTaken = (200...299).contains(exchange.response.status)
    app.bank.forget()
    app.bank.answer(exchange.response.status, exchange.response.body)
    switch (steps.first, steps.count, steps.last) {
    case ("connections", 1, _):
      let asked = try Self.content(SaltEdgeBank.Connect.self, exchange.request.body)
      let page = try await app.service.bank.connect(provider, asked).authenticationURL
      #expect(page.hasPrefix("http"))
    case ("actions", 2, _):
      let submitted = try await device.send(
        .post, "authorizations",
        SaltEdgeV2.ActionSubmission(
          providerID: .init(device.provider), actionID: .init(steps[1]), connectionID: .init(device.connection))
      ).data(SaltEdgeV2.ActionSubmitted.self)
      let id = try #require(submitted.authorizationID)
      let waiting = try await device.get("authorizations/\(id)").data(SaltEdgeV2.Authorization.self)
      #expect(try device.content(waiting).code?.isEmpty == false)
      // The recording has another token.
      return
    case ("actions", 3, "confirm") where isTaken, ("actions", 3, "deny") where isTaken:
      try await decide(steps[1], verb: steps[2], try Self.content(SaltEdgeBank.Decision.self, exchange.request.body))
    case ("actions", 3, _):
      let decision = try Self.content(SaltEdgeBank.Decision.self, exchange.request.body)
      await expectFailure(exchange) {
        _ = try await app.service.bank.decide(provider, steps[1], steps[2] == "confirm", decision)
      }
    case ("consents", 3, "revoke"):
      await expectFailure(exchange) { try await app.service.bank.revokeConsent(provider, steps[1]) }
    case ("connections", 3, "revoke"):
      await expectFailure(exchange) {
        try await app.service.bank.revokeConnection(provider, .init(rawValue: steps[1]))
      }
    default:
      Issue.record("An exchange that no test knows: \(exchange.name)")
      return
    }
    // The bank would have heard the same.
    let heard = try #require(app.bank.heard.last)
    #expect("\(heard.method) \(heard.url)" == "\(exchange.request.method) \(FakeBank.address)\(exchange.request.path)")
    #expect(try data(of: heard.body) == data(of: Data(exchange.request.body.utf8)), "\(exchange.name)")
  }

  /// The device's own bytes and signature, through the service to the bank.
  private func decide(_ reference: String, verb: String, _ decision: SaltEdgeBank.Decision) async throws {
    let waiting = try await device.authorizations("?action_id=\(reference)").first { $0.status == .pending }
    let id = try #require(waiting).id
    let decided = try await app.call(
      .put, "/api/authenticator/v2/authorizations/\(id)/\(verb)",
      headers: ["Access-Token": device.token, DetachedJWS.header: decision.originalSignature],
      body: Data(decision.originalRequest.utf8))
    #expect(decided.status == 200, "\(decided.refusal)")
    try await app.settle()
    let final = try await device.get("authorizations/\(id)").data(SaltEdgeV2.Authorization.self)
    #expect(final.status == (verb == "confirm" ? .confirmed : .denied))
  }

  /// What the bank answered, as the service has it.
  private func expectFailure(_ exchange: PeerTranscript.Exchange, _ ask: () async throws -> Void) async {
    do {
      try await ask()
      #expect((200...299).contains(exchange.response.status), "\(exchange.name)")
    } catch let failure as BankFailure {
      let error = try? WireJSON.decode(SaltEdge.ErrorBody.self, from: Data(exchange.response.body.utf8))
      #expect(
        failure
          == (exchange.response.status >= 500 ? .unavailable : .refused(error?.errorClass ?? .wrongRequestFormat)),
        "\(exchange.name)")
    } catch { Issue.record("\(exchange.name): \(error)") }
  }

  /// The part of a signed body that its time does not change, written in one way.
  private func data(of body: Data) throws -> Data {
    let object = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
    return try JSONSerialization.data(
      withJSONObject: #require(object["data"]), options: [.sortedKeys, .withoutEscapingSlashes])
  }
}
