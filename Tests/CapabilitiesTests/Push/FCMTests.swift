// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Delivery
import Foundation
import Kit
import Testing
import TestSupport

@Suite("Push: Google's devices", .storeless, .enabled(if: TestAuthority.isAvailable))
struct FCMTests {
  private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }
  private let clock = TestWorld()

  private func gateway(_ peer: PushPeer) throws -> PushGateway {
    let account = try PushSamples.account(Self.key.get(), peer.base)
    return .fcm(try FCMSettings(account: account, base: peer.base), http: peer.http, world: clock.world)
  }

  private static func grant(_ token: String, seconds: Int = 3600) -> PushPeer.Answer {
    .init(body: #"{"access_token":"\#(token)","expires_in":\#(seconds),"token_type":"Bearer"}"#)
  }

  @Test("an assertion that the account's key signed buys an access token, and the notification carries it")
  func sent() async throws {
    try await PushPeer.run { [clock] peer in
      peer.answer(Self.grant("ya29.a0"))
      #expect(try await gateway(peer).send(PushSamples.message(.google, at: clock.now)) == .accepted)
      #expect(peer.heard.map(\.path) == ["/token", "/v1/projects/bank-project/messages:send"])
      #expect(peer.heard.filter(\.isHTTP2).count == 2)

      let form = String(decoding: peer.heard[0].body, as: UTF8.self)
      let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
      try #require(form.hasPrefix(grant))
      #expect(peer.heard[0].headers["content-type"] == "application/x-www-form-urlencoded")
      let jwt = try PushSamples.opened(String(form.dropFirst(grant.count)))
      #expect(jwt.header["alg"] as? String == "RS256" && jwt.header["kid"] as? String == "k1")
      #expect(jwt.claims["iss"] as? String == "push@bank-project.example")
      #expect(jwt.claims["aud"] as? String == "\(peer.base)/token")
      #expect(jwt.claims["scope"] as? String == "https://www.googleapis.com/auth/firebase.messaging")
      #expect(jwt.claims["iat"] as? Int64 == clock.now.seconds)
      #expect(jwt.claims["exp"] as? Int64 == clock.now.seconds + 3600)
      #expect(
        try Self.key.get().publicKey.isValidSignature(
          .init(rawRepresentation: jwt.signature), for: SHA256.hash(data: jwt.signed), padding: .insecurePKCS1v1_5))

      #expect(peer.heard[1].headers["authorization"] == "Bearer ya29.a0")
      let message = try #require(try peer.heard[1].json()["message"] as? [String: Any])
      #expect(message["token"] as? String == "android-token")
      #expect(
        message["data"] as? [String: String] == ["connection_id": "11", "authorization_id": "9007199254740991"])
      #expect(
        message["notification"] as? [String: String]
          == ["title": "Confirmation requested", "body": #"Bank "A" asks."#])
      let android = try #require(message["android"] as? [String: Any])
      #expect(android["priority"] as? String == "high" && android["ttl"] as? String == "300s")
      #expect((android["notification"] as? [String: String]) == ["tag": "12"])
    }
  }

  @Test("an access token serves until shortly before its end")
  func cached() async throws {
    try await PushPeer.run { [clock] peer in
      let gateway = try gateway(peer)
      peer.answer(Self.grant("one", seconds: 600))
      func send() async throws -> String? {
        _ = try await gateway.send(PushSamples.message(.google, at: clock.now))
        return peer.heard.last?.headers["authorization"]
      }
      #expect(try await send() == "Bearer one")
      clock.advance(by: .seconds(479))
      #expect(try await send() == "Bearer one")
      clock.advance(by: .seconds(1))
      peer.answer(Self.grant("two"))
      #expect(try await send() == "Bearer two")
    }
  }

  @Test("an access token that is not taken is not used again")
  func revoked() async throws {
    try await PushPeer.run { [clock] peer in
      let (gateway, message) = (try gateway(peer), PushSamples.message(.google, at: clock.now))
      peer.answer(Self.grant("one"), .init(status: 401, body: #"{"error":{"status":"UNAUTHENTICATED"}}"#))
      #expect(try await APNsTests.ending { try await gateway.send(message) } == "later login")
      peer.answer(Self.grant("two"))
      #expect(try await gateway.send(message) == .accepted)
      #expect(peer.heard.last?.headers["authorization"] == "Bearer two")
    }
  }

  @Test(
    "every answer of Google's is taken for what it says",
    arguments: [
      (404, #"{"error":{"status":"NOT_FOUND","details":[{"errorCode":"UNREGISTERED"}]}}"#, "tokenGone"),
      (
        403, #"{"error":{"status":"PERMISSION_DENIED","details":[{"errorCode":"SENDER_ID_MISMATCH"}]}}"#, "tokenRefused"
      ),
      (
        400,
        #"{"error":{"status":"INVALID_ARGUMENT","details":[{"fieldViolations":[{"field":"message.token"}]}]}}"#,
        "tokenRefused"
      ),
      (
        400, #"{"error":{"status":"INVALID_ARGUMENT","details":[{"fieldViolations":[{"field":"message.data"}]}]}}"#,
        "refused 400"
      ),
      (404, #"{"error":{"status":"NOT_FOUND"}}"#, "refused 404"), (403, "{}", "refused 403"),
      (429, #"{"error":{"status":"RESOURCE_EXHAUSTED","details":[{"errorCode":"QUOTA_EXCEEDED"}]}}"#, "later 429"),
      (500, "", "later 500"), (503, #"{"error":{"status":"UNAVAILABLE"}}"#, "later 503"),
    ])
  func answers(status: Int, body: String, expected: String) async throws {
    try await PushPeer.run { [clock] peer in
      peer.answer(Self.grant("one"), .init(status: status, body: body))
      let ending = try await APNsTests.ending {
        try await gateway(peer).send(PushSamples.message(.google, at: clock.now))
      }
      #expect(ending == expected)
    }
  }

  @Test(
    "without an access token nothing is sent",
    arguments: [
      (400, #"{"error":"invalid_grant"}"#, "refused 400"), (503, "", "later 503"), (200, "{}", "later login"),
      (200, #"{"access_token":"a\r\nx: y","expires_in":3600}"#, "later login"),
      (200, #"{"access_token":"a","expires_in":0}"#, "later login"),
    ])
  func noAccess(status: Int, body: String, expected: String) async throws {
    try await PushPeer.run { [clock] peer in
      peer.answer(.init(status: status, body: body))
      let ending = try await APNsTests.ending {
        try await gateway(peer).send(PushSamples.message(.google, at: clock.now))
      }
      #expect(ending == expected && peer.heard.count == 1)
    }
  }

  @Test("a file that is no service account is refused when it is read")
  func settings() throws {
    let account = try PushSamples.account(Self.key.get(), "https://oauth.example")
    _ = try FCMSettings(account: account)
    func changed(_ member: String, _ value: String) throws -> Data {
      var file = try #require(try JSONSerialization.jsonObject(with: account) as? [String: String])
      file[member] = value
      return try JSONSerialization.data(withJSONObject: file)
    }
    #expect(throws: PushSettingsError.account) { try FCMSettings(account: Data("{}".utf8)) }
    #expect(throws: PushSettingsError.account) { try FCMSettings(account: changed("type", "authorized_user")) }
    #expect(throws: PushSettingsError.key) { try FCMSettings(account: changed("private_key", "no key")) }
    #expect(throws: PushSettingsError.value("project_id")) {
      try FCMSettings(account: changed("project_id", "../x"))
    }
    #expect(throws: PushSettingsError.url) { try FCMSettings(account: changed("token_uri", "http://oauth.example")) }
    #expect(throws: PushSettingsError.url) { try FCMSettings(account: account, base: "http://fcm.example") }
  }
}
