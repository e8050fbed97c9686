// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: hostile input")
struct HostileInputTests {
  private static let samples = [
    "PowerAuth pa_version=\"3.3\", pa_activation_id=\"40e178b9-902f-47aa-96d3-8369975856d6\", pa_nonce=\"AAAA\"",
    "PowerAuth version=\"3.3\", application_key=\"AAECAwQFBgcICQoLDA0ODw==\"",
    "AAAAA-AAAAA-AAAAA-AAAAA#MEUCIQ==", "R:VVVVV-VVVVV-VVVVV-VTFVA", "0123456789", "a=1&b=%20&c=+&=&&",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhcHBsaWNhdGlvbktleSI6IkEifQ.AAAA",
    "ARDDj6EB6iAUtNmNxKM/BsbaEEs5bP+yVmyjfhQDoox3LDwBAUEEQQ7CWNKA",
    #"{"ephemeralPublicKey":"AAAA","encryptedData":"AAAA","mac":"AAAA","nonce":null,"timestamp":1}"#,
  ]
  private static let alphabet = Array("AZaz09-_.=\"',:;#%&+/{}[]\\ \t\r\n\u{0}\u{7f}äÄß\u{301}٣😀\u{2028}R:")

  /// Every reader answers, with a value or with an error of its own kind; what is a value is so again.
  private func readAll(_ text: String) throws {
    func same<Value: Equatable>(_ value: Value?, _ again: (Value) throws -> Value) throws {
      if let value { #expect(try again(value) == value) }
    }
    func read<Value>(_ body: () throws -> Value) -> Value? {
      do { return try body() } catch {
        #expect(error is PowerAuthError, "\(error)")
        return nil
      }
    }
    try same(read { try ActivationCode(text: text) }) { try ActivationCode(text: $0.text) }
    try same(read { try ScannedCode(text: text) }) { try ScannedCode(text: $0.text) }
    try same(read { try RecoveryCode(text: text) }) { try RecoveryCode(text: $0.scannable) }
    try same(read { try RecoveryPUK(text: text) }) { try RecoveryPUK(text: $0.text) }
    try same(read { try SDKConfiguration(text: text) }) { try SDKConfiguration(text: $0.text) }
    try same(read { try SignatureHeader(value: text) }) { try SignatureHeader(value: $0.value) }
    try same(read { try EncryptionHeader(value: text) }) { try EncryptionHeader(value: $0.value) }
    try same(read { try TokenHeader(value: text) }) { try TokenHeader(value: $0.value) }
    try same(read { try CanonicalQuery.body(of: text) }) {
      try CanonicalQuery.body(of: String(decoding: $0, as: UTF8.self))
    }
    _ = read { try UnverifiedTemporaryKeyRequest(token: text) }
    _ = read { try ECPublicKey(base64: text) }
    _ = read { try ApplicationKey(text: text) }
    _ = read { try ActivationIdentifier(text: text) }
    let request = try? JSONDecoder().decode(ECIESRequest.self, from: Data(text.utf8))
    if let request {
      #expect(try JSONDecoder().decode(ECIESRequest.self, from: JSONEncoder().encode(request)) == request)
    }
  }

  @Test("random text: every reader answers", arguments: 0..<8)
  func randomText(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<150 {
      let count = Int.random(in: 0...120, using: &generator)
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

  @Test(
    "huge text is answered", arguments: ["A", "=", "\"", "#", "-", ".", "%", "a=1&", "PowerAuth ", "a=\"b\",", "😀"])
  func hugeText(unit: String) throws {
    try readAll(String(repeating: unit, count: 200_000))
    try readAll("PowerAuth " + String(repeating: unit, count: 200_000))
  }

  @Test("random bytes: keys, blobs, envelopes and vaults answer", arguments: 0..<8)
  func randomBytes(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let transportKey = TransportKey(SecretKey(.seeded(seed)))
    let privateKey = ECPrivateKey(.seeded(seed))
    let parameters = try ECIESParameters(
      version: .v32, identifier: .genericApplication, applicationKey: ApplicationKey(.seeded(1)),
      applicationSecret: ApplicationSecret(.seeded(2)))
    func refuses(_ body: () throws -> some Any) { #expect(throws: PowerAuthError.self) { _ = try body() } }
    for _ in 0..<100 {
      let bytes = Data(generator.bytes(Int.random(in: 0...100, using: &generator)))
      refuses { try ActivationStatus(blob: bytes) }
      refuses {
        try ActivationStatus(
          decrypting: bytes, transportKey: transportKey, challenge: Data(count: 16), nonce: Data(count: 16))
      }
      if let key = try? ECPublicKey(bytes) { #expect(try ECPublicKey(key.uncompressed) == key) }
      if let key = try? ECPrivateKey(bytes) { #expect(try ECPrivateKey(key.scalar).publicKey == key.publicKey) }
      #expect(!privateKey.publicKey.isValidSignature(bytes, for: bytes))
      _ = try? SecureVault.decrypted(bytes, transportKey: transportKey)
      refuses {
        try ECIESDecryptor(parameters: parameters, privateKey: privateKey).decrypt(
          ECIESRequest(
            ephemeralPublicKey: privateKey.publicKey.compressed, encryptedData: bytes, mac: Data(generator.bytes(32)),
            nonce: Data(generator.bytes(16)), timestamp: generator.next()))
      }
    }
  }

  @Test("bytes that are part of others are read as if they were alone")
  func slices() throws {
    let code = try #require(Data(base64Encoded: "AAECAwQFBgcICQoLDA0ODw=="))
    let padded = Data(count: 7) + code + Data(count: 3)
    let slice = padded.dropFirst(7).prefix(16)
    #expect(try SecretKey(slice) == SecretKey(code))
    #expect(try CounterData(slice).next == CounterData(code).next)
    let transportKey = TransportKey(try SecretKey(code))
    let status = ActivationStatus(
      state: .active, counterByte: 1, failedAttempts: 0, maxFailedAttempts: 5, lookAhead: 20, counterHash: slice)
    let blob = try status.encrypted(
      transportKey: transportKey, challenge: slice, nonce: slice, randomness: .seeded(1))
    let shifted = (Data(count: 5) + blob).dropFirst(5)
    #expect(
      try ActivationStatus(decrypting: shifted, transportKey: transportKey, challenge: code, nonce: code) == status)
    let key = ECPrivateKey(.seeded(1)).publicKey
    #expect(try ECPublicKey((Data(count: 5) + key.compressed).dropFirst(5)) == key)
    #expect(try ECPublicKey((Data(count: 5) + key.uncompressed).dropFirst(5)) == key)
  }
}
