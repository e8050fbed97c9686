// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticatorCore
import SaltEdgeCore
import Testing

extension Published {
  @Suite("Published surface: keys and encryption")
  struct CryptoHelperTests {
    private let tag = SETagHelper.create(for: Device.guid)

    @Test("a pair is kept, read in every form, and forgotten as a whole")
    func pair() throws {
      let device = Device()
      let pair: KeyPair = try #require(SECryptoHelper.createKeyPair(with: tag))
      #expect(tag == "com.saltedge.authenticator.\(Device.guid)")
      let pem = try #require(SECryptoHelper.publicKeyToPem(tag: tag))
      #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n") && pem.utf8.count == 451)
      #expect(try SECryptoHelper.publicKeyData(for: tag).dataByPrependingX509Header().string == pem)
      let privatePEM = try #require(SECryptoHelper.privateKeyToPem(tag: tag))
      let privateKey = try RSAPrivateKey(pem: privatePEM)
      #expect(privateKey.publicKey.pem == pem)
      #expect(try RSAPrivateKey(pkcs1: SECryptoHelper.privateKeyData(for: tag)).publicKey.pem == pem)
      guard case .publicKey(let publicHalf) = pair.publicKey, case .privateKey(let privateHalf) = pair.privateKey,
        case .publicKey(let publicAgain) = try SECryptoHelper.publicKey(for: tag),
        case .privateKey(let privateAgain) = try SECryptoHelper.privateKey(for: tag)
      else {
        Issue.record("halves are swapped")
        return
      }
      #expect(publicHalf.pem == pem && publicAgain.pem == pem)
      #expect(privateHalf.pkcs1PEM == privatePEM && privateAgain.pkcs1PEM == privatePEM)
      #expect(!"\(pair) \(pair.privateKey)".contains("MII"), "keys are not printed")

      #expect(SECryptoHelper.deleteKeyPair(with: tag))
      #expect(device.store.contents.isEmpty)
      #expect(SECryptoHelper.publicKeyToPem(tag: tag) == nil && SECryptoHelper.privateKeyToPem(tag: tag) == nil)
      for read in [SECryptoHelper.publicKeyData(for:), SECryptoHelper.privateKeyData(for:)] {
        #expect(throws: SESecKeyHelperError.couldNotObtainKey(for: tag)) { try read(tag) }
      }
    }

    @Test("creating a pair replaces the one that was there")
    func replaced() throws {
      _ = Device()
      SECryptoHelper.createKeyPair(with: tag)
      let first = SECryptoHelper.publicKeyToPem(tag: tag)
      SECryptoHelper.createKeyPair(with: tag)
      #expect(SECryptoHelper.publicKeyToPem(tag: tag) != first)
    }

    @Test("what is no key is not kept, and a public key is no private one")
    func noKeys() throws {
      let device = Device()
      let key = try #require(try Device.keys.get().first)
      #expect(SECryptoHelper.createKey(from: "no key", isPublic: true, tag: "a") == nil)
      #expect(SECryptoHelper.createKey(from: key.publicKey.pem, isPublic: false, tag: "a") == nil)
      #expect(SECryptoHelper.createKey(from: key.pkcs8PEM, isPublic: true, tag: "a") == nil)
      #expect(device.store.contents.isEmpty)
    }

    @Test("a store that refuses gives no pair, and a failed deletion is reported")
    func refused() {
      _ = Device()
      SEAuthenticatorPlatform.current.store = RefusingStore()
      #expect(SECryptoHelper.createKeyPair(with: tag) == nil)
      #expect(!SECryptoHelper.deleteKeyPair(with: tag))
    }

    @Test("encryption bears every random byte, zeros too")
    func zeros() throws {
      let device = try Device.connected()
      SEAuthenticatorPlatform.current.randomness = ClientRandomness(
        unit: { 0 }, uuid: { UUID() }, bytes: { Array(repeating: 0, count: $0) })
      let encrypted = try SECryptoHelper.encrypt("Grüße", tag: tag)
      #expect(try SECryptoHelper.decrypt(encrypted, tag: tag) == "Grüße")
      #expect(try SECryptoHelper.generateRandomBytes(count: 3) == Data(count: 3))
      #expect(throws: SECryptoHelperError.errorGeneratingRandomBytes) {
        try SECryptoHelper.generateRandomBytes(count: -1)
      }
      _ = device
    }

