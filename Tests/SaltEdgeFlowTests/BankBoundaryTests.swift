// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge: what one bank has is nothing of another's")
struct BankBoundaryTests {
  private static let consent =
    #"{"reference":"c-1","user_id":"u-1","consent_type":"aisp","tpp_name":"TPP","accounts":[{"name":"Checking"}],"#
    + #""expires_at":"2027-01-01T00:00:00Z"}"#

  @Test("another bank's credentials find neither authorizations, evidence, consents, devices nor sessions")
  func foreign() async throws {
    try await SaltEdgeTestApp.run { app in
      let (other, credentials) = try await app.anotherBank("other")
      let device = try await DeviceV2.hosted(app)
      let opened: ProviderAPITests.Opened = try await app.api(.post, "authorizations", ProviderAPITests.payment)
        .view()
      _ = try await app.api(.post, "consents", Self.consent)
      let waiting = try #require(try await device.authorizations().first)
      let asked = try await DeviceV1.ask(app, key: TestKeys.named("tablet")).data(SaltEdgeV1.Connected.self)
      let session = try #require(asked.connectURL).dropFirst("\(SaltEdgeTestApp.loginURL)?session=".count)
      let id = opened.authorization.id
      let calls: [(HTTPRequest.Method, String, String)] = [
        (.get, "authorizations/\(id)", ""), (.get, "authorizations/\(id)/evidence", ""),
        (.post, "authorizations/\(id)/cancel", "{}"), (.get, "consents/c-1", ""),
        (.post, "consents/c-1/revoke", "{}"), (.post, "connections/\(device.connection)/revoke", "{}"),
        (.post, "sessions/authenticate", #"{"session":"\#(session)","user_id":"thief"}"#),
        (.post, "sessions/refuse", #"{"session":"\#(session)"}"#),
      ]
      // In its own name it has none of these, and in the other's name it may not speak.
      for provider in [other.id, app.hosted.id] {
        for (method, path, body) in calls {
          let answer = try await app.api(method, path, body, provider: provider, as: credentials)
          #expect(answer.refusal == "404 not-found", "\(path)")
        }
      }
      let found = try await app.api(
        .post, "connections/search", #"{"user_id":"u-1"}"#, provider: other.id, as: credentials)
      #expect(found.json == #"{"connections":[]}"#)
      // Nothing happened, and what belongs to it works.
      #expect(try await device.get("consents").data([SaltEdgeV2.ConsentEntity].self).count == 1)
      _ = try await device.decide(waiting.id, code: device.content(waiting).code)
      try await app.settle()
      #expect(try await app.api(.get, "authorizations/\(id)/evidence").status == 200)
    }
  }

  @Test("a customer of that name at another bank sees and picks up nothing")
  func customers() async throws {
    try await SaltEdgeTestApp.run { app in
      let (other, credentials) = try await app.anotherBank("other")
      let link = try await app.api(
        .post, "connect-links", #"{"user_id":"u-1"}"#, provider: other.id, as: credentials
      ).view(DeviceV2.LinkView.self)
      let key = try TestKeys.named("thief")
      // A link counts at the bank that made it.
      let astray = try await DeviceV2.ask(app, to: app.hosted, key: key, query: link.connect_query)
        .data(SaltEdgeV2.Connected.self)
      #expect(
        try ReturnRedirect(url: astray.authenticationURL)
          == .failed(errorClass: "AUTHENTICATION_FAILED", message: "Unauthorized request"))
      let asked = try await DeviceV2.ask(app, to: other, key: key, query: link.connect_query)
        .data(SaltEdgeV2.Connected.self)
      guard case .authenticated(let sealed, nil) = try ReturnRedirect(url: asked.authenticationURL) else {
        throw SaltEdgeError.malformed(.redirect)
      }
      let stranger = DeviceV2(
        app: app, key: key, providerKey: try RSAPublicKey(pem: other.publicKey), provider: other.id.rawValue,
        connection: asked.connectionID.text, token: try EncryptedAccessToken.decrypt(sealed, with: key))
      let offered: ProviderAPITests.Opened = try await app.api(
        .post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#
      ).view()
      let submission = SaltEdgeV2.ActionSubmission(
        providerID: .init(stranger.provider), actionID: .init(offered.authorization.id),
        connectionID: .init(stranger.connection))
      #expect(try await stranger.send(.post, "authorizations", submission).refusal == "404 ActionNotFound")
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      #expect(try await stranger.authorizations().isEmpty)
    }
  }

  @Test("credentials without the scope, or of another tenant, speak for no bank")
  func scopes() async throws {
    try await SaltEdgeTestApp.run { app in
      let (plain, manager) = try await app.anotherBank("plain", scopes: [.manage, .verify])
      for (method, path, body) in [
        (HTTPRequest.Method.get, "", ""), (.post, "authorizations", ProviderAPITests.payment),
        (.post, "connections/search", #"{"user_id":"u-1"}"#),
      ] {
        let answer = try await app.api(method, path, body, provider: plain.id, as: manager)
        #expect(answer.refusal == "403 forbidden", "\(path)")
      }
      let (far, stranger) = try await app.anotherBank("far", tenant: "elsewhere")
      #expect(try await app.api(.get, "", provider: far.id, as: stranger).status == 200)
      #expect(try await app.api(.get, "", provider: far.id).refusal == "404 not-found")
      #expect(try await app.api(.get, "", provider: app.hosted.id, as: stranger).refusal == "404 not-found")
    }
  }
}
