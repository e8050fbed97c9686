// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

private let file = "v2/jws_vectors.json"

@Suite("Salt Edge vectors: signatures of v2", SampleFolder.suite(file))
struct JWSVectorTests {
  struct File: Decodable {
    let positive: [Positive]
    let negative: [Negative]
    let confirm_plaintext, confirm_bundle_key: String?
  }
  struct Positive: Decodable, Sendable {
    let name, key, body, x_jws_signature: String
    let exp: Int64
  }
  struct Negative: Decodable, Sendable {
    let why, key, body, x_jws_signature: String
  }
  struct Expiry: Decodable {
    let exp: Int64
  }
  struct Bundle: Decodable {
    let data: EncryptedPayload
  }

  @Test("signatures of apps and banks hold", arguments: SampleFolder.cases(file, File.self, \.positive))
  func positive(_ sample: Sample<Positive>) throws {
    let vector = try sample.read()
    let body = Data(vector.body.utf8)
    let (privateKey, publicKey) = (try SampleFolder.privateKey(vector.key), try SampleFolder.publicKey(vector.key))
    try DetachedJWS.verify(vector.x_jws_signature, body: body, with: publicKey, nowSeconds: vector.exp - 300)
    try DetachedJWS.verify(vector.x_jws_signature, body: body, with: publicKey)
    for now in [vector.exp, vector.exp - 3601] {
      #expect(throws: SaltEdgeError.signatureExpired) {
        try DetachedJWS.verify(vector.x_jws_signature, body: body, with: publicKey, nowSeconds: now)
      }
    }
    let ours = try DetachedJWS.sign(body, with: privateKey)
    try DetachedJWS.verify(ours, body: body, with: publicKey, nowSeconds: vector.exp - 300)
    // The signature is deterministic: with the header of the apps it is theirs.
    let isOurHeader = vector.x_jws_signature.prefix { $0 != "." } == ours.prefix { $0 != "." }
    #expect((ours == vector.x_jws_signature) == isOurHeader)
  }

  @Test("what is refused", arguments: SampleFolder.cases(file, File.self, \.negative))
  func negative(_ sample: Sample<Negative>) throws {
    let vector = try sample.read()
    let publicKey = try SampleFolder.publicKey(vector.key)
    let now = try #require(SampleFolder.json(file, File.self).positive.map(\.exp).min()) - 300
    let error = #expect(throws: SaltEdgeError.self, "\(vector.why)") {
      try DetachedJWS.verify(
        vector.x_jws_signature, body: Data(vector.body.utf8), with: publicKey, nowSeconds: now)
    }
    guard !vector.x_jws_signature.isEmpty else {
      #expect(error == .signatureMissing, "\(vector.why)")
      return
    }
    let expiry = try? JSONDecoder().decode(Expiry.self, from: Data(vector.body.utf8)).exp
    // A body that has not expired can only be refused for its signature.
    let reasons: [SaltEdgeError] =
      expiry.map { $0 > now } ?? false ? [.invalidSignature] : [.invalidSignature, .signatureExpired]
    #expect(error.map(reasons.contains) ?? false, "\(vector.why)")
  }

  @Test("decisions are for the bank to read")
  func decisions() throws {
    let content: File = try SampleFolder.json(file)
    guard let plaintext = content.confirm_plaintext, let name = content.confirm_bundle_key else { return }
    let bank = try SampleFolder.privateKey(name)
    let bundles = content.positive.compactMap { try? JSONDecoder().decode(Bundle.self, from: Data($0.body.utf8)) }
    #expect(!bundles.isEmpty)
    for bundle in bundles { #expect(try bundle.data.decrypted(with: bank) == plaintext) }
  }
}
