// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge v2: connecting a device")
struct V2EnrolmentTests {
  @Test("a device is connected once its bank says that the customer signed in, and its key stays between the two")
  func connect() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let asked = try await DeviceV2.ask(app, to: app.remote, key: key)
      // iOS reads an integer.
      #expect(asked.json.firstMatch(of: #/"connection_id":[0-9]+[,}]/#) != nil)
      let connected = try asked.data(SaltEdgeV2.Connected.self)
      #expect(connected.authenticationURL == "https://bank.example/auth?connection_id=\(connected.connectionID)")
      #expect(app.bank.deviceKey(connected.connectionID.text) == key.publicKey)
      let early = try await app.call(
        .get, "/api/authenticator/v2/authorizations", headers: ["Access-Token": "token-of-\(connected.connectionID)"])
      #expect(early.refusal == "401 ConnectionNotFound")
      _ = try await app.bankCalls(
        .put, "connections/\(connected.connectionID)/success_authentication",
        SaltEdgeBank.Authenticated(
          userID: .init("u-1"), accessToken: "token-of-\(connected.connectionID)", publicKey: key.publicKey.pem))
      let device = DeviceV2(
        app: app, key: key, providerKey: try RSAPublicKey(pem: app.remote.publicKey),
        provider: app.remote.id.rawValue, connection: connected.connectionID.text,
        token: "token-of-\(connected.connectionID)")
      #expect(try await device.authorizations().isEmpty)
      let shown: SaltEdgeV2.Connection = try await device.get("connections/\(device.connection)").data()
      #expect(shown.status == .valid && shown.pushToken == "push-token-1" && shown.publicKey == key.publicKey.pem)
      #expect(
        try await app.audit(device.connection)
          == ["saltedge.connection.asked", "saltedge.connection.authenticated"])
    }
  }

  @Test("a customer of a bank without a server connects by a link that is good for once")
  func oneTimeLink() async throws {
    try await SaltEdgeTestApp.run { app in
      let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1"}"#).view(DeviceV2.LinkView.self)
      guard case .connect(let deep) = try DeepLink(text: link.link) else { throw SaltEdgeError.malformed(.deepLink) }
      #expect(deep.apiVersion == 2 && deep.connectQuery == link.connect_query)
      let key = try TestKeys.device()
      let first = try await DeviceV2.ask(app, to: app.hosted, key: key, query: link.connect_query)
        .data(SaltEdgeV2.Connected.self)
      guard case .authenticated(let sealed, nil) = try ReturnRedirect(url: first.authenticationURL) else {
        throw SaltEdgeError.malformed(.redirect)
      }
      let token = try EncryptedAccessToken.decrypt(sealed, with: key)
      let second = try await DeviceV2.ask(
        app, to: app.hosted, key: try TestKeys.named("thief"), query: link.connect_query
      ).data(SaltEdgeV2.Connected.self)
      #expect(
        try ReturnRedirect(url: second.authenticationURL)
          == .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request"))
      let list = try await app.call(.get, "/api/authenticator/v2/authorizations", headers: ["Access-Token": token])
      #expect(list.json == #"{"data":[]}"#)
    }
  }

  @Test("a link that lapsed connects no device")
  func lapsedLink() async throws {
    try await SaltEdgeTestApp.run { app in
      let link = try await app.api(.post, "connect-links", #"{"user_id":"u-1"}"#).view(DeviceV2.LinkView.self)
      app.clock.advance(by: .minutes(5))
      let asked = try await DeviceV2.ask(app, to: app.hosted, key: TestKeys.device(), query: link.connect_query)
        .data(SaltEdgeV2.Connected.self)
      #expect(
        try ReturnRedirect(url: asked.authenticationURL)
          == .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request"))
      // Spaces are not plus signs: iOS would show them.
      #expect(asked.authenticationURL.hasSuffix("error_message=Unauthorized%20request"))
    }
  }

  @Test("the bank's page ends a sign-in once: with the token for this device alone, or with a refusal")
  func page() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      func session() async throws -> (id: String, session: String) {
        let asked = try await DeviceV2.ask(app, to: app.hosted, key: key).data(SaltEdgeV2.Connected.self)
        let page = "\(SaltEdgeTestApp.loginURL)?session="
        #expect(asked.authenticationURL.hasPrefix(page))
        return (asked.connectionID.text, String(asked.authenticationURL.dropFirst(page.count)))
      }
      struct Redirect: Decodable { let redirect_url: String }
      let first = try await session()
      let body = #"{"session":"\#(first.session)","user_id":"u-1"}"#
      let redirect: Redirect = try await app.api(.post, "sessions/authenticate", body).view()
      guard case .authenticated(let sealed, nil) = try ReturnRedirect(url: redirect.redirect_url) else {
        throw SaltEdgeError.malformed(.redirect)
      }
      #expect(throws: SaltEdgeError.undecryptable) {
        try EncryptedAccessToken.decrypt(sealed, with: TestKeys.named("thief"))
      }
      let token = try EncryptedAccessToken.decrypt(sealed, with: key)
      let shown = try await app.call(
        .get, "/api/authenticator/v2/connections/\(first.id)", headers: ["Access-Token": token])
      #expect(try shown.data(SaltEdgeV2.Connection.self).status == .valid)
      #expect(try await app.api(.post, "sessions/authenticate", body).refusal == "404 not-found")

      let second = try await session()
      let refusal: Redirect = try await app.api(.post, "sessions/refuse", #"{"session":"\#(second.session)"}"#).view()
      #expect(
        try ReturnRedirect(url: refusal.redirect_url)
          == .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request"))
      let again = #"{"session":"\#(second.session)","user_id":"u-1"}"#
      #expect(try await app.api(.post, "sessions/authenticate", again).refusal == "404 not-found")

      let third = try await session()
      app.clock.advance(by: .minutes(15))
      let late = #"{"session":"\#(third.session)","user_id":"u-1"}"#
      #expect(try await app.api(.post, "sessions/authenticate", late).refusal == "404 not-found")
    }
  }

  @Test("what is no request is refused and leaves nothing behind")
  func refusals() async throws {
    try await SaltEdgeTestApp.run { app in
      let bodies = [
        "", "not json", "[]", "{}", #"{"data":{}}"#, #"{"data":{"provider_id":1}}"#,
        String(repeating: "[", count: 3000),
      ]
      for body in bodies {
        let answer = try await app.call(.post, "/api/authenticator/v2/connections", body: Data(body.utf8))
        #expect(answer.refusal == "400 WrongRequestFormat", "\(body.prefix(20))")
      }
      for returnURL in [
        "https://thief.example", "javascript:alert(1)", "", "no scheme", "data:text/html,x", "app://a#b",
        "app://" + String(repeating: "a", count: 3000),
      ] {
        let answer = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device(), returnURL: returnURL)
        #expect(answer.refusal == "400 WrongRequestFormat", "\(returnURL.prefix(20))")
      }
      // A NUL is in no id, and no engine takes one.
      for (id, refusal) in [("77", "404 NotFound"), ("77\0", "400 WrongRequestFormat")] {
        let body = SaltEdge.Body(
          data: SaltEdgeV2.Connect(
            providerID: .init(id), returnURL: ReturnRedirect.returnURL, platform: "ios", pushToken: nil,
            connectQuery: nil, encryptedPublicKey: .init(key: "a", iv: "a", data: "a")))
        let answer = try await app.call(
          .post, "/api/authenticator/v2/connections", body: try WireJSON.encode(body))
        #expect(answer.refusal == refusal)
      }
      let unknown = try await app.call(.get, "/api/authenticator/v2/configurations/77")
      #expect(unknown.refusal == "404 NotFound")
      #expect(app.bank.heard.isEmpty)
      let rows = try await app.database.read { try $0.query("SELECT id FROM saltedge_connection").count }
      #expect(rows == 0)
    }
  }

  @Test("a bank that cannot be reached, or answers nonsense, fails the attempt, and the query may be used again")
  func bankDown() async throws {
    try await SaltEdgeTestApp.run { app in
      app.bank.fail(.unreachable)
      let down = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device(), query: "q-1")
      #expect(down.refusal == "504 ProviderUnavailable")
      app.bank.fail(nil)
      app.bank.answer(200, #"{"data":{"authentication_url":"javascript:alert(1)"}}"#)
      let nonsense = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device(), query: "q-1")
      #expect(nonsense.refusal == "502 ProviderUnavailable")
      let taken = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device(), query: "q-1")
      #expect(taken.status == 200)
    }
  }

  @Test("one address cannot ask for connections without end")
  func limit() async throws {
    try await SaltEdgeTestApp.run(policy: { $0.connects = .init("saltedge-connects", 2, per: .minutes(1)) }) { app in
      for _ in 0..<2 {
        #expect(try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device()).status == 200)
      }
      let third = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device())
      #expect(third.refusal == "429 TooManyRequests" && third.headers[.retryAfter] != nil)
      #expect(third.headers[.init("RateLimit")!]?.hasPrefix("\"saltedge-connects\";r=0") == true)
      let other = try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device(), source: "10.0.0.2")
      #expect(other.status == 200)
      app.clock.advance(by: .minutes(1))
      #expect(try await DeviceV2.ask(app, to: app.remote, key: TestKeys.device()).status == 200)
    }
  }

  @Test("a sign-in may take its time, and a customer who does not sign in in time has to begin again")
  func lapse() async throws {
    try await SaltEdgeTestApp.run { app in
      func asked(_ name: String) async throws -> (path: String, id: String, success: SaltEdgeBank.Authenticated) {
        let key = try TestKeys.named(name)
        let asked = try await DeviceV2.ask(app, to: app.remote, key: key).data(SaltEdgeV2.Connected.self)
        return (
          "connections/\(asked.connectionID)/success_authentication", asked.connectionID.text,
          SaltEdgeBank.Authenticated(
            userID: .init("u-1"), accessToken: "token-of-\(asked.connectionID)", publicKey: key.publicKey.pem)
        )
      }
      let slow = try await asked("tablet")
      app.clock.advance(by: .seconds(310))
      try await app.effects.jobs.runOnce()
      #expect(try await app.bankCalls(.put, slow.path, slow.success).status == 200)

      let late = try await asked("device")
      app.clock.advance(by: .minutes(15))
      app.bank.forget()
      #expect(try await app.bankCalls(.put, late.path, late.success).refusal == "404 ConnectionNotFound")
      try await app.effects.jobs.runOnce()
      #expect(try await app.audit(late.id).last == "saltedge.connection.lapsed")
      app.clock.advance(by: .seconds(1))
      #expect(try await app.bankCalls(.put, late.path, late.success).refusal == "404 ConnectionNotFound")
      // The bank has it as authorized: it is told once that it is not.
      try await app.settle()
      #expect(app.bank.paths == ["PUT connections/\(late.id)/revoke"])
    }
  }
}
