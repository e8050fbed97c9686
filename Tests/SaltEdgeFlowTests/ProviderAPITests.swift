// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import Testing

@Suite("Salt Edge: the provider API")
struct ProviderAPITests {
  struct Operation: Decodable, Equatable {
    let id, reference, state, title, created_at, expires_at: String
    let user_id, amount, currency, payee, ended_at, connection_id, authorization_type: String?
  }
  struct Opened: Decodable {
    let authorization: Operation
    let devices: Int
    let link_v1, link_v2: String?
  }
  struct Evidence: Decodable {
    let attributes: [String: String]
    let salt, signed: Data
    let authorization_code, connection_id, shown, signature, public_key: String
    let api_version: Int
    let authorization_type, geolocation, confirmation: String?
  }
  struct Webhook: Decodable {
    let type, timestamp: String
    let data: Operation
  }

  static let payment =
    #"{"reference":"order-1","user_id":"u-1","title":"Payment","payment":{"payee":"Shop","amount":"12.50","#
    + #""currency":"EUR","account":"DE89370400440532013000","reference":"Invoice 7"},"origin":{"ip":"192.0.2.1"}}"#

  @Test("the customer confirms what they are shown, the evidence proves it, and the bank hears of it, signed")
  func confirmed() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let opened: Opened = try await app.api(.post, "authorizations", Self.payment).view()
      #expect(opened.devices == 1 && opened.authorization.state == "pending" && opened.link_v2 == nil)
      let path = "authorizations/\(opened.authorization.id)"
      #expect(try await app.api(.get, "\(path)/evidence").refusal == "404 not-found")
      let waiting = try #require(try await device.authorizations().first)
      let shown = try device.read(waiting.payload)
      let content = try device.content(waiting)
      #expect(content.description.payment?.amount == "12.50 EUR" && content.description.payment?.payee == "Shop")
      var signed = Data()
      _ = try await device.decide(waiting.id, code: content.code) { signed = $1 }
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.confirmed])
      let operation: Operation = try await app.api(.get, path).view()
      #expect(operation.state == "confirmed" && operation.connection_id == device.connection)

      let evidence: Evidence = try await app.api(.get, "\(path)/evidence").view()
      #expect(evidence.shown == shown && evidence.signed == signed && evidence.geolocation == "GEO:52.506931;13.144558")
      let code = try AuthorizationCode(text: evidence.authorization_code)
      #expect(code.matches(content.code ?? "") && code.binds(evidence.attributes, salt: evidence.salt))
      var changed = evidence.attributes
      changed["amount"] = "1250.00"
      #expect(!code.binds(changed, salt: evidence.salt))
      // What was signed is for the bank's key; what it opens to is kept, and holds the code.
      let confirmation = try WireJSON.decode(
        SaltEdgeV2.Confirmation.self, from: Data(try #require(evidence.confirmation).utf8))
      #expect(confirmation.code == evidence.authorization_code && confirmation.userAuthorizationType == "biometrics")
      // Evidence stays evidence when the signature has expired.
      try DetachedJWS.verify(evidence.signature, body: evidence.signed, with: RSAPublicKey(pem: evidence.public_key))

      let heard = try #require(app.bank.heard.last)
      #expect(heard.url == FakeBank.webhook)
      let event = try JSONDecoder().decode(Webhook.self, from: heard.body)
      #expect(event.type == "authorization.confirmed" && event.data == operation)
      let (id, time) = (heard.headers["webhook-id"] ?? "", heard.headers["webhook-timestamp"] ?? "")
      #expect(time == "\(app.clock.now.seconds)")
      let key = try #require(Data(base64Encoded: String(app.webhookSecret.dropFirst("whsec_".count))))
      let mac = HMAC<SHA256>.authenticationCode(
        for: Data("\(id).\(time).".utf8) + heard.body, using: SymmetricKey(data: key))
      #expect(heard.headers["webhook-signature"] == "v1,\(Data(mac).base64EncodedString())")
    }
  }

  @Test("a code of another operation confirms nothing, and the customer may decide still")
  func wrongCode() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let tablet = try await DeviceV2.hosted(app, key: "tablet")
      let opened: Opened = try await app.api(.post, "authorizations", Self.payment).view()
      #expect(opened.devices == 2)
      let waiting = try #require(try await device.authorizations().first)
      _ = try await device.decide(waiting.id, code: "code-of-something-else")
      try await app.settle()
      #expect(try await device.authorizations().map(\.status) == [.error])
      #expect(
        try await app.api(.get, "authorizations/\(opened.authorization.id)").view(Operation.self).state == "pending")
      let other = try #require(try await tablet.authorizations().first)
      _ = try await tablet.decide(other.id, confirms: false, code: tablet.content(other).code)
      try await app.settle()
      #expect(
        try await app.api(.get, "authorizations/\(opened.authorization.id)").view(Operation.self).state == "denied")
      #expect(app.bank.heard.count == 1)
    }
  }

  @Test("an authorization expires, and the bank hears of it; one that is being decided does not")
  func expiry() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let first: Opened = try await app.api(.post, "authorizations", Self.payment).view()
      let second: Opened = try await app.api(
        .post, "authorizations", #"{"reference":"order-2","user_id":"u-1","title":"Login","expires_in_seconds":300}"#
      ).view()
      let waiting = try await device.authorizations()
      let deciding = try #require(try waiting.first { try device.content($0).title == "Login" })
      app.clock.advance(by: .seconds(299))
      _ = try await device.decide(deciding.id, code: device.content(deciding).code)
      app.clock.advance(by: .seconds(1))
      try await app.effects.jobs.runOnce()
      try await app.settle()
      #expect(
        try await app.api(.get, "authorizations/\(first.authorization.id)").view(Operation.self).state == "expired")
      #expect(
        try await app.api(.get, "authorizations/\(second.authorization.id)").view(Operation.self).state == "confirmed"
      )
      let types = try app.bank.heard.map { try JSONDecoder().decode(Webhook.self, from: $0.body).type }
      #expect(types.sorted() == ["authorization.confirmed", "authorization.expired"])
    }
  }

  @Test("a bank withdraws what it asked for; what has ended stays ended")
  func cancel() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let opened: Opened = try await app.api(.post, "authorizations", Self.payment).view()
      let path = "authorizations/\(opened.authorization.id)"
      for _ in 0..<2 {
        #expect(try await app.api(.post, "\(path)/cancel", "{}").view(Operation.self).state == "cancelled")
      }
      #expect(try await device.authorizations().map(\.status) == [.closed])
      try await app.settle()
      // Another system of the bank's may have asked for it.
      let events = try app.bank.heard.map { try JSONDecoder().decode(Webhook.self, from: $0.body) }
      #expect(events.map(\.type) == ["authorization.cancelled"] && events.first?.data.state == "cancelled")
      let next: Opened = try await app.api(
        .post, "authorizations", #"{"reference":"order-2","user_id":"u-1","title":"Login"}"#
      ).view()
      let waiting = try #require(try await device.authorizations().first { $0.status == .pending })
      _ = try await device.decide(waiting.id, code: device.content(waiting).code)
      try await app.settle()
      let late = try await app.api(.post, "authorizations/\(next.authorization.id)/cancel", "{}")
      #expect(late.refusal == "409 authorization-ended")
      #expect(try await app.owed().isEmpty)
    }
  }

  @Test("the same key and body get the same answer, another body a refusal, and a reference is good for once")
  func idempotency() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let key = "6e0c1c5a-5b0d-4c67-9e53-0c8e2f1b7a11"
      let first = try await app.api(.post, "authorizations", Self.payment, key: key)
      let again = try await app.api(.post, "authorizations", Self.payment, key: key)
      #expect(first.status == 201 && again.status == 201 && first.body == again.body)
      #expect(again.headers[try #require(HTTPField.Name("Idempotency-Replayed"))] == "true")
      let other = Self.payment.replacing("12.50", with: "12.51")
      #expect(try await app.api(.post, "authorizations", other, key: key).refusal == "409 idempotency-conflict")
      #expect(try await app.api(.post, "authorizations", other).refusal == "409 reference-taken")
      #expect(try await app.api(.post, "authorizations", other, key: "x").refusal == "400 missing-header")
      #expect(try await device.authorizations().count == 1)
    }
  }

  @Test("what a customer would be shown wrongly, or not at all, is refused")
  func validation() async throws {
    try await SaltEdgeTestApp.run { app in
      let bad = [
        (#""amount":"12.50""#, #""amount":"12,50""#), (#""amount":"12.50""#, #""amount":"-1""#),
        (#""amount":"12.50""#, #""amount":"1e3""#), (#""amount":"12.50""#, #""amount":"012""#),
        (#""currency":"EUR""#, #""currency":"EURO""#), (#""payee":"Shop""#, #""payee":"""#),
        (#""payee":"Shop""#, #""payee":"Shop\u202e""#), (#""payee":"Shop""#, #""payee":"Sh\u0007op""#),
        (#""title":"Payment""#, #""title":"""#), (#""reference":"order-1""#, #""reference":"a/b""#),
        (#""title":"Payment""#, #""title":"P","expires_in_seconds":29"#),
        (#""title":"Payment""#, #""title":"P","needs_confirmation":false"#),
      ]
      for (good, worse) in bad {
        let body = Self.payment.replacing(good, with: worse)
        #expect(body != Self.payment)
        let answer = try await app.api(.post, "authorizations", body)
        #expect(answer.refusal == "422 validation-failed", "\(worse)")
      }
      let unknown = Self.payment.replacing(#""title""#, with: #""colour":"red","title""#)
      let strange = try await app.api(.post, "authorizations", unknown)
      #expect(strange.refusal == "400 unknown-field")
      let nonsense = try await app.api(.post, "authorizations", "x")
      #expect(nonsense.refusal == "400 invalid-json")
    }
  }

  @Test("credentials of one bank open nothing of another's")
  func credentials() async throws {
    try await SaltEdgeTestApp.run { app in
      #expect(try await app.api(.get, "").view(Provider.self).kind == "hosted")
      #expect(try await app.api(.get, "", secret: "ghc_wrong").refusal == "401 credentials-invalid")
      #expect(try await app.api(.get, "", provider: app.remote.id).refusal == "404 not-found")
      #expect(try await app.api(.get, "authorizations/1").refusal == "404 not-found")
      let plain = try await app.call(.get, "\(ProviderDialect.base)/providers/\(app.hosted.id)")
      #expect(plain.refusal == "401 credentials-invalid")
      #expect(plain.headers[.wwwAuthenticate] == #"Basic realm="saltedge""#)
    }
  }

  @Test("a bank with a server of its own reads what the service knows of it, and asks for the rest over its server")
  func remote() async throws {
    try await SaltEdgeTestApp.run { app in
      let (id, caller) = (app.remote.id, app.remoteCredentials)
      let described = try await app.api(.get, "", provider: id, as: caller).view(Provider.self)
      #expect(described.kind == "remote")
      _ = try RSAPublicKey(pem: described.service_public_key)
      let opened = try await app.api(.post, "authorizations", Self.payment, provider: id, as: caller)
      #expect(opened.refusal == "404 not-found")
      let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1"}"#, provider: id, as: caller)
      #expect(link.refusal == "404 not-found")
    }
  }

  struct Provider: Decodable {
    let kind, service_public_key, configuration_url_v2: String
  }

  @Test("a webhook is sent again until it is taken, always with the same id; gone ends one event, and not the next")
  func webhooks() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      for reference in ["o-1", "o-2", "o-3"] {
        _ = try await app.api(
          .post, "authorizations", #"{"reference":"\#(reference)","user_id":"u-1","title":"Login"}"#)
        let waiting = try #require(try await device.authorizations().first { $0.status == .pending })
        _ = try await device.decide(waiting.id, code: device.content(waiting).code)
        app.bank.answer(reference == "o-1" ? 500 : reference == "o-2" ? 410 : 200)
        try await app.settle()
        app.clock.advance(by: .minutes(1))
        try await app.settle()
      }
      let ids = app.bank.heard.map { $0.headers["webhook-id"] ?? "" }
      #expect(ids.count == 4 && ids[0] == ids[1] && Set(ids).count == 3)
      let log = try await app.webhooks.log(.init())
      #expect(log.map(\.lastStatus) == [200, 410, 200] && Set(log.map(\.tenant.description)) == ["saltedge/hosted"])
      try await app.webhooks.redeliver(log[1].id, by: "test")
      try await app.settle()
      #expect(app.bank.heard.last?.headers["webhook-id"] == ids[2])
    }
  }

  @Test("an operation shown as a QR code belongs to the first user who scans it")
  func pickUp() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let other = try await DeviceV2.hosted(app, user: "u-2", key: "tablet")
      let opened: Opened = try await app.api(.post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#)
        .view()
      #expect(opened.authorization.state == "offered" && opened.devices == 0)
      guard case .action(let link) = try DeepLink(text: opened.link_v2 ?? ""),
        case .v2(let action, let provider) = link.target
      else { throw SaltEdgeError.malformed(.deepLink) }
      func submit(_ device: DeviceV2) async throws -> SaltEdgeTestApp.Answer {
        try await device.send(
          .post, "authorizations",
          SaltEdgeV2.ActionSubmission(
            providerID: .init(provider), actionID: .init(action), connectionID: .init(device.connection)))
      }
      let submitted = try await submit(device).data(SaltEdgeV2.ActionSubmitted.self)
      #expect(try await submit(other).refusal == "400 ActionClosed")
      let id = try #require(submitted.authorizationID)
      let waiting = try await device.get("authorizations/\(id)").data(SaltEdgeV2.Authorization.self)
      _ = try await device.decide(id, code: device.content(waiting).code)
      try await app.settle()
      let operation: Operation = try await app.api(.get, "authorizations/\(opened.authorization.id)").view()
      #expect(operation.state == "confirmed" && operation.user_id == "u-1")

      let login: Opened = try await app.api(
        .post, "authorizations", #"{"reference":"login","title":"Sign in","needs_confirmation":false}"#
      ).view()
      let accepted = try await other.send(
        .post, "authorizations",
        SaltEdgeV2.ActionSubmission(
          providerID: .init(provider), actionID: .init(login.authorization.id), connectionID: .init(other.connection)))
      #expect(accepted.json == #"{"data":{}}"#)
      let signedIn: Operation = try await app.api(.get, "authorizations/\(login.authorization.id)").view()
      #expect(signedIn.state == "confirmed" && signedIn.user_id == "u-2")
      #expect(signedIn.connection_id == other.connection)
    }
  }

  @Test("a bank lists its customer's devices, takes one away, and manages consents")
  func devices() async throws {
    try await SaltEdgeTestApp.run { app in
      struct List: Decodable {
        struct Connection: Decodable { let id, state, platform: String }
        let connections: [Connection]
      }
      struct Consent: Decodable { let state: String; let devices: Int }
      let device = try await DeviceV2.hosted(app)
      let consent =
        #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
        + #""expires_at":"2027-01-01T00:00:00Z"}"#
      #expect(try await app.api(.post, "consents", consent).view(Consent.self).devices == 1)
      let listed = try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self)
      #expect(try device.read(try #require(listed.first).payload).contains(#""tpp_name":"TPP""#))
      #expect(try await app.api(.post, "consents/c-1/revoke", "{}").view(Consent.self).state == "revoked")
      #expect(try await device.get("consents").json == #"{"data":[]}"#)
      #expect(try await app.api(.get, "consents/c-1").view(Consent.self).state == "revoked")
      #expect(try await app.api(.get, "consents/c-2").refusal == "404 not-found")
      let connections: List = try await app.api(.post, "connections/search", #"{"user_id":"u-1"}"#).view()
      #expect(connections.connections.map(\.id) == [device.connection])
      let foreign = try await app.api(.post, "connections/search", #"{"user_id":"u-2"}"#).view(List.self)
      #expect(foreign.connections.isEmpty)
      let revoked = try await app.api(.post, "connections/\(device.connection)/revoke", "{}")
      #expect(try revoked.view(List.Connection.self).state == "revoked")
      #expect(try await device.get("authorizations").refusal == "401 ConnectionRevoked")
    }
  }
}
