// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SaltEdgeWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Salt Edge: the SDK and the service, over a socket (acceptance 5)", .serialized)
struct AuthenticatorTests {
  typealias Operation = ProviderAPITests.Operation
  typealias Opened = ProviderAPITests.Opened

  @Test("two connections, v1 and v2, one list: what is confirmed on one is gone from the other, and the bank has proof")
  func mixed() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      let phoneApp = try await AppOnLoopback(app)
      let (v1, v2) = (try await phoneApp.connect(version: 1), try await phoneApp.connect(version: 2))
      #expect(v1.name == "Hosted Bank" && v2.name == "Hosted Bank (2)")
      let opened: Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment).view()
      #expect(opened.devices == 2)
      let shown = try await phoneApp.shown()
      #expect(Set(shown.map(\.id.connection)) == [v1.guid, v2.guid] && shown.allSatisfy { $0.title == "Payment" })
      let onV2 = try #require(shown.first { $0.id.connection == v2.guid })
      #expect(onV2.content.payment.first { $0.key == "amount" }?.value == "12.50 EUR")
      #expect(try await phoneApp.authenticator.confirm(onV2, by: phoneApp.proof()).state == .processing)
      try await app.settle()
      let after = try await phoneApp.shown()
      #expect(after.map(\.id) == [onV2.id] && after.map(\.state) == [.confirmed])
      let operation: Operation = try await app.api(.get, "authorizations/\(opened.authorization.id)").view()
      #expect(operation.state == "confirmed" && operation.connection_id == v2.id)
      #expect(operation.authorization_type == "passcode")
    }
  }

  @Test("v1 by the bank's page: confirm, deny, decided elsewhere and run out, each as it is")
  func v1() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      struct Redirect: Decodable { let redirect_url: String }
      let phoneApp = try await AppOnLoopback(app) { page in
        let session = try #require(page.query()?.dropFirst("session=".count))
        return try await app.api(
          .post, "sessions/authenticate", #"{"session":"\#(session)","user_id":"u-1"}"#
        ).view(Redirect.self).redirect_url
      }
      let configuration = try #require(
        URL(string: "\(SaltEdgeTestApp.address)/saltedge/hosted/api/authenticator/v1/configuration"))
      try await phoneApp.authenticator.connect(ConnectLink(configuration: configuration))
      for (place, confirms) in [true, false].enumerated() {
        let opened: Opened = try await app.api(
          .post, "authorizations", ProviderAPITests.payment.replacing("order-1", with: "order-\(place)")
        ).view()
        let waiting = try await phoneApp.shown().filter { $0.state == .pending }
        let shown = try #require(waiting.first)
        #expect(waiting.count == 1 && shown.content.text != nil || shown.content.html != nil)
        let decided =
          confirms
          ? try await phoneApp.authenticator.confirm(shown, by: phoneApp.proof())
          : try await phoneApp.authenticator.deny(shown)
        #expect(decided.state == (confirms ? .confirmed : .denied))
        let operation: Operation = try await app.api(.get, "authorizations/\(opened.authorization.id)").view()
        #expect(operation.state == (confirms ? "confirmed" : "denied"))
      }
      let cancelled: Opened = try await app.api(
        .post, "authorizations", ProviderAPITests.payment.replacing("order-1", with: "order-8")
      ).view()
      let waiting = try #require(try await phoneApp.shown().first { $0.state == .pending })
      _ = try await app.api(.post, "authorizations/\(cancelled.authorization.id)/cancel", "{}")
      var states: [SaltEdgeAuthenticator.AuthorizationState] = []
      do {
        for try await authorization in phoneApp.authenticator.updates(of: waiting.id) {
          states.append(authorization.state)
        }
        Issue.record("a cancelled authorization was shown")
      } catch let error as AuthenticatorError {
        #expect(error.errorClass == .authorizationNotFound && states.isEmpty)
      }
      _ = try await phoneApp.shown()
      _ = try await app.api(
        .post, "authorizations", ProviderAPITests.payment.replacing("order-1", with: "order-9"))
      let late = try #require(try await phoneApp.shown().first { $0.state == .pending })
      app.clock.advance(by: .seconds(late.lifetimeSeconds))
      #expect(try await phoneApp.shown().first { $0.id == late.id }?.state == .timeOut)
    }
  }

  @Test("v2 at a bank with a server of its own: its page, a push action, and what it decides on it")
  func v2() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      let phoneApp = try await AppOnLoopback(app) { page in
        let connection = try #require(page.query()?.dropFirst("connection_id=".count))
        let device = try #require(app.bank.deviceKey(String(connection)))
        let token = try EncryptedAccessToken.encrypt("token-of-\(connection)", for: device)
        return ReturnRedirect.authenticated(accessToken: token, connectionID: nil)
          .url(returnURL: ReturnRedirect.returnURL)
      }
      let configuration = try #require(
        URL(string: "\(SaltEdgeTestApp.address)/api/authenticator/v2/configurations/\(app.remote.id)"))
      let connection = try await phoneApp.authenticator.connect(ConnectLink(configuration: configuration))
      // The bank has not told the service yet.
      let early = try await phoneApp.authenticator.authorizations()
      #expect(early.failures[connection.guid]?.errorClass == .connectionNotFound)
      #expect(try await phoneApp.authenticator.connections().map(\.status) == [.active])
      let device = try #require(app.bank.deviceKey(connection.id))
      _ = try await app.bankCalls(
        .put, "connections/\(connection.id)/success_authentication",
        SaltEdgeBank.Authenticated(
          userID: .init("u-1"), accessToken: "token-of-\(connection.id)", publicKey: device.pem))
      #expect(try await phoneApp.shown().isEmpty)

      for (place, confirms) in [true, false].enumerated() {
        let action = try app.bank.action("a-\(place)", user: "u-1", connections: [connection.id], code: "c-\(place)")
        #expect(try await app.bankCalls(.post, "actions", action).status == 200)
        let shown = try #require(try await phoneApp.shown().first { $0.state == .pending })
        #expect(shown.content.payment.map(\.value) == ["Shop", "12.50 EUR"])
        _ =
          confirms
          ? try await phoneApp.authenticator.confirm(shown, by: phoneApp.proof())
          : try await phoneApp.authenticator.deny(shown)
        var states: [SaltEdgeAuthenticator.AuthorizationState] = []
        for try await authorization in phoneApp.authenticator.updates(of: shown.id) {
          states.append(authorization.state)
          try await app.settle()
        }
        #expect(states == [.processing, confirms ? .confirmed : .denied])
      }
    }
  }

  @Test("instant actions, v1 and v2: a payment is picked up and confirmed, a sign-in is done at once")
  func actions() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      let phoneApp = try await AppOnLoopback(app)
      for version in [1, 2] {
        let connection = try await phoneApp.connect(version: version)
        func link(_ body: String) async throws -> (Opened, ActionLink) {
          let opened: Opened = try await app.api(.post, "authorizations", body).view()
          let text = try #require(version == 1 ? opened.link_v1 : opened.link_v2)
          guard case .action(let link) = phoneApp.authenticator.link(text) else {
            throw SaltEdgeError.malformed(.deepLink)
          }
          return (opened, link)
        }
        let (payment, first) = try await link(
          #"{"reference":"pay-\#(version)","title":"Payment","payment":{"payee":"Shop","amount":"1.00","currency":"EUR"}}"#
        )
        #expect(try await phoneApp.authenticator.connections(for: first).map(\.guid) == [connection.guid])
        guard case .confirm(let id, nil) = try await phoneApp.authenticator.submit(first, on: connection.guid) else {
          Issue.record("v\(version): the payment needs no confirmation")
          return
        }
        let shown = try await phoneApp.authenticator.authorization(id)
        _ = try await phoneApp.authenticator.confirm(shown, by: phoneApp.proof())
        try await app.settle()
        let operation: Operation = try await app.api(.get, "authorizations/\(payment.authorization.id)").view()
        #expect(operation.state == "confirmed" && operation.user_id == "u-1", "v\(version)")
        let (signIn, second) = try await link(
          #"{"reference":"login-\#(version)","title":"Sign in","needs_confirmation":false}"#)
        #expect(try await phoneApp.authenticator.submit(second, on: connection.guid) == .done(returnTo: nil))
        let done: Operation = try await app.api(.get, "authorizations/\(signIn.authorization.id)").view()
        #expect(done.state == "confirmed", "v\(version)")
      }
    }
  }

  @Test("consents are seen on both connections and revoked from one; push tokens reach the service")
  func consents() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      struct Consent: Decodable { let state: String; let devices: Int }
      let phoneApp = try await AppOnLoopback(app)
      let connections = [try await phoneApp.connect(version: 1), try await phoneApp.connect(version: 2)]
      for (place, connection) in connections.enumerated() {
        let body =
          #"{"reference":"c-\#(place)","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","#
          + #""accounts":[{"name":"Checking"}],"expires_at":"2027-01-01T00:00:00Z"}"#
        #expect(try await app.api(.post, "consents", body).view(Consent.self).devices == 2)
        for other in connections {
          let seen = try await phoneApp.authenticator.consents(of: other.guid)
          #expect(seen.count == 1 && seen.first?.thirdParty == "TPP" && seen.first?.accounts.first?.name == "Checking")
        }
        let consent = try #require(try await phoneApp.authenticator.consents(of: connection.guid).first)
        #expect(try await phoneApp.authenticator.revoke(consent))
        #expect(try await app.api(.get, "consents/c-\(place)").view(Consent.self).state == "revoked")
        #expect(try await phoneApp.authenticator.consents(of: connection.guid).isEmpty)
      }
      #expect(try await phoneApp.authenticator.updatePushToken("e886d1a84cfa").isEmpty)
      let key = try #require(try ConnectionKeys(phoneApp.store).privateKey(KeyTag.pair(connections[1].guid)))
      let access = ServiceAccess(
        baseURL: connections[1].connectURL, accessToken: connections[1].accessToken, key: .init(key))
      let kept = try await phoneApp.authenticator.client.send(SaltEdgeV2Calls.connection(connections[1].id, access))
      #expect(kept.pushToken == "e886d1a84cfa" && kept.status == .valid)
    }
  }

  @Test("a connection that the app removes is revoked at the service; one that the bank revokes is lost in the app")
  func revoke() async throws {
    try await SaltEdgeTestApp.run(over: .live) { app in
      struct List: Decodable {
        struct Connection: Decodable { let id, state: String }
        let connections: [Connection]
      }
      let phoneApp = try await AppOnLoopback(app)
      for version in [1, 2] {
        let removed = try await phoneApp.connect(version: version)
        #expect(try await phoneApp.authenticator.remove(removed.guid))
        let kept = try await phoneApp.connect(version: version)
        let list: List = try await app.api(.post, "connections/search", #"{"user_id":"u-1"}"#).view()
        #expect(list.connections.filter { $0.id == removed.id }.allSatisfy { $0.state == "revoked" })
        #expect(list.connections.contains { $0.id == kept.id && $0.state != "revoked" })
        _ = try await app.api(.post, "connections/\(kept.id)/revoke", "{}")
        let snapshot = try await phoneApp.authenticator.authorizations()
        #expect(snapshot.failures[kept.guid]?.endsConnection == true)
        #expect(try await phoneApp.authenticator.connections().first { $0.guid == kept.guid }?.status == .inactive)
      }
      // Erasing everything tells the services too.
      let last = try await phoneApp.connect(user: "u-9", version: 2)
      #expect(try await phoneApp.authenticator.wipe() == 1 && phoneApp.store.contents.isEmpty)
      let list: List = try await app.api(.post, "connections/search", #"{"user_id":"u-9"}"#).view()
      #expect(list.connections.filter { $0.id == last.id }.allSatisfy { $0.state == "revoked" })
    }
  }
}
