// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

private let pemFile = "crypto/public_key_pem_vectors.json"

@Suite("Salt Edge vectors: public keys", SampleFolder.suite(pemFile))
struct PublicKeyVectorTests {
  struct Vector: Decodable, Sendable {
    let key: String
    let pkcs1_der_base64: Data
    let spki_pem: String
  }

  @Test(
    "PKCS #1 becomes the PEM of the wire and comes back", arguments: SampleFolder.cases(pemFile, [Vector].self) { $0 })
  func bothWays(_ sample: Sample<Vector>) throws {
    let vector = try sample.read()
    let key = try RSAPublicKey(pkcs1: vector.pkcs1_der_base64)
    #expect(key.pem == vector.spki_pem)
    #expect(try RSAPublicKey(pem: vector.spki_pem) == key)
    #expect(key.pkcs1DER == vector.pkcs1_der_base64)
    #expect(try RSAPublicKey(pem: key.pkcs1PEM) == key && RSAPublicKey(spki: key.spkiDER) == key)
    #expect(try SampleFolder.publicKey(vector.key) == key)
  }
}

@Suite("Salt Edge vectors: key files", SampleFolder.suite("keys/"))
struct KeyFileVectorTests {
  @Test(
    "a private key in either form is the same key",
    arguments: SampleFolder.files("keys/").filter { $0.hasSuffix("_private.pem") })
  func privateKeys(path: String) throws {
    let text = try SampleFolder.text(path)
    let key = try RSAPrivateKey(pem: text)
    let signature = try key.signature(for: Data("bytes".utf8))
    for form in [key.pkcs1PEM, key.pkcs8PEM] {
      let again = try RSAPrivateKey(pem: form)
      #expect(again.publicKey == key.publicKey)
      #expect(try again.signature(for: Data("bytes".utf8)) == signature)
    }
    let ours = text.contains("BEGIN RSA PRIVATE KEY") ? key.pkcs1PEM : key.pkcs8PEM
    #expect(ours.filter { !$0.isNewline } == text.filter { !$0.isNewline })
    let publicPath = path.replacing("_private.pem", with: "_public.pem")
    if SampleFolder.data(publicPath) != nil {
      #expect(try RSAPublicKey(pem: SampleFolder.text(publicPath)) == key.publicKey)
      #expect(key.publicKey.isValidSignature(signature, for: Data("bytes".utf8)))
    }
  }

  @Test(
    "a public key is written as it is read",
    arguments: SampleFolder.files("keys/").filter { $0.hasSuffix("_public.pem") })
  func publicKeys(path: String) throws {
    let text = try SampleFolder.text(path)
    let key = try RSAPublicKey(pem: text)
    let ours = text.contains("BEGIN RSA PUBLIC KEY") ? key.pkcs1PEM : key.pem
    #expect(ours.filter { !$0.isNewline } == text.filter { !$0.isNewline })
  }
}
