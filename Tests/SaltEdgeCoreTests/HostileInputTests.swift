// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@Suite("Salt Edge: hostile input")
struct HostileInputTests {
  private static let samples = [
    "authenticator://saltedge.com/connect?configuration=https%3A%2F%2Fsca.example.com%2Fapi%2Fauthenticator%2Fv2%2F1&connect_query=q",
    "authenticator://saltedge.com/action?action_uuid=1&connect_url=https://bank.example&return_to=http://return.com",
    "authenticator://saltedge.com/action?api_version=2&action_id=1&provider_id=1&return_to=http://return.com",
    "authenticator://oauth/redirect?id=1&access_token=t%2B&error_class=X&error_message=a%20b",
    "-----BEGIN PUBLIC KEY-----\nMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ==\n-----END PUBLIC KEY-----\n",
    "-----BEGIN RSA PRIVATE KEY-----\\nMIIBAA==\\n-----END RSA PRIVATE KEY-----\\n", "eyJhbGciOiJSUzI1NiJ9..AAAA",
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9..AAAA", "1900000300", "AAAAAAAAAAAAAAAAAAAAAA==",
    #"{"data":{},"exp":1900000300}"#,
  ]
  private static let alphabet = Array("AZaz09-_.=\"',:;#%&+/?{}[]\\|@ \t\r\n\u{0}\u{7f}äÄß\u{301}٣😀\u{2028}")

