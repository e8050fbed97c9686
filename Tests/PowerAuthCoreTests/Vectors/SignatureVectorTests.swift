// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

/// The members that all files of signatures share.
struct SignatureVectorInput: Decodable, Sendable {
  let signaturePossessionKey, signatureKnowledgeKey, signatureBiometryKey: Data
  let signatureType: String
  let signatureComponentLength: VectorNumber?
  let counterData, data: Data
}

struct SignatureVectorOutput: Decodable, Sendable {
  let signature: String
}

typealias SignatureVector = VectorCase<SignatureVectorInput, SignatureVectorOutput>

/// Signs as a device, verifies as a server that is some steps behind.
private func check(_ vector: SignatureVector, format: (SignatureVectorInput) throws -> SignatureFormat) throws {
  let (input, output) = try vector.read()
  let type = try #require(SignatureType(rawValue: input.signatureType))
  let keys = SignatureKeys(
    possession: try SecretKey(input.signaturePossessionKey), knowledge: try SecretKey(input.signatureKnowledgeKey),
    biometry: try SecretKey(input.signatureBiometryKey))
  let counter = try CounterData(input.counterData)
  let format = try format(input)
  let signature = try Signature(
    type, of: NormalizedData(input.data), keys: keys, counter: counter, format: format)
  #expect(signature.text == output.signature)
  #expect(format.length(factors: type.factors.count) == output.signature.count)
  let verdict = try SignatureVerification.verify(
    output.signature, type: type, of: NormalizedData(input.data), keys: keys,
    counter: SignatureCounter(number: 7, data: counter), format: format)
  #expect(verdict == .valid(ahead: 0, next: SignatureCounter(number: 8, data: counter.next)))
}

@Suite("PowerAuth vectors: signatures-v31", VectorFile.suite("signatures-v31"))
struct SignatureV31VectorTests {
  @Test(
    "signatures of 3.1 and later, in Base64",
    arguments: VectorFile.cases("signatures-v31", SignatureVectorInput.self, SignatureVectorOutput.self))
  func signatures(_ vector: SignatureVector) throws {
    try check(vector) { _ in ProtocolVersion.v31.onlineSignatureFormat }
  }
}

@Suite("PowerAuth vectors: signatures-v3", VectorFile.suite("signatures-v3"))
struct SignatureV30VectorTests {
  @Test(
    "signatures of 3.0, in digits",
    arguments: VectorFile.cases("signatures-v3", SignatureVectorInput.self, SignatureVectorOutput.self))
  func signatures(_ vector: SignatureVector) throws {
    try check(vector) { _ in ProtocolVersion.v30.onlineSignatureFormat }
  }
}

@Suite("PowerAuth vectors: signatures-offline", VectorFile.suite("signatures-offline"))
struct OfflineSignatureVectorTests {
  @Test(
    "offline signatures of 4 to 8 digits",
    arguments: VectorFile.cases("signatures-offline", SignatureVectorInput.self, SignatureVectorOutput.self))
  func signatures(_ vector: SignatureVector) throws {
    try check(vector) { input in
      try .decimal(input.signatureComponentLength.map { try .init($0.value) } ?? .standard)
    }
  }
}

@Suite("PowerAuth vectors: url-encoding", VectorFile.suite("url-encoding"))
struct URLEncodingVectorTests {
  struct Input: Decodable, Sendable {
    let text: String
  }
  struct Output: Decodable, Sendable {
    let encoded: String
  }

  @Test("form encoding, and back through a query", arguments: VectorFile.cases("url-encoding", Input.self, Output.self))
  func encoding(_ vector: VectorCase<Input, Output>) throws {
    let (input, output) = try vector.read()
    #expect(FormURLEncoding.encode(input.text) == output.encoded)
    #expect(try CanonicalQuery.body(of: "q=\(output.encoded)") == Data("q=\(output.encoded)".utf8))
  }
}
