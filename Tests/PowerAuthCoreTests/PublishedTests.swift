// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import TestSupport
import Testing

@Suite("PowerAuth: the helpers that networking code imports")
struct PublishedTests {
  private let serverKey = ECPrivateKey(.seeded(1))
  private let application: SDKConfiguration

  init() {
    application = SDKConfiguration(
      applicationKey: ApplicationKey(.seeded(2)), applicationSecret: ApplicationSecret(.seeded(3)),
      masterPublicKey: serverKey.publicKey)
  }

  private func parameters(_ version: ProtocolVersion) throws -> ECIESParameters {
    try ECIESParameters(
      version: version, identifier: .genericApplication, applicationKey: application.applicationKey,
      applicationSecret: application.applicationSecret,
      temporaryKeyIdentifier: version.hasTemporaryKey ? "0c0ff1ce-0000-4000-8000-000000000000" : nil)
  }

  @Test("a request and its answer pass as texts, in every version", arguments: ProtocolVersion.allCases)
  func exchange(version: ProtocolVersion) throws {
    let parameters = try parameters(version)
    let (publicKey, header) = (
      serverKey.publicKey, EncryptionHeader(version: version, applicationKey: application.applicationKey)
    )
    let encryptor = PowerAuthCoreEciesEncryptor(header: header, randomness: .seeded(4)) {
      .init(encryptor: ECIESEncryptor(parameters: parameters, serverKey: publicKey), timestamp: 1_800_000_000_000)
    }
    #expect(encryptor.decryptResponse(PowerAuthCoreEciesCryptogram()) == nil)
    let sent = try #require(encryptor.encryptRequest(Data("question".utf8)))
    #expect((sent.timestamp != 0) == version.hasTimestamp && (sent.nonceBase64 != nil) == version.hasRequestNonce)
    #expect(sent.temporaryKeyId == parameters.temporaryKeyIdentifier)

    let request = ECIESRequest(
      temporaryKeyIdentifier: sent.temporaryKeyId, ephemeralPublicKey: try #require(sent.key),
      encryptedData: try #require(sent.body), mac: try #require(sent.mac), nonce: sent.nonce,
      timestamp: version.hasTimestamp ? sent.timestamp : nil)
    let (plaintext, answer) = try ECIESDecryptor(parameters: parameters, privateKey: serverKey).decrypt(request)
    #expect(plaintext == Data("question".utf8))

    let sealed = try answer.encrypt(Data("answer".utf8), timestamp: 1, randomness: .seeded(5))
    let received = PowerAuthCoreEciesCryptogram()
    received.bodyBase64 = sealed.encryptedData.base64EncodedString()
    #expect(encryptor.decryptResponse(received) == nil)
    received.macBase64 = sealed.mac.base64EncodedString()
    received.nonceBase64 = sealed.nonce?.base64EncodedString()
    received.timestamp = sealed.timestamp ?? 0
    #expect(encryptor.decryptResponse(received) == Data("answer".utf8))
    received.macBase64 = Data(count: 32).base64EncodedString()
    #expect(encryptor.decryptResponse(received) == nil)
  }

  @Test("without a key or the time nothing is encrypted")
  func noMoment() {
    let header = EncryptionHeader(version: .v33, applicationKey: application.applicationKey)
    let encryptor = PowerAuthCoreEciesEncryptor(header: header, randomness: .seeded(4)) { nil }
    #expect(encryptor.encryptRequest(Data()) == nil)
    #expect(encryptor.associatedMetaData?.httpHeaderKey == "X-PowerAuth-Encryption")
    #expect(encryptor.associatedMetaData?.httpHeaderValue == header.value)
    #expect(encryptor.associatedMetaData?.applicationKey == application.applicationKey.text)
    #expect(encryptor.associatedMetaData?.activationIdentifier == nil)
  }

  @Test("a text that is no Base64 is nothing", arguments: ["A", "AA", "A===", "=", "AAA%", "\u{e9}"])
  func base64(text: String) {
    let cryptogram = PowerAuthCoreEciesCryptogram()
    for part in [\PowerAuthCoreEciesCryptogram.bodyBase64, \.macBase64, \.keyBase64, \.nonceBase64] {
      cryptogram[keyPath: part] = "AQID"
      #expect(cryptogram[keyPath: part] == "AQID")
      cryptogram[keyPath: part] = text
      #expect(cryptogram[keyPath: part] == nil)
    }
  }

  @Test("a password is compared by its bytes and does not show")
  func password() {
    let password = PowerAuthCorePassword(string: "pa\u{df}word-1")
    #expect(password == PowerAuthCorePassword(data: Data("pa\u{df}word-1".utf8)))
    #expect(password.length() == 10 && password.bytes == Data("pa\u{df}word-1".utf8))
    #expect(!password.isEqual(to: PowerAuthCorePassword(string: "pa\u{df}word-2")))
    #expect(!password.isEqual(to: PowerAuthCorePassword(string: "pa\u{df}word-")))
    #expect(PowerAuthCorePassword(string: "").length() == 0)
    #expect(password.validatePasswordComplexity { $0.count } == 10)
    #expect(!"\(password) \(String(reflecting: password))".contains("word-1"))
    #expect(Mirror(reflecting: password).children.isEmpty)
  }