  /// Every reader answers, with a value or with an error of its own kind; what is a value is so again.
  private func readAll(_ text: String) throws {
    let (device, body) = (try TestKeys.device(), Data(text.utf8))
    func read<Value>(_ reading: () throws -> Value) -> Value? {
      do { return try reading() } catch {
        #expect(error is SaltEdgeError, "\(error)")
        return nil
      }
    }
    if let link = read({ try DeepLink(text: text) }) { #expect(try DeepLink(text: link.text) == link) }
    if let redirect = read({ try ReturnRedirect(url: text) }) {
      #expect(try ReturnRedirect(url: redirect.url(returnURL: ReturnRedirect.returnURL)) == redirect)
    }
    if let key = read({ try RSAPublicKey(pem: text) }) { #expect(try RSAPublicKey(pem: key.pem) == key) }
    if let key = read({ try RSAPrivateKey(pem: text) }) {
      #expect(try RSAPrivateKey(pem: key.pkcs8PEM).pkcs1PEM == key.pkcs1PEM)
    }
    if let pem = read({ try PEM(text: text) }) { #expect(try PEM(text: pem.text) == pem) }
    _ = read { try AuthorizationCode(text: text) }
    let request = SignedRequest(method: "GET", url: "https://bank.example/", expiresAt: text, body: body)
    let refusals: [() throws -> Void] = [
      { try request.verify(text, with: device.publicKey, nowSeconds: 1_900_000_000) },
      { try DetachedJWS.verify(text, body: body, with: device.publicKey, nowSeconds: 1_900_000_000) },
      { _ = try EncryptedAccessToken.decrypt(text, with: device) },
      { _ = try EncryptedPayload(key: text, iv: text, data: text).decrypted(with: device) },
    ]
    for refusal in refusals { #expect(throws: SaltEdgeError.self) { try refusal() } }
  }

  @Test("random text: every reader answers", arguments: 0..<8)
  func randomText(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let count = Int.random(in: 0...80, using: &generator)
      try readAll(String((0..<count).compactMap { _ in Self.alphabet.randomElement(using: &generator) }))
      try readAll(String(decoding: Data(generator.bytes(count)), as: UTF8.self))
      try readAll(Data(generator.bytes(count)).base64EncodedString())
    }
  }

  @Test("text of nearly right shape: every reader answers", arguments: samples)
  func nearText(sample: String) throws {
    var generator = SeededGenerator(seed: UInt64(sample.count))
    for _ in 0..<150 { try readAll(generator.changed(sample, alphabet: Self.alphabet)) }
  }

  @Test("huge text is answered", arguments: ["A", "=", "-", ".", "%", "a=1&", "\\n", "\n", "😀", "{\"exp\":", "["])
  func hugeText(unit: String) throws {
    let text = String(repeating: unit, count: 100_000)
    try readAll(text)
    try readAll("authenticator://saltedge.com/connect?" + text)
    try readAll("-----BEGIN PUBLIC KEY-----\n" + text)
  }

  @Test("keys with changed or missing bytes are refused or are other keys")
  func changedKeys() throws {
    let key = try TestKeys.device().publicKey
    var generator = SeededGenerator(seed: 3)
    for place in key.spkiDER.indices {
      var changed = key.spkiDER
      changed[place] ^= UInt8.random(in: 1...255, using: &generator)
      if let other = try? RSAPublicKey(spki: changed) { #expect(other != key) }
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(spki: key.spkiDER.prefix(place)) }
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(pkcs1: key.pkcs1DER.prefix(max(0, place - 24))) }
    }
    for seed in 0..<200 as Range<UInt64> {
      var generator = SeededGenerator(seed: seed)
      let bytes = Data([0x30]) + Data(generator.bytes(Int.random(in: 0...80, using: &generator)))
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(spki: bytes) }
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPublicKey(pkcs1: bytes) }
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey(pkcs1: bytes) }
      #expect(throws: SaltEdgeError.invalidKey) { try RSAPrivateKey(pkcs8: bytes) }
    }
  }

  @Test("payloads of random bytes are refused, all alike", arguments: 0..<4)
  func randomPayloads(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let device = try TestKeys.device()
    for _ in 0..<10 {
      let payload = EncryptedPayload(
        key: Data(generator.bytes(256)).base64EncodedString(), iv: Data(generator.bytes(256)).base64EncodedString(),
        data: Data(generator.bytes(16 * Int.random(in: 4...20, using: &generator))).base64EncodedString())
      #expect(throws: SaltEdgeError.undecryptable) { try payload.decrypted(with: device) }
    }
  }

  @Test("bytes that are part of others are read as if they were alone")
  func slices() throws {
    let device = try TestKeys.device()
    func slice(_ bytes: Data) -> Data { (Data(count: 7) + bytes + Data(count: 3)).dropFirst(7).dropLast(3) }
    let key = device.publicKey
    #expect(try RSAPublicKey(spki: slice(key.spkiDER)) == key && RSAPublicKey(pkcs1: slice(key.pkcs1DER)) == key)
    #expect(try RSAPrivateKey(pkcs8: slice(device.pkcs8DER)).publicKey == key)
    let body = Data(#"{"exp":1900000300}"#.utf8)
    let signature = try device.signature(for: slice(body))
    #expect(try signature == device.signature(for: body) && key.isValidSignature(slice(signature), for: slice(body)))
    try DetachedJWS.verify(
      DetachedJWS.sign(slice(body), with: device), body: slice(body), with: key, nowSeconds: 1_900_000_000)
    let payload = try EncryptedPayload(encrypting: slice(body), for: key, randomness: .seeded(1))
    #expect(try payload.decrypted(with: device) == String(decoding: body, as: UTF8.self))
    let plaintext = Data(repeating: 5, count: 16)
    let ciphertext = AES256CBC.encrypt(slice(plaintext), key: slice(Data(count: 32)), iv: slice(Data(count: 16)))
    #expect(
      try AES256CBC.decrypt(slice(ciphertext), key: slice(Data(count: 32)), iv: slice(Data(count: 16))) == plaintext)
    #expect(PKCS7.unpadded(slice(PKCS7.padded(slice(plaintext)))) == plaintext)
    let block = Data([0, 2]) + Data(repeating: 1, count: 8) + Data([0, 5])
    #expect(EncryptionPadding.message(in: slice(block)) == Data([5]))
    #expect(EncryptionPadding.message(in: slice(block), count: 1, otherwise: slice(Data([9]))) == Data([5]))
  }
}
