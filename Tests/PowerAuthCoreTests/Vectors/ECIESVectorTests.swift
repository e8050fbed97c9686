// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore
import Testing

/// The members of the files with whole messages.
struct ECIESVectorInput: Decodable, Sendable {
  let protocolVersion, scope, sharedInfo1, applicationKey, applicationSecret: String
  let serverPrivateKey, serverPublicKey: Data
  let activationId: String?
  let transportKey: Data?
  let temporaryKeyId: String?
  let plainRequest, plainResponse: Data

  func parameters() throws -> ECIESParameters {
    let version = try ProtocolVersion(text: protocolVersion)
    let (key, secret) = (try ApplicationKey(text: applicationKey), try ApplicationSecret(text: applicationSecret))
    guard scope == "activation" else {
      try #require(scope == "application", "\(scope) is no scope")
      return try ECIESParameters(
        version: version, identifier: EncryptorIdentifier(sharedInfo1: sharedInfo1, scope: .application),
        applicationKey: key, applicationSecret: secret, temporaryKeyIdentifier: temporaryKeyId)
    }
    return try ECIESParameters(
      version: version, identifier: EncryptorIdentifier(sharedInfo1: sharedInfo1, scope: .activation),
      applicationKey: key, applicationSecret: secret,
      activationIdentifier: ActivationIdentifier(text: #require(activationId)),
      transportKey: TransportKey(SecretKey(#require(transportKey))), temporaryKeyIdentifier: temporaryKeyId)
  }
}

struct ECIESVectorOutput: Decodable, Sendable {
  struct Message: Decodable, Sendable {
    let ephemeralPublicKey: Data?
    let encryptedData, mac: Data
    let nonce: Data?
    let timestamp: UInt64?
  }

  let associatedData, envelopeKey: Data?
  let request, response: Message
}

typealias ECIESVector = VectorCase<ECIESVectorInput, ECIESVectorOutput>

/// Both directions from both sides: what is listed must open, and what is sealed must be what is listed.
private func checkMessages(
  _ output: ECIESVectorOutput, parameters: ECIESParameters, serverPrivateKey: Data, plainRequest: Data,
  plainResponse: Data
) throws {
  let privateKey = try ECPrivateKey(serverPrivateKey)
  let ephemeral = try #require(output.request.ephemeralPublicKey)
  let envelope = try ECIESEnvelope(
    privateKey: privateKey, publicKey: ECPublicKey(ephemeral), ephemeralPublicKey: ephemeral, parameters: parameters)
  if let envelopeKey = output.envelopeKey { #expect(envelope.bytes == envelopeKey) }
  if let associatedData = output.associatedData { #expect(parameters.associatedData == associatedData) }

  let request = ECIESRequest(
    temporaryKeyIdentifier: parameters.temporaryKeyIdentifier, ephemeralPublicKey: ephemeral,
    encryptedData: output.request.encryptedData, mac: output.request.mac, nonce: output.request.nonce,
    timestamp: output.request.timestamp)
  let (plaintext, answer) = try ECIESDecryptor(parameters: parameters, privateKey: privateKey).decrypt(request)
  #expect(plaintext == plainRequest)
  #expect(
    ECIESEncryptor.seal(
      plainRequest, envelope: envelope, parameters: parameters, ephemeralPublicKey: ephemeral, nonce: request.nonce,
      timestamp: request.timestamp ?? 0) == request)

  let response = ECIESResponse(
    encryptedData: output.response.encryptedData, mac: output.response.mac, nonce: output.response.nonce,
    timestamp: output.response.timestamp)
  #expect(
    answer.seal(plainResponse, nonce: response.nonce, timestamp: response.timestamp ?? 0) == response)
  let opener = ECIESResponseDecryptor(envelope: envelope, parameters: parameters, requestNonce: request.nonce)
  #expect(try opener.decrypt(response) == plainResponse)

  for message in [try JSONEncoder().encode(request)] {
    #expect(try JSONDecoder().decode(ECIESRequest.self, from: message) == request)
  }
}

private func check(_ vector: ECIESVector) throws {
  let (input, output) = try vector.read()
  #expect(try ECPrivateKey(input.serverPrivateKey).publicKey == ECPublicKey(input.serverPublicKey))
  try checkMessages(
    output, parameters: try input.parameters(), serverPrivateKey: input.serverPrivateKey,
    plainRequest: input.plainRequest, plainResponse: input.plainResponse)
}

@Suite("PowerAuth vectors: ecies-v33", VectorFile.suite("ecies-v33"))
struct ECIESV33VectorTests {
  @Test(
    "requests and answers of 3.3",
    arguments: VectorFile.cases("ecies-v33", ECIESVectorInput.self, ECIESVectorOutput.self))
  func messages(_ vector: ECIESVector) throws {
    try check(vector)
  }
}

@Suite("PowerAuth vectors: ecies-v32", VectorFile.suite("ecies-v32"))
struct ECIESV32VectorTests {
  @Test(
    "requests and answers of 3.2",
    arguments: VectorFile.cases("ecies-v32", ECIESVectorInput.self, ECIESVectorOutput.self))
  func messages(_ vector: ECIESVector) throws {
    try check(vector)
  }
}

/// The members of the files with explicit shared information.
struct ECIESPrimitiveInput: Decodable, Sendable {
  let protocolVersion: String
  let serverPrivateKey, serverPublicKey, sharedInfo1, sharedInfo2, plainRequest, plainResponse: Data
}

typealias ECIESPrimitiveVector = VectorCase<ECIESPrimitiveInput, ECIESVectorOutput>

private func check(_ vector: ECIESPrimitiveVector) throws {
  let (input, output) = try vector.read()
  let parameters = ECIESParameters(
    version: try ProtocolVersion(text: input.protocolVersion), sharedInfo1: input.sharedInfo1,
    sharedInfo2: input.sharedInfo2)
  #expect(try ECPrivateKey(input.serverPrivateKey).publicKey == ECPublicKey(input.serverPublicKey))
  try checkMessages(
    output, parameters: parameters, serverPrivateKey: input.serverPrivateKey, plainRequest: input.plainRequest,
    plainResponse: input.plainResponse)
}

@Suite("PowerAuth vectors: ecies-primitive-v31", VectorFile.suite("ecies-primitive-v31"))
struct ECIESPrimitiveV31VectorTests {
  @Test(
    "the primitive of 3.1 with explicit shared information",
    arguments: VectorFile.cases("ecies-primitive-v31", ECIESPrimitiveInput.self, ECIESVectorOutput.self))
  func messages(_ vector: ECIESPrimitiveVector) throws {
    try check(vector)
  }
}

@Suite("PowerAuth vectors: ecies-primitive-v30", VectorFile.suite("ecies-primitive-v30"))
struct ECIESPrimitiveV30VectorTests {
  @Test(
    "the primitive of 3.0 with explicit shared information",
    arguments: VectorFile.cases("ecies-primitive-v30", ECIESPrimitiveInput.self, ECIESVectorOutput.self))
  func messages(_ vector: ECIESPrimitiveVector) throws {
    try check(vector)
  }
}