  @Test("a password is typed and corrected character by character, and one that was made of a text is not")
  func typed() {
    let pin = PowerAuthCoreMutablePassword()
    #expect(pin.length() == 0 && !pin.removeLastCharacter() && !pin.removeCharacter(at: 0))
    // Of one, two, three and four bytes.
    let typed: [Unicode.Scalar] = ["1", "\u{df}", "\u{20ac}", "\u{1f600}"]
    for character in typed { #expect(pin.addCharacter(character.value)) }
    #expect(pin.length() == 4 && pin == PowerAuthCorePassword(string: "1\u{df}\u{20ac}\u{1f600}"))
    #expect(!pin.addCharacter(0xd800) && !pin.addCharacter(0x11_0000) && !pin.insertCharacter(0x32, at: 5))
    #expect(!pin.insertCharacter(0x32, at: -1) && !pin.removeCharacter(at: 4) && !pin.removeCharacter(at: -1))
    #expect(pin.insertCharacter(0x32, at: 1) && pin.insertCharacter(0x33, at: 5))
    #expect(pin.isEqual(to: PowerAuthCorePassword(string: "12\u{df}\u{20ac}\u{1f600}3")))
    #expect(pin.removeCharacter(at: 3) && pin.removeLastCharacter())
    #expect(pin == PowerAuthCorePassword(string: "12\u{df}\u{1f600}") && pin.length() == 4)
    #expect(pin.validateComplexity { $1 } == 8 && pin.validateComplexity { pointer, _ in Int(pointer[1]) } == 0x32)
    #expect(pin.clear() && pin.length() == 0 && pin.validateComplexity { $1 } == 0)
    var added = 0
    while added < 5000, pin.addCharacter(0x31) { added += 1 }
    #expect(added == UnlockKey.passwordBytesMax && !pin.insertCharacter(0x31, at: 0) && pin.length() == added)

    let fixed = PowerAuthCorePassword(string: "1234")
    #expect(!fixed.addCharacter(0x35) && !fixed.removeLastCharacter() && !fixed.clear())
    #expect(!fixed.insertCharacter(0x35, at: 0) && !fixed.removeCharacter(at: 0) && fixed.bytes == Data("1234".utf8))
  }

  @Test("a request and its answer pass as members of JSON, as SDK 1.9 has them", arguments: ProtocolVersion.allCases)
  func payloads(version: ProtocolVersion) throws {
    let parameters = try parameters(version)
    let publicKey = serverKey.publicKey
    let encryptor = PowerAuthCoreEciesEncryptor(
      header: EncryptionHeader(version: version, applicationKey: application.applicationKey), randomness: .seeded(4)
    ) { .init(encryptor: ECIESEncryptor(parameters: parameters, serverKey: publicKey), timestamp: 1_800_000_000_000) }
    let sent = try #require(encryptor.encryptRequest(Data("question".utf8)))
    let json = try JSONSerialization.data(withJSONObject: sent.requestPayload())
    let request = try JSONDecoder().decode(ECIESRequest.self, from: json)
    let (plaintext, answer) = try ECIESDecryptor(parameters: parameters, privateKey: serverKey).decrypt(request)
    #expect(plaintext == Data("question".utf8))

    let sealed = try JSONEncoder().encode(
      try answer.encrypt(Data("answer".utf8), timestamp: 1_800_000_000_001, randomness: .seeded(5)))
    let members = try #require(try JSONSerialization.jsonObject(with: sealed) as? [String: Any])
    let received = try #require(PowerAuthCoreEciesCryptogram(responsePayload: members))
    #expect(encryptor.decryptResponse(received) == Data("answer".utf8))
    for name in ["encryptedData", "mac"] {
      #expect(PowerAuthCoreEciesCryptogram(responsePayload: members.filter { $0.key != name }) == nil)
    }
  }

  @Test("what the vault holds opens with the vault's key, and is short")
  func vaultContent() throws {
    let (key, other) = (SecretKey(.seeded(6)), SecretKey(.seeded(7)))
    let content = Data("recovery".utf8)
    let encrypted = try SecureVault.encrypted(content, vaultKey: key)
    #expect(try SecureVault.decrypted(encrypted, vaultKey: key) == content)
    #expect((try? SecureVault.decrypted(encrypted, vaultKey: other)) != content)
    #expect(throws: PowerAuthError.notAuthentic) { try SecureVault.decrypted(Data([1]), vaultKey: key) }
    let longest = Data(count: SecureVault.contentBytesMax)
    #expect(try SecureVault.decrypted(SecureVault.encrypted(longest, vaultKey: key), vaultKey: key) == longest)
    #expect(throws: PowerAuthError.tooLong(.vault)) { try SecureVault.encrypted(longest + [0], vaultKey: key) }
    #expect(throws: PowerAuthError.tooLong(.vault)) {
      try SecureVault.decrypted(Data(count: SecureVault.contentBytesMax + 32), vaultKey: key)
    }
  }
}
