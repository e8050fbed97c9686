// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import Testing

private let file = "v1/signature_vectors.json"

@Suite("Salt Edge vectors: signatures of v1", SampleFolder.suite(file))
struct RequestSignatureVectorTests {
  struct File: Decodable {
    let positive: [Positive]
    let negative: [Negative]
  }
  struct Request: Decodable, Sendable {
    let http_method, url, expires_at, body: String

    var signed: SignedRequest {
      SignedRequest(method: http_method, url: url, expiresAt: expires_at, body: Data(body.utf8))
    }
  }
  struct Positive: Decodable, Sendable {
    let key, method_in_payload, url, body, signed_string, signature: String
    let expires_at: Int64
    let valid_for: Request
  }
  struct Negative: Decodable, Sendable {
    let key, why: String
    let signature: String?
    let sent: Request
    /// nil where peers differ.
    let expected_error_class: String?
  }

  @Test("what is signed, the signature and its check", arguments: SampleFolder.cases(file, File.self, \.positive))
  func positive(_ sample: Sample<Positive>) throws {
    let vector = try sample.read()
    let key = try SampleFolder.privateKey(vector.key)
    for method in [vector.method_in_payload, vector.method_in_payload.uppercased()] {
      let request = SignedRequest(
        method: method, url: vector.url, expiresAtSeconds: vector.expires_at, body: Data(vector.body.utf8))
      #expect(try request.signedBytes() == Data(vector.signed_string.utf8))
      #expect(try request.signature(with: key) == vector.signature)
    }
    let received = vector.valid_for.signed
    let publicKey = try SampleFolder.publicKey(vector.key)
    try received.verify(vector.signature, with: publicKey, nowSeconds: vector.expires_at - 1)
    try received.verify(vector.signature, with: publicKey, nowSeconds: vector.expires_at - 3600)
    for now in [vector.expires_at, vector.expires_at + 1, vector.expires_at - 3601] {
      #expect(throws: SaltEdgeError.signatureExpired) {
        try received.verify(vector.signature, with: publicKey, nowSeconds: now)
      }
    }
  }

  @Test("what is refused, and how", arguments: SampleFolder.cases(file, File.self, \.negative))
  func negative(_ sample: Sample<Negative>) throws {
    let vector = try sample.read()
    let expiry = Int64(vector.sent.expires_at) ?? 0
    let now = vector.expected_error_class == "SignatureExpired" ? expiry : expiry - 300
    let publicKey = try SampleFolder.publicKey(vector.key)
    let error = #expect(throws: SaltEdgeError.self, "\(vector.why)") {
      try vector.sent.signed.verify(vector.signature, with: publicKey, nowSeconds: now)
    }
    // Where peers differ we are as strict as the strictest.
    #expect(error?.errorClass == vector.expected_error_class ?? "InvalidSignature", "\(vector.why)")
  }
}
