// SPDX-License-Identifier: Apache-2.0

import Crypto
import Delivery
import Foundation
import Kit
import Testing
import TestSupport

@Suite("Push: Apple's devices", .storeless, .enabled(if: TestAuthority.isAvailable))
struct APNsTests {
  private let clock = TestWorld()
  private let key = P256.Signing.PrivateKey()

  private func gateway(_ peer: PushPeer) throws -> PushGateway {
    .apns(try PushSamples.apns(key, peer.base), http: peer.http, world: clock.world)
  }

  @Test("a notification goes over HTTP/2 as Apple asks for it, and the app finds its ids in it")
  func sent() async throws {
    try await PushPeer.run { [clock, key] peer in
      #expect(try await gateway(peer).send(PushSamples.message(.apple, at: clock.now)) == .accepted)
      let heard = try #require(peer.heard.first)
      #expect(heard.isHTTP2 && heard.method == "POST")
      #expect(heard.path == "/3/device/\(PushSamples.device.lowercased())")
      #expect(heard.headers["apns-topic"] == "com.example.bank" && heard.headers["apns-push-type"] == "alert")
      #expect(heard.headers["apns-priority"] == "10" && heard.headers["apns-collapse-id"] == "12")
      #expect(heard.headers["apns-expiration"] == "\(clock.now.seconds + 300)")
      let aps = try #require(try heard.json()["aps"] as? [String: Any])
      let alert = try #require(aps["alert"] as? [String: String])
      #expect(alert == ["title": "Confirmation requested", "body": #"Bank "A" asks."#])
      #expect(String(decoding: heard.body, as: UTF8.self).contains(#""authorization_id":9007199254740991"#))
      #expect((aps["data"] as? [String: Int])?["connection_id"] == 11)

      let bearer = try #require(heard.headers["authorization"])
      try #require(bearer.hasPrefix("bearer "))
      let jwt = try PushSamples.opened(String(bearer.dropFirst(7)))
      #expect(jwt.header["alg"] as? String == "ES256" && jwt.header["kid"] as? String == "KEY1234567")
      #expect(jwt.claims["iss"] as? String == "TEAM123456" && jwt.claims["iat"] as? Int64 == clock.now.seconds)
      #expect(
        key.publicKey.isValidSignature(
          try P256.Signing.ECDSASignature(rawRepresentation: jwt.signature), for: jwt.signed))
    }
  }

  @Test("ids of version 1 stay texts")
  func texts() async throws {
    try await PushPeer.run { [clock] peer in
      _ = try await gateway(peer).send(PushSamples.message(.apple, at: clock.now, numbers: false))
      let aps = try #require(try peer.heard[0].json()["aps"] as? [String: Any])
      #expect(aps["data"] as? [String: String] == ["connection_id": "11", "authorization_id": "12"])
    }
  }

  @Test("data of the top stand beside aps, each a member, and none takes its place")
  func top() async throws {
    try await PushPeer.run { [clock] peer in
      var message = PushMessage(
        .apple, to: PushSamples.device, title: "Bank", body: "Something happened.",
        data: ["eventType": .text("TransactionCreatedEvent"), "amount": .text("12.30"), "aps": .text("x")], name: "12",
        expiresAt: clock.now + .minutes(5), locale: "en")
      message.place = .top
      #expect(try await gateway(peer).send(message) == .accepted)
      let payload = try #require(peer.heard.first).json()
      #expect(payload["eventType"] as? String == "TransactionCreatedEvent" && payload["amount"] as? String == "12.30")
      let aps = try #require(payload["aps"] as? [String: Any])
      #expect(aps["alert"] != nil && aps["data"] == nil && payload.count == 3)
    }
  }

  @Test("one connection and one provider token serve many notifications, and the token is renewed within the hour")
  func reused() async throws {
    try await PushPeer.run { [clock] peer in
      let gateway = try gateway(peer)
      for _ in 0..<3 { _ = try await gateway.send(PushSamples.message(.apple, at: clock.now)) }
      clock.advance(by: .minutes(44))
      _ = try await gateway.send(PushSamples.message(.apple, at: clock.now))
      #expect(Set(peer.heard.map(\.connection)).count == 1)
      #expect(Set(peer.heard.compactMap { $0.headers["authorization"] }).count == 1)
      clock.advance(by: .minutes(2))
      _ = try await gateway.send(PushSamples.message(.apple, at: clock.now))
      #expect(Set(peer.heard.compactMap { $0.headers["authorization"] }).count == 2)
    }
  }

  @Test(
    "every answer of Apple's is taken for what it says",
    arguments: [
      (410, "Unregistered", "tokenGone"), (410, "ExpiredToken", "tokenGone"), (400, "BadDeviceToken", "tokenRefused"),
      (400, "DeviceTokenNotForTopic", "tokenRefused"), (400, "BadTopic", "refused 400"),
      (403, "InvalidProviderToken", "refused 403"), (403, "ExpiredProviderToken", "later login"),
      (404, "BadPath", "refused 404"), (413, "PayloadTooLarge", "refused 413"),
      (429, "TooManyRequests", "later 429"), (500, "InternalServerError", "later 500"),
      (503, "ServiceUnavailable", "later 503"), (410, "", "tokenGone"), (503, "", "later 503"),
    ])
  func answers(status: Int, reason: String, expected: String) async throws {
    try await PushPeer.run { [clock] peer in
      peer.answer(.init(status: status, body: reason.isEmpty ? "<html>" : #"{"reason":"\#(reason)"}"#))
      let ending = try await Self.ending { try await gateway(peer).send(PushSamples.message(.apple, at: clock.now)) }
      #expect(ending == expected)
    }
  }

  @Test("a token that Apple calls expired is made anew, but not more than once in twenty minutes")
  func expired() async throws {
    try await PushPeer.run { [clock] peer in
      let (gateway, refusal) = (
        try gateway(peer), PushPeer.Answer(status: 403, body: #"{"reason":"ExpiredProviderToken"}"#)
      )
      func send() async throws -> String? {
        _ = try? await gateway.send(PushSamples.message(.apple, at: clock.now))
        return peer.heard.last?.headers["authorization"]
      }
      peer.answer(refusal)
      let first = try await send()
      #expect(try await send() == first)
      clock.advance(by: .minutes(20))
      peer.answer(refusal)
      #expect(try await send() == first)
      #expect(try await send() != first)
    }
  }

  @Test("what is no device token is not sent", arguments: ["", "0g", "../../3/x", "ab/cd", "0a1", "0a1b\r\n"])
  func malformed(token: String) async throws {
    let gateway = PushGateway.apns(
      try PushSamples.apns(key, "https://apns.example"),
      http: PeerHTTP { _ in
        Issue.record("sent")
        return .init(status: 200)
      }, world: clock.world)
    #expect(try await gateway.send(PushSamples.message(.apple, to: token, at: clock.now)) == .tokenRefused)
  }

  @Test("a closed port is tried again later, and an untrusted server gets nothing")
  func unreachable() async throws {
    try await PushPeer.run { [clock, key] peer in
      let threads = BlockingThreadPool("push tests", width: 1)
      let closed = PushGateway.apns(
        try PushSamples.apns(key, "https://127.0.0.1:1"), http: .curl(threads: threads), world: clock.world)
      let stranger = PushGateway.apns(
        try PushSamples.apns(key, peer.base), http: .curl(threads: threads), world: clock.world)
      let message = PushSamples.message(.apple, at: clock.now)
      #expect(try await Self.ending { try await closed.send(message) } == "later unreachable")
      #expect(try await Self.ending { try await stranger.send(message) } == "later tls")
      #expect(peer.heard.isEmpty)
    }
  }

  @Test("settings that cannot work are refused when they are read")
  func settings() throws {
    let pem = key.pemRepresentation
    func make(_ key: String, team: String = "T", base: String = "https://a.example") throws {
      _ = try APNsSettings(key: key, keyID: "K", teamID: team, topic: "com.example.bank", base: base)
    }
    try make(pem)
    #expect(throws: PushSettingsError.key) { try make("no key") }
    #expect(throws: PushSettingsError.key) { try make(P384.Signing.PrivateKey().pemRepresentation) }
    #expect(throws: PushSettingsError.value("teamId")) { try make(pem, team: "T\r\nx: y") }
    for base in ["http://a.example", "https://", "https://a.example/", "https://u@a.example", "a.example"] {
      #expect(throws: PushSettingsError.url) { try make(pem, base: base) }
    }
  }

  /// In a word, how sending ended.
  static func ending(_ send: () async throws -> PushGateway.Outcome) async throws -> String {
    do { return "\(try await send())" } catch let refused as MessageRefused {
      guard case .byGateway(let status) = refused.reason else { return "refused" }
      return "refused \(status)"
    } catch let undelivered as MessageUndelivered {
      switch undelivered.reason {
      case .byGateway(let status): return "later \(status)"
      case .loginRefused: return "later login"
      default: return "later \(undelivered.reason)"
      }
    }
  }
}
