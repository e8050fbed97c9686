// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

private let aesFile = "crypto/aes_256_cbc_vectors.json"
private let rsaFile = "crypto/rsa_pkcs1v15_decrypt_vectors.json"

@Suite("Salt Edge vectors: AES-256-CBC", SampleFolder.suite(aesFile))
struct AESVectorTests {
  struct Vector: Decodable, Sendable {
    let aes_key_hex, aes_iv_hex: SampleHex
    let plaintext: String
    let ciphertext_base64, ciphertext_base64_wrapped64: String?
  }

  @Test("both ways, whatever the line length", arguments: SampleFolder.cases(aesFile, [Vector].self) { $0 })
  func bothWays(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    let text = try #require(vector.ciphertext_base64 ?? vector.ciphertext_base64_wrapped64)
    let ciphertext = try #require(Base64Text.decode(text.utf8, .any))
    let (key, iv) = (vector.aes_key_hex.bytes, vector.aes_iv_hex.bytes)
    #expect(AES256CBC.encrypt(Data(vector.plaintext.utf8), key: key, iv: iv) == ciphertext)
    #expect(try AES256CBC.decrypt(ciphertext, key: key, iv: iv) == Data(vector.plaintext.utf8))
    if vector.ciphertext_base64 != nil { #expect(Base64Text.decode(text.utf8, .standard) == ciphertext) }
  }
}

@Suite("Salt Edge vectors: RSA decryption", SampleFolder.suite(rsaFile))
struct RSADecryptionVectorTests {
  struct File: Decodable {
    let vectors: [Vector]
  }
  struct Vector: Decodable, Sendable {
    let key: String
    let plaintext_hex: SampleHex
    let ciphertext_base64: String
  }

  @Test("zeros, other alphabets and line ends included", arguments: SampleFolder.cases(rsaFile, File.self, \.vectors))
  func decrypt(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    let key = try SampleFolder.privateKey(vector.key)
    let plaintext = vector.plaintext_hex.bytes
    let ciphertext = try #require(Base64Text.decode(vector.ciphertext_base64.utf8, .any))
    #expect(try key.decrypt(ciphertext) == plaintext)
    if (2...32).contains(plaintext.count) {
      #expect(try key.decrypt(ciphertext, count: plaintext.count) == plaintext)
      #expect(try key.decrypt(ciphertext, count: plaintext.count - 1) != plaintext.dropFirst())
    }
    struct Content: Decodable { let access_token: String }
    if let token = try? JSONDecoder().decode(Content.self, from: plaintext).access_token {
      #expect(try EncryptedAccessToken.decrypt(vector.ciphertext_base64, with: key) == token)
    } else {
      #expect(throws: SaltEdgeError.undecryptable) {
        try EncryptedAccessToken.decrypt(vector.ciphertext_base64, with: key)
      }
    }
  }
}