    @Test("what does not decrypt fails alike, whatever is wrong with it, and errors do not print what they are about")
    func undecryptable() throws {
      _ = try Device.connected()
      let good = try SECryptoHelper.encrypt("text", tag: tag)
      let other = try SECryptoHelper.encrypt("text", tag: "\(Device.guid)_provider_public_key")
      for bad in [
        other, SEEncryptedData(data: good.data, key: good.iv, iv: good.key),
        SEEncryptedData(data: "AAAA", key: good.key, iv: good.iv),
        SEEncryptedData(data: "", key: good.key, iv: good.iv),
        SEEncryptedData(data: good.data, key: "!", iv: good.iv),
      ] {
        #expect(throws: SECryptoHelperError.couldNotDecryptChunk(at: 0)) { try SECryptoHelper.decrypt(bad, tag: tag) }
      }
      #expect(throws: SEAesCipherError.noKeyProvided) {
        try SECryptoHelper.decrypt(SEEncryptedData(data: "", key: "", iv: ""), tag: tag)
      }
      #expect(throws: SEAesCipherError.noIvProvided) {
        try SECryptoHelper.decrypt(SEEncryptedData(data: "", key: "a", iv: ""), tag: tag)
      }
      #expect(throws: SECryptoHelperError.errorCreatingData(fromBase64: "secret!")) {
        try SECryptoHelper.decrypt(key: "secret!", tag: tag)
      }
      #expect(!"\(SECryptoHelperError.errorCreatingData(fromBase64: "secret!"))".contains("secret"))
      #expect(throws: SESecKeyHelperError.couldNotObtainKey(for: "none")) {
        try SECryptoHelper.decrypt(good, tag: "none")
      }
      #expect(throws: SESecKeyHelperError.couldNotObtainKey(for: "none")) {
        try SECryptoHelper.encrypt("", tag: "none")
      }
    }

    @Test("the access token of v2 is read, with line ends and in either alphabet")
    func token() throws {
      _ = try Device.connected()
      let key = try #require(try Device.keys.get().first)
      let text = try EncryptedAccessToken.encrypt("token-1", for: key.publicKey)
      let wrapped = stride(from: 0, to: text.count, by: 60).map { text.dropFirst($0).prefix(60) + "\n" }.joined()
      let urlSafe = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      for spelling in [text, wrapped, urlSafe] {
        let json = try SECryptoHelper.decrypt(key: spelling, tag: tag)
        let members = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
        #expect(members == [SENetKeys.accessToken: "token-1"])
      }
    }

    @Test("entities of the public code are read", Samples.test("v1/encrypted_entities_java_peer.json"))
    func entities() throws {
      _ = Device()
      let file = try Samples.object("v1/encrypted_entities_java_peer.json")
      let cases = try #require(file["entities"] as? [[String: Any]])
      for sample in cases {
        let (name, plaintext) = (
          try #require(sample["key"] as? String), (sample["expected"] as? [String: Any])?["plaintext"] as? String
        )
        #expect(SECryptoHelper.createKey(from: try Samples.key(name), isPublic: false, tag: name) != nil)
        let entity = try JSONDecoder().decode(SEEncryptedData.self, from: try sample.bytes("entity"))
        #expect(try SECryptoHelper.decrypt(entity, tag: name) == plaintext)
        #expect(entity.entityId == (sample["entity"] as? [String: Any])?["id"] as? String)
        let again = try SECryptoHelper.encrypt(try #require(plaintext), tag: name)
        #expect(try SECryptoHelper.decrypt(again, tag: name) == plaintext)
      }
    }

    @Test(
      "the public app's own payload is read", Samples.test("repo-fixtures/ios/correct_encrypted_data.expected.json"))
    func fixture() throws {
      _ = Device()
      let folder = "repo-fixtures/ios/"
      let expected = try Samples.object("\(folder)correct_encrypted_data.expected.json")
      let name = try #require(expected["key"] as? String)
      #expect(SECryptoHelper.createKey(from: try Samples.key(name), isPublic: false, tag: name) != nil)
      func data(_ file: String) throws -> SEEncryptedData {
        try JSONDecoder().decode(SEEncryptedData.self, from: try #require(Samples.data(folder + file)))
      }
      #expect(
        try SECryptoHelper.decrypt(data("correct_encrypted_data.json"), tag: name) == expected["plaintext"] as? String)
      #expect(throws: SECryptoHelperError.couldNotDecryptChunk(at: 0)) {
        try SECryptoHelper.decrypt(data("incorrect_encrypted_data.json"), tag: name)
      }
    }

    @Test("public keys of a key chain become PEM", Samples.test("crypto/public_key_pem_vectors.json"))
    func pem() throws {
      let vectors = try #require(try Samples.json("crypto/public_key_pem_vectors.json") as? [[String: Any]])
      for vector in vectors {
        let der = try #require((vector["pkcs1_der_base64"] as? String).flatMap { Data(base64Encoded: $0) })
        #expect(der.dataByPrependingX509Header().string == vector["spki_pem"] as? String)
      }
    }

    @Test("blocks of RSA are read, zeros in them too", Samples.test("crypto/rsa_pkcs1v15_decrypt_vectors.json"))
    func blocks() throws {
      _ = Device()
      let file = try Samples.object("crypto/rsa_pkcs1v15_decrypt_vectors.json")
      let vectors = try #require(file["vectors"] as? [[String: Any]])
      #expect(!vectors.isEmpty)
      for vector in vectors {
        let name = try #require(vector["key"] as? String)
        #expect(SECryptoHelper.createKey(from: try Samples.key(name), isPublic: false, tag: name) != nil)
        let hex = Array(try #require(vector["plaintext_hex"] as? String))
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(hex[$0...$0 + 1]), radix: 16) }
        // The published helper gives text, so only what is text can come out of it.
        guard let text = String(validating: bytes, as: UTF8.self) else { continue }
        let block = try #require(vector["ciphertext_base64"] as? String)
        #expect(try SECryptoHelper.decrypt(key: block, tag: name) == text)
      }
    }
  }
}

/// A store that is not to be opened.
private struct RefusingStore: DirectSecureStore {
  var place: String { "nowhere" }
  func read(_ name: String) throws(SecureStoreError) -> Data? { throw SecureStoreError(.locked) }
  func write(_ secret: Data, as name: String) throws(SecureStoreError) { throw SecureStoreError(.locked) }
  func remove(_ name: String) throws(SecureStoreError) { throw SecureStoreError(.locked) }
}
