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

@Suite("Salt Edge v2: what banks' servers call")
struct BankCallTests {
  @Test("a call that the bank did not sign, or that was changed, does nothing")
  func proofs() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      func refusal(_ change: (inout [String: String], inout Data) -> Void) async throws -> String {
        app.clock.advance(by: .minutes(1))
        return try await app.bankCalls(.post, "actions", action, change: change).refusal
      }
      #expect(try await refusal { headers, _ in headers[DetachedJWS.header] = nil } == "400 SignatureMissing")
      #expect(try await refusal { headers, _ in headers["Provider-Id"] = nil } == "400 InvalidSignature")
      #expect(try await refusal { headers, _ in headers["Provider-Id"] = "7" } == "400 InvalidSignature")
      // A bank without a server cannot be one that calls.
      #expect(
        try await refusal { headers, _ in headers["Provider-Id"] = app.hosted.id.rawValue } == "400 InvalidSignature")
      #expect(try await refusal { _, body in body.append(0x0a) } == "400 InvalidSignature")
      #expect(
        try await refusal { headers, body in
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: TestKeys.named("thief"))
        } == "400 InvalidSignature")
      #expect(
        try await refusal { headers, body in
          body = Data(#"{"data":{},"exp":\#(app.clock.now.seconds)}"#.utf8)
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: app.bank.key)
        } == "400 SignatureExpired")
      #expect(
        try await refusal { headers, body in
          body = Data(#"{"data":{"action_id":5},"exp":\#(app.clock.now.seconds + 60)}"#.utf8)
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: app.bank.key)
        } == "400 WrongRequestFormat")
      #expect(try await device.authorizations().isEmpty)
    }
  }

  @Test("the same call again, byte for byte or signed anew, happens once")
  func repetition() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      var (headers, body) = ([String: String](), Data())
      _ = try await app.bankCalls(.post, "actions", action) { (headers, body) = ($0, $1) }
      #expect(try await app.call(.post, "/api/sca/v1/actions", headers: headers, body: body).status == 200)
      app.clock.advance(by: .seconds(1))
      #expect(try await app.bankCalls(.post, "actions", action).status == 200)
      #expect(try await device.authorizations().count == 1)
      let other = try app.bank.action("a-1", user: "u-1", connections: [device.connection], code: "other")
      #expect(try await app.bankCalls(.post, "actions", other).refusal == "400 WrongRequestFormat")
      // A replayed addition adds nothing.
      let more = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      _ = try await app.bankCalls(.put, "actions/a-1", more) { (headers, body) = ($0, $1) }
      #expect(try await app.call(.put, "/api/sca/v1/actions/a-1", headers: headers, body: body).status == 200)
      #expect(try await device.authorizations().count == 2)
    }
  }

  @Test("an action that mixes customers is refused whole, and so is one that reaches no device")
  func foreign() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let other = try await DeviceV2.connected(app, user: "u-2", key: "tablet")
      let both = try app.bank.action("a-1", user: "u-1", connections: [device.connection, other.connection])
      #expect(try await app.bankCalls(.post, "actions", both).refusal == "400 WrongRequestFormat")
      #expect(try await device.authorizations().isEmpty)
      #expect(try await other.authorizations().isEmpty)
      _ = try await app.bankCalls(.put, "connections/\(other.connection)/revoke", EmptyBody())
      let gone = try app.bank.action("a-2", user: "u-2", connections: [other.connection])
      let answer = try await app.bankCalls(.post, "actions", gone)
      #expect(
        answer.refusal == "404 ConnectionNotFound" && answer.json.contains("\(other.connection) (ConnectionRevoked)"))
      #expect(try await app.bankCalls(.put, "actions/a-2", gone).refusal == "404 ActionNotFound")
    }
  }

  @Test("expiry is read as both public banks write it, and neither the past nor another year is taken")
  func expiries() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let cases = [
        ("2026-11-21 06:10:00 UTC", true), ("2026-11-21T06:10:00Z", true), ("2026-11-21T06:10:00.123456Z", true),
        ("2026-11-21T07:10:00+01:00", true), ("2026-11-21 06:00:00 UTC", false), ("2026-11-21T05:59:59Z", false),
        ("2027-11-21T06:10:00Z", false), ("soon", false), ("", false), ("2026-11-21 06:10:00", false),
      ]
      for (index, (text, isTaken)) in cases.enumerated() {
        var action = try app.bank.action("a-\(index)", user: "u-1", connections: [device.connection])
        action.expiresAt = text
        #expect(try await app.bankCalls(.post, "actions", action).status == (isTaken ? 200 : 400), "\(text)")
      }
      #expect(try await device.authorizations().count == 4)
    }
  }

  @Test("an action that the bank closes is closed on every device, and takes nothing more")
  func close() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let action = try app.bank.action("a-1", user: "u-1", connections: [device.connection], multiple: true)
      _ = try await app.bankCalls(.post, "actions", action)
      #expect(
        try await app.bankCalls(.put, "actions/a-2/close", ["action_id": "a-2"]).refusal == "404 ActionNotFound")
      #expect(try await app.bankCalls(.put, "actions/a-1/close", ["action_id": "a-1"]).status == 200)
      #expect(try await device.authorizations().map(\.status) == [.closed])
      let more = try app.bank.action("a-1", user: "u-1", connections: [device.connection])
      #expect(try await app.bankCalls(.put, "actions/a-1", more).refusal == "400 ActionClosed")
    }
  }

  @Test("a sign-in that failed at the bank connects no customer, and cannot be undone")
  func failedSignIn() async throws {
    try await SaltEdgeTestApp.run { app in
      let key = try TestKeys.device()
      let asked = try await DeviceV2.ask(app, to: app.remote, key: key).data(SaltEdgeV2.Connected.self)
      let failed = SaltEdgeBank.AuthenticationFailed(message: "wrong password")
      let base = "connections/\(asked.connectionID)"
      #expect(try await app.bankCalls(.put, "\(base)/fail_authentication", failed).status == 200)
      let late = SaltEdgeBank.Authenticated(
        userID: .init("u-1"), accessToken: "a-token-of-16-bytes", publicKey: key.publicKey.pem)
      #expect(
        try await app.bankCalls(.put, "\(base)/success_authentication", late).refusal == "404 ConnectionNotFound")
      let unknown = try await app.bankCalls(.put, "connections/5/success_authentication", late)
      #expect(unknown.refusal == "404 ConnectionNotFound")
    }
  }

  @Test("a token that is too short to be one, or is another device's, and an invalid key, are refused")
  func badAuthentication() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let key = try TestKeys.named("tablet")
      let asked = try await DeviceV2.ask(app, to: app.remote, key: key).data(SaltEdgeV2.Connected.self)
      let path = "connections/\(asked.connectionID)/success_authentication"
      for (token, pem) in [
        ("short", key.publicKey.pem), (device.token, key.publicKey.pem), ("a-token-of-16-bytes", "x"),
      ] {
        let answer = try await app.bankCalls(
          .put, path, SaltEdgeBank.Authenticated(userID: .init("u-1"), accessToken: token, publicKey: pem))
        #expect(answer.refusal == "400 WrongRequestFormat")
      }
      #expect(try await device.get("authorizations").status == 200)
    }
  }

  @Test("a consent is listed with texts for ids, taken back from the device, and the bank hears of it once")
  func consents() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let tablet = try await DeviceV2.connected(app, key: "tablet")
      let end = "2027-02-19T06:00:00Z"
      let content = SaltEdge.Consent(
        id: "c-1", userID: "u-1", kind: "aisp", thirdParty: "TPP", accounts: [.init(name: "Checking")], shared: nil,
        createdAt: "2026-11-21T06:00:00Z", expiresAt: end)
      let consent = SaltEdgeBank.Consent(
        consentID: .init("c-1"), userID: .init("u-1"),
        consents: try [device, tablet].map {
          try app.bank.item(WireJSON.encode(content), for: $0.connection, expiresAt: end)
        })
      #expect(try await app.bankCalls(.post, "consents", consent).status == 200)
      let answer = try await device.get("consents")
      #expect(answer.json.contains(#""connection_id":"\#(device.connection)""#))
      let listed = try answer.data([SaltEdgeV2.ConsentEntity].self)
      let entity = try #require(listed.first)
      #expect(try WireJSON.decode(SaltEdge.Consent.self, from: Data(device.read(entity.payload).utf8)) == content)
      let id = try #require(entity.id)
      #expect(try await tablet.send(.put, "consents/\(id)/revoke", EmptyBody()).refusal == "404 ConsentNotFound")
      app.bank.forget()
      #expect(
        try await device.send(.put, "consents/\(id)/revoke", EmptyBody()).json == #"{"data":{"id":\#(id)}}"#)
      app.clock.advance(by: .seconds(1))
      #expect(try await device.send(.put, "consents/\(id)/revoke", EmptyBody()).refusal == "404 ConsentNotFound")
      try await app.settle()
      #expect(app.bank.paths == ["PUT consents/c-1/revoke"])
      #expect(try await tablet.get("consents").json == #"{"data":[]}"#)
      #expect(try await app.bankCalls(.put, "consents/c-9/revoke", EmptyBody()).refusal == "404 ConsentNotFound")
    }
  }
}
