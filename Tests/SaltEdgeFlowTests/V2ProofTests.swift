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

@Suite("Salt Edge v2: who is calling")
struct V2ProofTests {
  @Test("a signed request that was changed, is late, or is another device's changes nothing")
  func tampering() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await app.bankCalls(
        .post, "actions", app.bank.action("a-1", user: "u-1", connections: [device.connection]))
      let id = try #require(try await device.authorizations().first).id
      func refusal(
        exp: Int64 = 300, _ change: (inout [String: String], inout Data) -> Void
      ) async throws -> String {
        app.clock.advance(by: .minutes(1))
        return try await device.decide(id, code: "code-1", exp: exp, change: change).refusal
      }
      let header = DetachedJWS.header
      #expect(try await refusal { headers, _ in headers["Access-Token"] = nil } == "400 AccessTokenMissing")
      #expect(try await refusal { headers, _ in headers["Access-Token"] = "nobody" } == "401 ConnectionNotFound")
      #expect(try await refusal { headers, _ in headers[header] = nil } == "400 SignatureMissing")
      #expect(try await refusal { _, body in body.append(0x20) } == "400 InvalidSignature")
      #expect(try await refusal { _, body in body = Data("{}".utf8) } == "400 InvalidSignature")
      #expect(try await refusal { _, body in body = Data() } == "400 InvalidSignature")
      #expect(
        try await refusal { headers, body in
          headers[header] = (try? DetachedJWS.sign(body, with: TestKeys.named("thief"))) ?? ""
        } == "400 InvalidSignature")
      #expect(try await refusal(exp: 0) { _, _ in } == "400 SignatureExpired")
      #expect(try await refusal(exp: 3601) { _, _ in } == "400 SignatureExpired")
      // Properly signed, and still no request.
      #expect(
        try await refusal { headers, body in
          body = Data("{}".utf8)
          headers[header] = try? DetachedJWS.sign(body, with: device.key)
        } == "400 SignatureExpired")
      #expect(
        try await refusal { headers, body in
          body = Data(#"{"data":{},"exp":\#(app.clock.now.seconds + 60)}"#.utf8)
          headers[header] = try? DetachedJWS.sign(body, with: device.key)
        } == "400 WrongRequestFormat")
      #expect(try await app.owedOfDecisions().isEmpty)
    }
  }

  @Test("failed checks of one address are counted, and beyond ten a minute the answer is a rate limit")
  func refusals() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      for _ in 0..<10 {
        let answer = try await app.call(
          .get, "/api/authenticator/v2/authorizations",
          headers: ["Access-Token": "guess", "X-Forwarded-For": "10.0.0.9"])
        #expect(answer.refusal == "401 ConnectionNotFound")
      }
      let path = "/api/authenticator/v2/authorizations"
      let eleventh = try await app.call(
        .get, path, headers: ["Access-Token": "guess", "X-Forwarded-For": "10.0.0.9"])
      #expect(eleventh.refusal == "429 TooManyRequests" && eleventh.headers[.retryAfter] == "60")
      #expect(eleventh.headers[.init("RateLimit")!] == "\"saltedge-refusals\";r=0;t=60")
      #expect(eleventh.headers[.init("RateLimit-Policy")!] == "\"saltedge-refusals\";q=10;w=60")
      let elsewhere = try await app.call(
        .get, path, headers: ["Access-Token": "guess", "X-Forwarded-For": "10.0.0.8"])
      #expect(elsewhere.refusal == "401 ConnectionNotFound")
      // A good token is not a guess.
      let good = try await app.call(
        .get, path, headers: ["Access-Token": device.token, "X-Forwarded-For": "10.0.0.9"])
      #expect(good.status == 200)
    }
  }

  @Test("a caller who has a token and signs wrongly is stopped before anything is checked, and others are not")
  func wrongSignatures() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      let tablet = try await DeviceV2.connected(app, key: "tablet")
      let path = "connections/\(device.connection)/update"
      func send(_ key: String) async throws -> SaltEdgeTestApp.Answer {
        try await device.send(.patch, path, SaltEdgeV2.PushTokenUpdate(pushToken: "new")) { headers, body in
          headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: TestKeys.named(key))
        }
      }
      for _ in 0..<10 { #expect(try await send("thief").refusal == "400 InvalidSignature") }
      let stopped = try await send("device")
      #expect(stopped.refusal == "429 TooManyRequests" && stopped.headers[.retryAfter] == "60")
      #expect(stopped.headers[.init("RateLimit")!] == "\"saltedge-refusals\";r=0;t=60")
      // From the same address.
      let other = try await tablet.send(
        .patch, "connections/\(tablet.connection)/update", SaltEdgeV2.PushTokenUpdate(pushToken: "new"))
      #expect(other.status == 200)
      app.clock.advance(by: .minutes(1))
      #expect(try await send("device").status == 200)
    }
  }

  @Test("ten invalid calls a minute in a bank's name, and the address is not listened to", arguments: [0, 1, 2])
  func wrongBanks(kind: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      func call(_ spoil: Bool) async throws -> String {
        let answer = try await app.bankCalls(.put, "connections/7/revoke", EmptyBody()) { headers, body in
          guard spoil else { return }
          switch kind {
          case 0: headers[DetachedJWS.header] = nil
          case 1: headers["Provider-Id"] = "7"
          default: body.append(0x20)
          }
        }
        return answer.refusal
      }
      let first = kind == 0 ? "400 SignatureMissing" : "400 InvalidSignature"
      for _ in 0..<10 {
        let refusal = try await call(true)
        #expect(refusal == first)
      }
      #expect(try await call(false) == "429 TooManyRequests")
      app.clock.advance(by: .minutes(1))
      #expect(try await call(false) == "404 ConnectionNotFound")
    }
  }

  @Test("malformed requests to connect are counted, and then not read", arguments: [1, 2])
  func malformed(version: Int) async throws {
    try await SaltEdgeTestApp.run { app in
      let path =
        version == 1 ? "\(DeviceV1.base)/api/authenticator/v1/connections" : "/api/authenticator/v2/connections"
      for _ in 0..<10 {
        let answer = try await app.call(.post, path, body: Data("{}".utf8))
        #expect(answer.refusal == "400 WrongRequestFormat")
      }
      #expect(try await app.call(.post, path, body: Data("{}".utf8)).refusal == "429 TooManyRequests")
    }
  }

  @Test("a device that revokes its connection is out at once, and its bank hears of it")
  func revokedByDevice() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      _ = try await app.bankCalls(
        .post, "actions", app.bank.action("a-1", user: "u-1", connections: [device.connection]))
      app.bank.forget()
      #expect(try await device.send(.put, "connections/1/revoke", EmptyBody()).refusal == "401 ConnectionNotFound")
      let answer = try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody())
      #expect(answer.json == #"{"data":{"connection_id":\#(device.connection)}}"#)
      #expect(try await device.get("authorizations").refusal == "401 ConnectionRevoked")
      let again = try await device.send(.put, "connections/\(device.connection)/revoke", EmptyBody())
      #expect(again.refusal == "401 ConnectionRevoked")
      // One of the public banks fails when it is told twice.
      app.bank.answer(503)
      app.bank.answer(404)
      try await app.settle()
      app.clock.advance(by: .seconds(2))
      try await app.settle()
      #expect(app.bank.paths == Array(repeating: "PUT connections/\(device.connection)/revoke", count: 2))
      #expect(try await app.owedOfDecisions().isEmpty)
      let states = try await app.database.read {
        try $0.query("SELECT state FROM saltedge_authorization").map { try $0.get("state", as: String.self) }
      }
      #expect(states == ["closed"])
    }
  }

  @Test("a bank that revokes a connection ends it at once, and is not told what it knows")
  func revokedByBank() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      for _ in 0..<2 {
        app.clock.advance(by: .seconds(1))
        #expect(try await app.bankCalls(.put, "connections/\(device.connection)/revoke", EmptyBody()).status == 200)
      }
      #expect(try await device.get("authorizations").refusal == "401 ConnectionRevoked")
      #expect(try await app.owedOfDecisions().isEmpty)
    }
  }

  @Test("a token ends with its lifetime")
  func tokenLifetime() async throws {
    try await SaltEdgeTestApp.run(policy: { $0.accessTokenLifetime = .days(30) }) { app in
      let device = try await DeviceV2.connected(app)
      app.clock.advance(by: .days(30) - .seconds(1))
      #expect(try await device.get("authorizations").status == 200)
      app.clock.advance(by: .seconds(1))
      #expect(try await device.get("authorizations").refusal == "401 ConnectionNotFound")
    }
  }

  @Test("a replayed old update of the push token does not bring the old token back")
  func pushToken() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      var (headers, body) = ([String: String](), Data())
      let path = "connections/\(device.connection)/update"
      let first = try await device.send(.patch, path, SaltEdgeV2.PushTokenUpdate(pushToken: "second")) {
        (headers, body) = ($0, $1)
      }
      #expect(first.json == #"{"data":{"connection_id":\#(device.connection)}}"#)
      _ = try await device.send(.patch, path, SaltEdgeV2.PushTokenUpdate(pushToken: "third"))
      let replay = try await app.call(.patch, "/api/authenticator/v2/\(path)", headers: headers, body: body)
      #expect(replay.json == first.json)
      let shown: SaltEdgeV2.Connection = try await device.get("connections/\(device.connection)").data()
      #expect(shown.pushToken == "third")
      _ = try await device.send(.patch, path, SaltEdgeV2.PushTokenUpdate(pushToken: ""))
      let without: SaltEdgeV2.Connection = try await device.get("connections/\(device.connection)").data()
      #expect(without.pushToken == nil)
      #expect(try await device.get("connections/1").refusal == "401 ConnectionNotFound")
    }
  }

  @Test("a token of one version is refused in the other")
  func versions() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      let answer = try await app.call(
        .get, "/saltedge/hosted/api/authenticator/v1/authorizations", headers: ["Access-Token": device.token])
      #expect(answer.refusal == "401 ConnectionNotFound")
    }
  }

  @Test("tokens, keys, push tokens, customers and what they are shown are not on disk in clear, nor in the log")
  func sealed() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app, user: "customer-4711")
      let body =
        #"{"reference":"r-1","user_id":"customer-4711","title":"Very private title","payment":"#
        + #"{"payee":"Secret Payee Ltd","amount":"12.50","currency":"EUR"}}"#
      _ = try await app.api(.post, "authorizations", body)
      let waiting = try #require(try await device.authorizations().first)
      let code = try #require(try device.content(waiting).code)
      _ = try await device.decide(waiting.id, code: code)
      try await app.settle()
      let bytes = try await app.made.bytesOnDisk()
      let secrets = [
        device.token, "push-token-1", "customer-4711", "Very private title", "Secret Payee", code, "PRIVATE KEY",
        app.webhookSecret, app.credentials.secret,
      ]
      for secret in secrets {
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) is on disk")
      }
      #expect(app.log.leaks(of: secrets) == [])
    }
  }
}
