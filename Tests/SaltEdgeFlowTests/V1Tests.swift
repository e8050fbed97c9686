// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge v1: the identity service")
struct V1Tests {
  typealias Opened = ProviderAPITests.Opened

  @Test("the configuration says what every released app looks for")
  func configuration() async throws {
    try await SaltEdgeTestApp.run { app in
      let answer = try await app.call(.get, "/saltedge/hosted/api/authenticator/v1/configuration")
      let configuration = try answer.data(SaltEdgeV1.Configuration.self)
      #expect(configuration.connectURL == "https://sca.example/saltedge/hosted" && configuration.version == "1")
      #expect(configuration.code == "hosted" && configuration.supportEmail == "help@hosted.example")
      for bank in ["remote", "nobody"] {
        let other = try await app.call(.get, "/saltedge/\(bank)/api/authenticator/v1/configuration")
        #expect(other.refusal == "404 NotFound")
      }
    }
  }

  @Test("a customer connects by a link that is good for once, and the answer suits every released app")
  func connect() async throws {
    try await SaltEdgeTestApp.run { app in
      let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1","api_version":1}"#)
        .view(DeviceV2.LinkView.self)
      guard case .connect(let deep) = try DeepLink(text: link.link) else { throw SaltEdgeError.malformed(.deepLink) }
      #expect(deep.apiVersion == 1)
      let key = try TestKeys.device()
      let answer = try await DeviceV1.ask(app, key: key, query: link.connect_query)
      // iOS reads a text.
      #expect(answer.json.firstMatch(of: #/"id":"[0-9]+"/#) != nil)
      let connected = try answer.data(SaltEdgeV1.Connected.self)
      #expect(
        try ReturnRedirect(url: connected.connectURL ?? "")
          == .authenticated(accessToken: connected.accessToken ?? "", connectionID: connected.id.text))
      let again = try await DeviceV1.ask(app, key: TestKeys.named("thief"), query: link.connect_query)
        .data(SaltEdgeV1.Connected.self)
      #expect(again.accessToken == nil)
      #expect(
        try ReturnRedirect(url: again.connectURL ?? "")
          == .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request"))
    }
  }

  @Test("the bank's page ends a sign-in with the token in the redirect")
  func page() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let asked = try await DeviceV1.ask(app, key: key).data(SaltEdgeV1.Connected.self)
      let session = try #require(asked.connectURL).dropFirst("\(SaltEdgeTestApp.loginURL)?session=".count)
      struct Redirect: Decodable { let redirect_url: String }
      let redirect: Redirect = try await app.api(
        .post, "sessions/authenticate", #"{"session":"\#(session)","user_id":"u-1"}"#
      ).view()
      guard case .authenticated(let token, asked.id.text?) = try ReturnRedirect(url: redirect.redirect_url) else {
        throw SaltEdgeError.malformed(.redirect)
      }
      let device = DeviceV1(app: app, key: key, connection: asked.id.text, token: token)
      #expect(try await device.authorizations().isEmpty)
    }
  }

  @Test("requests as iOS and Android write them are both taken; an invalid one is refused")
  func bodies() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let pem = key.publicKey.pem.replacing("\n", with: "\\n")
      let ios = """
        {
          "data" : {
            "connect_query" : null,
            "platform" : "ios",
            "provider_code" : "hosted",
            "public_key" : "\(pem.replacing("/", with: "\\/"))",
            "push_token" : "",
            "return_url" : "authenticator:\\/\\/oauth\\/redirect"
          }
        }
        """
      let android =
        #"{"data":{"public_key":"\#(pem)","return_url":"authenticator://oauth/redirect","platform":"android"}}"#
      for body in [ios, android] { #expect(try await DeviceV1.ask(app, key: key, body: body).status == 200) }
      let bad = [
        "not json", "{}", #"{"data":{"public_key":"x"}}"#, android.replacing("BEGIN PUBLIC", with: "BEGIN"),
        android.replacing(#""platform":"android""#, with: #""platform":"""#),
        android.replacing("authenticator://oauth/redirect", with: ""),
      ]
      for body in bad {
        #expect(
          try await DeviceV1.ask(app, key: key, body: body).refusal == "400 WrongRequestFormat", "\(body.prefix(40))")
      }
    }
  }

  @Test("every device of the customer sees what waits, encrypted for it alone; one decision ends it for all")
  func decide() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      let tablet = try await DeviceV1.connected(app, key: "tablet")
      let newer = try await DeviceV2.hosted(app, key: "phone")
      let stranger = try await DeviceV1.connected(app, user: "u-2", key: "thief")
      let opened: Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment).view()
      #expect(opened.devices == 3)
      let entity = try #require(try await device.authorizations().first)
      #expect(entity.algorithm == "AES-256-CBC" && entity.connectionID?.text == device.connection)
      let shown = try device.read(entity)
      #expect(
        shown.description
          == "Payee: Shop\nAmount: 12.50 EUR\nAccount: DE89370400440532013000\nReference: Invoice 7\nIP: 192.0.2.1")
      #expect(throws: (any Error).self) { try tablet.read(entity) }
      #expect(try await tablet.authorizations().count == 1)
      #expect(try await newer.authorizations().count == 1)
      #expect(try await stranger.authorizations().isEmpty)
      let (id, code) = (try #require(entity.id).text, try #require(shown.code))
      #expect(try await stranger.decide(id, code: code).refusal == "404 AuthorizationNotFound")
      #expect(try await device.send(.get, "authorizations/\(id)").data(SaltEdgeV1.Entity.self).id?.text == id)

      let wrong = try await device.decide(id, code: "wrong")
      #expect(wrong.json == #"{"data":{"id":"\#(id)","success":false}}"#)
      let missing = try await device.send(.put, "authorizations/\(id)", body: #"{"data":{"confirm":true}}"#)
      #expect(missing.refusal == "400 WrongRequestFormat")
      #expect(try await device.authorizations().count == 1)
      let right = try await device.decide(id, code: code)
      #expect(right.json == #"{"data":{"id":"\#(id)","success":true}}"#)
      #expect(try await device.decide(id, code: code).refusal == "404 AuthorizationNotFound")
      #expect(try await tablet.decide(id, confirms: false, code: code).refusal == "404 AuthorizationNotFound")
      #expect(try await device.authorizations().isEmpty)
      #expect(try await tablet.authorizations().isEmpty)
      #expect(try await newer.authorizations().map(\.status) == [.closed])
      let evidence = try await app.api(.get, "authorizations/\(id)/evidence").view(ProviderAPITests.Evidence.self)
      #expect(evidence.api_version == 1 && evidence.authorization_type == "passcode")
      let key = try RSAPublicKey(pem: evidence.public_key)
      #expect(key.isValidSignature(try #require(Data(base64Encoded: evidence.signature)), for: evidence.signed))
      try await app.settle()
      #expect(app.bank.heard.count == 1)
    }
  }

  @Test("64 Unicode scalars of what a device says of itself, unsigned, are kept, however few characters they seem")
  func described() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment).view(Opened.self)
      let entity = try #require(try await device.authorizations().first)
      let (id, code) = (try #require(entity.id).text, try #require(try device.read(entity).code))
      let long = "GEO:" + String(repeating: "\u{200D}", count: 1000)
      let body = #"{"data":{"confirm":true,"authorization_code":"\#(code)"}}"#
      let answer = try await device.send(.put, "authorizations/\(id)", body: body) { headers, _ in
        (headers["GEO-Location"], headers["Authorization-Type"]) = (long, long)
      }
      #expect(answer.json == #"{"data":{"id":"\#(id)","success":true}}"#)
      let evidence = try await app.api(.get, "authorizations/\(id)/evidence").view(ProviderAPITests.Evidence.self)
      #expect(evidence.geolocation?.unicodeScalars.count == 64)
      #expect(evidence.authorization_type?.unicodeScalars.count == 64)
    }
  }

  @Test("an authorization that expired cannot be decided")
  func expiry() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      let entity = try #require(try await device.authorizations().first)
      app.clock.advance(by: .minutes(5))
      let id = try #require(entity.id).text
      #expect(try await device.decide(id, code: device.read(entity).code ?? "").refusal == "404 AuthorizationNotFound")
      #expect(try await device.authorizations().isEmpty)
      #expect(try await device.send(.get, "authorizations/\(id)").refusal == "404 AuthorizationNotFound")
    }
  }

  @Test("a request that was changed, is late, or has another method, path or key is refused, in the public order")
  func proofs() async throws {
    try await SaltEdgeTestApp.run(policy: { $0.refusals = .init("saltedge-refusals", 100, per: .minutes(1)) }) { app in
      let device = try await DeviceV1.connected(app)
      func refusal(
        exp: Int64 = 300, signedMethod: String? = nil, signedURL: String? = nil,
        _ change: (inout [String: String], inout Data) -> Void = { _, _ in }
      ) async throws -> String {
        try await device.send(
          .get, "authorizations", exp: exp, signedMethod: signedMethod, signedURL: signedURL, change: change
        ).refusal
      }
      #expect(try await refusal { headers, _ in headers = [:] } == "400 AccessTokenMissing")
      #expect(try await refusal { headers, _ in headers["Access-Token"] = "nobody" } == "401 ConnectionNotFound")
      #expect(try await refusal { headers, _ in headers["Signature"] = nil } == "400 SignatureMissing")
      #expect(try await refusal { headers, _ in headers["Expires-At"] = nil } == "400 SignatureExpired")
      #expect(try await refusal { headers, _ in headers["Expires-At"] = "soon" } == "400 SignatureExpired")
      #expect(try await refusal(exp: 0) == "400 SignatureExpired")
      #expect(try await refusal(exp: 3601) == "400 SignatureExpired")
      #expect(try await refusal { headers, _ in headers["Signature"] = "AAAA" } == "400 InvalidSignature")
      #expect(try await refusal { _, body in body = Data("{}".utf8) } == "400 InvalidSignature")
      #expect(try await refusal(signedMethod: "put") == "400 InvalidSignature")
      #expect(try await refusal(signedURL: "https://sca.example/other") == "400 InvalidSignature")
      let address = "\(SaltEdgeTestApp.address)/saltedge/hosted/api/authenticator/v1/authorizations"
      #expect(try await device.send(.get, "authorizations?x=1").status == 200)
      #expect(try await device.send(.get, "authorizations?x=1", signedURL: address).refusal == "400 InvalidSignature")
      let elsewhere = try await app.call(
        .get, "/saltedge/remote/api/authenticator/v1/authorizations", headers: ["Access-Token": device.token])
      #expect(elsewhere.refusal == "401 ConnectionNotFound")
    }
  }

  @Test("a revoked connection is refused")
  func revoke() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      let answer = try await device.send(.delete, "connections")
      #expect(answer.json == #"{"data":{"access_token":"\#(device.token)","success":true}}"#)
      #expect(try await device.send(.get, "authorizations").refusal == "401 ConnectionNotFound")
      #expect(try await device.send(.delete, "connections").refusal == "401 ConnectionNotFound")
      try await app.settle()
      #expect(app.bank.heard.map(\.url) == [FakeBank.webhook])
      #expect(try await app.owed().isEmpty)
    }
  }

  @Test("an action is picked up from a QR code, and needs confirming or does not")
  func actions() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      let opened: Opened = try await app.api(.post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#)
        .view()
      guard case .action(let link) = try DeepLink(text: opened.link_v1 ?? ""),
        case .v1(let action, let url) = link.target
      else { throw SaltEdgeError.malformed(.deepLink) }
      #expect(url.absoluteString == "https://sca.example/saltedge/hosted")
      for _ in 0..<2 {
        let answer = try await device.send(.put, "actions/\(action)")
        #expect(
          answer.json
            == #"{"data":{"authorization_id":"\#(action)","connection_id":"\#(device.connection)","success":true}}"#)
      }
      #expect(try await device.authorizations().count == 1)
      let login: Opened = try await app.api(
        .post, "authorizations", #"{"reference":"login","title":"Sign in","needs_confirmation":false}"#
      ).view()
      #expect(try await device.send(.put, "actions/\(login.authorization.id)").json == #"{"data":{"success":true}}"#)
      #expect(try await device.send(.put, "actions/\(login.authorization.id)").refusal == "400 ActionClosed")
      #expect(try await device.send(.put, "actions/nope").refusal == "404 ActionNotFound")
      let late: Opened = try await app.api(.post, "authorizations", #"{"reference":"late","title":"Late"}"#).view()
      app.clock.advance(by: .minutes(5))
      #expect(try await device.send(.put, "actions/\(late.authorization.id)").refusal == "400 ActionExpired")
    }
  }

  @Test("consents are listed and taken back")
  func consents() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV1.connected(app)
      let consent =
        #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
        + #""expires_at":"2027-01-01T00:00:00Z"}"#
      _ = try await app.api(.post, "consents", consent)
      let entity = try #require(try await device.send(.get, "consents").data([SaltEdgeV1.Entity].self).first)
      let id = try #require(entity.id).text
      let revoked = try await device.send(.delete, "consents/\(id)")
      #expect(revoked.json == #"{"data":{"consent_id":"\#(id)","success":true}}"#)
      #expect(try await device.send(.delete, "consents/\(id)").refusal == "404 ConsentNotFound")
      #expect(try await device.send(.get, "consents").json == #"{"data":[]}"#)
    }
  }
}
