// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: malformed requests")
struct HostileRequestTests {
  private static let bodies = [
    "", "{}", "[]", "null", "0", "\"\"", "{", "{\"requestObject\":null}", "{\"requestObject\":[]}",
    "{\"requestObject\":{\"activationId\":1,\"challenge\":2}}",
    "{\"requestObject\":{\"activationId\":\"\",\"challenge\":\"\"}}",
    "{\"requestObject\":{\"jwt\":\"..\"}}", "{\"requestObject\":{\"jwt\":\"eyJhbGciOiJub25lIn0.e30.\"}}",
    "{\"ephemeralPublicKey\":\"AA==\",\"encryptedData\":\"\",\"mac\":\"\"}",
    "{\"ephemeralPublicKey\":\"\",\"encryptedData\":\"\",\"mac\":\"\",\"nonce\":\"\",\"timestamp\":-1}",
    "{\"timestamp\":1e400}", envelope(key: "\\u0000"), envelope(key: "0195a1b2-aaaa-4bbb-8ccc-00000000000\\u0000"),
    "{\"requestObject\":{\"activationId\":\"\\u0000\",\"challenge\":\"\\u0000\"}}",
    "{\"requestObject\":{\"jwt\":\"\\u0000\",\"tokenId\":\"\\u0000\"}}", String(repeating: "[", count: 5000),
    "{\"a\":\"\\ud800\"}", "\u{0}\u{1}",
  ]

  /// All that an envelope needs, of a temporary key of any name.
  private static func envelope(key: String) -> String {
    let point = ECPrivateKey(Randomness(TestWorld().world.random)).publicKey.compressed.base64EncodedString()
    let bytes = Data(count: 32).base64EncodedString()
    let nonce = Data(count: 16).base64EncodedString()
    return "{\"temporaryKeyId\":\"\(key)\",\"ephemeralPublicKey\":\"\(point)\",\"encryptedData\":\"\(bytes)\","
      + "\"mac\":\"\(bytes)\",\"nonce\":\"\(nonce)\",\"timestamp\":\(TestWorld().now.milliseconds)}"
  }

  @Test(
    "no body, however malformed, is answered by anything but a refusal in PowerAuth's form",
    arguments: PowerAuthEndpoint.allCases)
  func bodies(endpoint: PowerAuthEndpoint) async throws {
    try await PowerAuthTestApp.run { app in
      let phone = try await app.activePhone()
      let before = try await app.traces()
      let headers = [try phone.encryptionHeader(ofActivation: endpoint.encryptor?.scope == .activation)]
      for body in Self.bodies {
        let answer = try await phone.send(endpoint, headers: headers, body: Data(body.utf8))
        if endpoint == .serverStatus {
          #expect(answer.status == 200)
        } else {
          let isRefused = (400...401).contains(answer.status) && answer.refusal.contains(" ERR_")
          #expect(isRefused, "\(body): \(answer.refusal)")
        }
      }
      #expect(try await app.traces() == before)
    }
  }

  @Test("a proved body of another call is refused too")
  func proved() async throws {
    try await PowerAuthTestApp.run { app in
      var phone = try await app.activePhone()
      for body in Self.bodies {
        let bytes = Data(body.utf8)
        let header = try phone.signatureHeader("/pa/token/remove", over: bytes)
        let answer = try await phone.send(.removeToken, headers: [header], body: bytes)
        #expect(answer.refusal == "400 INVALID_REQUEST INVALID_REQUEST", "\(body)")
        let (vault, _) = try await phone.own(
          .unlockVault, .vaultUnlock, .possessionKnowledge, bytes, as: UnlockVaultResponse.self)
        // Why the vault is opened may be left out, so that every object will do.
        if body.isEmpty || body == "{}" || body.hasPrefix("{\"") {
          #expect(vault.status == 200, "\(body)")
        } else {
          #expect(vault.refusal == "400 ERR_SECURE_VAULT POWER_AUTH_SECURE_VAULT_INVALID", "\(body)")
        }
      }
    }
  }

  /// What is refused while it is read never reaches the store: fewer show that the engine takes the rest alike.
  private static let rounds = Engine.current == .postgres ? 2000 : 10_000

  @Test("ten thousand headers and bodies of chance, on PostgreSQL two thousand, are refused, and nothing falls over")
  func randomness() async throws {
    try await PowerAuthTestApp.run(policy: .patient) { app in
      var phone = try await app.activePhone()
      let words = try Phone.words("hello")
      let seeds = [
        try phone.signatureHeader("/app/signed", over: words), try phone.encryptionHeader(ofActivation: true),
        try phone.tokenHeader(try await phone.createToken()),
      ]
      // Spent before they are changed: a change that means nothing must not pass either.
      _ = try await phone.validate(.possession)
      _ = try await phone.send("/app/token", headers: [seeds[2]], body: words)
      var generator = SeededGenerator(seed: 42)
      let before = try await app.traces()
      for round in 0..<Self.rounds {
        let seed = seeds[round % seeds.count]
        let value = Self.mutated(Data(seed.1.utf8), &generator)
        let body = Self.mutated(words, &generator)
        let path = ["/app/signed", "/app/activation", "/app/token"][round % 3]
        guard value != Data(seed.1.utf8) else { continue }
        let answer = try await phone.send(
          path, headers: [(seed.0, String(decoding: value, as: UTF8.self))], body: body)
        #expect((400...401).contains(answer.status), "round \(round): \(answer.status)")
      }
      #expect(try await app.traces() == before)
    }
  }

  /// Bytes taken out, put in, doubled or changed, a few at a time.
  private static func mutated(_ bytes: Data, _ generator: inout SeededGenerator) -> Data {
    var bytes = [UInt8](bytes)
    for _ in 0...Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(UInt8.random(in: 0x20...0x7e, using: &generator), at: place)
      case 2: bytes.insert(contentsOf: bytes[place...].prefix(8), at: place)
      default: bytes[place] = UInt8.random(in: 0x20...0x7e, using: &generator)
      }
    }
    return Data(bytes)
  }
}
