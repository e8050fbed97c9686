// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

/// What a file says that a payload decrypts to.
struct ExpectedPayload: Decodable, Sendable {
  let aes_key_hex, aes_iv_hex: SampleHex?
  let plaintext: String

  func check(_ payload: EncryptedPayload, with key: RSAPrivateKey) throws {
    #expect(try payload.decrypted(with: key) == plaintext)
    if let aesKey = aes_key_hex?.bytes, let iv = aes_iv_hex?.bytes {
      let encrypted = try #require(Base64Text.decode(payload.data.utf8, .any))
      #expect(AES256CBC.encrypt(Data(plaintext.utf8), key: aesKey, iv: iv) == encrypted)
      #expect(try key.decrypt(#require(Base64Text.decode(payload.key.utf8, .any)), count: 32) == aesKey)
      #expect(try key.decrypt(#require(Base64Text.decode(payload.iv.utf8, .any)), count: 16) == iv)
    }
    let again = try EncryptedPayload(encrypting: Data(plaintext.utf8), for: key.publicKey, randomness: .seeded(1))
    #expect(try again.decrypted(with: key) == plaintext)
  }
}

private let javaFile = "v1/encrypted_entities_java_peer.json"
private let v2File = "v2/authorizations.json"
private let connectionFile = "v2/create_connection.json"

@Suite("Salt Edge vectors: entities of a Java server", SampleFolder.suite(javaFile))
struct JavaEntityVectorTests {
  struct File: Decodable {
    let entities: [Vector]
  }
  struct Vector: Decodable, Sendable {
    let key: String
    let entity: EncryptedPayload
    let expected: ExpectedPayload
  }

  @Test("is read", arguments: SampleFolder.cases(javaFile, File.self, \.entities))
  func entity(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    try vector.expected.check(vector.entity, with: SampleFolder.privateKey(vector.key))
  }
}

@Suite("Salt Edge vectors: authorizations of v2", SampleFolder.suite(v2File))
struct AuthorizationVectorTests {
  struct File: Decodable {
    let items: [Vector]
  }
  struct Vector: Decodable, Sendable {
    let wire: EncryptedPayload
    let key, plaintext: String?
  }

  @Test("is read; final ones have nothing to read", arguments: SampleFolder.cases(v2File, File.self, \.items))
  func authorization(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    guard let name = vector.key, let plaintext = vector.plaintext else {
      #expect(vector.wire.isNone)
      return
    }
    #expect(!vector.wire.isNone)
    #expect(try vector.wire.decrypted(with: SampleFolder.privateKey(name)) == plaintext)
  }
}

@Suite("Salt Edge vectors: connecting in v2", SampleFolder.suite(connectionFile))
struct ConnectionVectorTests {
  struct File: Decodable {
    struct Request: Decodable {
      let data: Content
    }
    struct Content: Decodable {
      let enc_rsa_public_key: EncryptedPayload
    }
    let request: Request
    let decrypts_with, to_public_key_of: String
  }

  @Test("the bank reads the device's key")
  func key() throws {
    let file: File = try SampleFolder.json(connectionFile)
    let bank = try SampleFolder.privateKey(file.decrypts_with)
    let pem = try file.request.data.enc_rsa_public_key.decrypted(with: bank)
    #expect(try RSAPublicKey(pem: pem) == SampleFolder.publicKey(file.to_public_key_of))
  }
}

@Suite(
  "Salt Edge vectors: the iOS repository's payloads", SampleFolder.suite("repo-fixtures/ios/correct_encrypted_data"))
struct RepositoryPayloadVectorTests {
  private static let folder = "repo-fixtures/ios/"

  struct Expected: Decodable {
    let key: String
  }
  struct Wrapped<Content: Decodable>: Decodable {
    let data: Content
  }

  private static func named(_ beginning: String) -> [String] {
    SampleFolder.files(folder + beginning).filter { $0.hasSuffix(".json") && !$0.hasSuffix(".expected.json") }
  }

  @Test("correct ones are read", arguments: named("correct_encrypted_data"))
  func correct(path: String) throws {
    let expected = path.replacing(".json", with: ".expected.json")
    let key: Expected = try SampleFolder.json(expected)
    try SampleFolder.json(expected, ExpectedPayload.self).check(
      SampleFolder.json(path), with: SampleFolder.privateKey(key.key))
  }

  @Test("incorrect ones are refused, all alike", arguments: named("incorrect_encrypted_data"))
  func incorrect(path: String) throws {
    let payload: EncryptedPayload = try SampleFolder.json(path)
    let keys = SampleFolder.files("keys/").filter { $0.hasSuffix("_private.pem") }
    for key in keys {
      let key = try RSAPrivateKey(pem: SampleFolder.text(key))
      #expect(throws: SaltEdgeError.undecryptable) { try payload.decrypted(with: key) }
    }
  }

  @Test("incomplete ones are refused", arguments: named("invalid_encrypted_data"))
  func incomplete(path: String) throws {
    #expect(throws: (any Error).self) { try SampleFolder.json(path, EncryptedPayload.self) }
    #expect(throws: (any Error).self) { try SampleFolder.json(path, Wrapped<EncryptedPayload>.self) }
  }

  @Test("one and lists are parsed", arguments: named("valid_encrypted_"))
  func parsed(path: String) throws {
    let payloads: [EncryptedPayload]
    if let one = try? SampleFolder.json(path, Wrapped<EncryptedPayload>.self) {
      payloads = [one.data]
    } else {
      payloads = try SampleFolder.json(path, Wrapped<[EncryptedPayload]>.self).data
    }
    #expect(!payloads.isEmpty && payloads.allSatisfy { !$0.isNone })
  }
}
