// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import PowerAuthCore
import TestSupport

/// A device that speaks to the router: what an app's SDK does, step by step, so that a test can spoil any of it.
struct Phone: Sendable {
  let app: PowerAuthTestApp
  var device: TestDevice
  var version: ProtocolVersion { device.version }
  var id: String { get throws { try device.joined().identifier.text } }

  // MARK: Sending

  func send(
    _ path: String, method: HTTPRequest.Method = .post, headers: [(String, String)] = [], body: Data = Data()
  ) async throws -> Answer {
    var fields = HTTPFields()
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    if !body.isEmpty, fields[.contentType] == nil { fields[.contentType] = "application/json" }
    let answer = Answer(
      try await app.client.execute(uri: path, method: method, headers: fields, body: ByteBuffer(bytes: body)))
    app.description.check(path, method, fields, body, answer)
    return answer
  }

  func send(
    _ endpoint: PowerAuthEndpoint, headers: [(String, String)] = [], body: Data
  ) async throws -> Answer {
    try await send(PowerAuthTestApp.base + endpoint.rawValue, headers: headers, body: body)
  }

  // MARK: Keys and envelopes

  func temporaryKey(ofActivation: Bool) async throws -> TemporaryKey? {
    guard version.hasTemporaryKey else { return nil }
    let (request, token) = try device.temporaryKeyRequest(ofActivation: ofActivation)
    let body = try JSONEncoder().encode(RequestEnvelope(TemporaryKeyMessage(jwt: token)))
    let answer = try await send(.createTemporaryKey, body: body).object(TemporaryKeyMessage.self)
    return try device.temporaryKey(answer.jwt, answering: request)
  }

  /// A request's envelope, as bytes, and what opens the answer.
  func sealed(
    _ plaintext: Data, _ encryptor: EncryptorIdentifier
  ) async throws -> (body: Data, answer: ECIESResponseDecryptor) {
    let key = try await temporaryKey(ofActivation: encryptor.scope == .activation)
    let (request, answer) = try device.encrypt(plaintext, encryptor, temporaryKey: key, now: app.now)
    return (try JSONEncoder().encode(request), answer)
  }

  func encryptionHeader(ofActivation: Bool) throws -> (String, String) {
    (
      EncryptionHeader.name,
      EncryptionHeader(
        version: version, applicationKey: device.configuration.applicationKey,
        activationIdentifier: ofActivation ? try device.joined().identifier : nil
      ).value
    )
  }

  mutating func signatureHeader(
    _ uriID: String, _ type: SignatureType = .possession, method: String = "POST", over body: Data,
    spoiling: [SignatureFactor] = []
  ) throws -> (String, String) {
    (
      SignatureHeader.name,
      try device.sign(type, method: method, uriID: uriID, body: body, spoiling: spoiling).value
    )
  }

  func open<Content: Decodable>(
    _ answer: Answer, _ decryptor: ECIESResponseDecryptor, as type: Content.Type
  ) throws -> Content {
    guard answer.status == 200 else { throw Answer.NotWell(answer: answer.text) }
    return try JSONDecoder().decode(type, from: try decryptor.decrypt(try answer.decode(ECIESResponse.self)))
  }

  // MARK: Calls

  func createActivation(
    _ type: ActivationType, _ identity: [String: String], attributes: [String: JSONValue]? = nil, otp: String? = nil
  ) async throws -> (Answer, TestDevice.JoiningAnswer) {
    let key = try await temporaryKey(ofActivation: false)
    let (request, opener) = try device.join(
      type, identity, attributes: attributes, otp: otp, temporaryKey: key, now: app.now)
    let answer = try await send(
      .createActivation, headers: [try encryptionHeader(ofActivation: false)], body: JSONEncoder().encode(request))
    return (answer, opener)
  }

  @discardableResult
  mutating func activate(
    _ type: ActivationType, _ identity: [String: String], attributes: [String: JSONValue]? = nil, otp: String? = nil
  ) async throws -> ActivationResponse {
    let (answer, opener) = try await createActivation(type, identity, attributes: attributes, otp: otp)
    guard answer.status == 200 else { throw Answer.NotWell(answer: answer.text) }
    let (activated, response) = try opener.open(try answer.decode(ECIESResponse.self))
    try device.complete(activated)
    return response
  }

  func status() async throws -> (status: ActivationStatus, flags: [String]) {
    let (joined, challenge) = (try device.joined(), device.randomness.nonce())
    let body = try JSONEncoder().encode(
      RequestEnvelope(
        ActivationStatusRequest(activationId: joined.identifier.text, challenge: challenge.base64EncodedString())))
    let answer = try await send(.activationStatus, body: body).object(ActivationStatusResponse.self)
    let blob = Data(base64Encoded: answer.encryptedStatusBlob) ?? Data()
    let status = try ActivationStatus(
      decrypting: blob, transportKey: joined.keys.transport, challenge: challenge,
      nonce: Data(base64Encoded: answer.nonce ?? "") ?? Data())
    let flags = answer.customObject?["activationFlags"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return (status, flags)
  }

  /// A signature that asks for nothing but to be checked.
  mutating func validate(
    _ type: SignatureType, spoiling: [SignatureFactor] = []
  ) async throws -> Answer {
    let body = try JSONEncoder().encode(RequestEnvelope(ValidateSignatureRequest.validatePassword))
    let header = try signatureHeader("/pa/signature/validate", type, over: body, spoiling: spoiling)
    return try await send(.validateSignature, headers: [header], body: body)
  }

  /// One of PowerAuth's own calls: encrypted, then signed.
  mutating func own<Content: Decodable>(
    _ endpoint: PowerAuthEndpoint, _ encryptor: EncryptorIdentifier, _ type: SignatureType, _ plaintext: Data,
    spoiling: [SignatureFactor] = [], as _: Content.Type = Content.self
  ) async throws -> (answer: Answer, content: Content?) {
    let (body, opener) = try await sealed(plaintext, encryptor)
    let header = try signatureHeader(endpoint.uriID ?? "", type, over: body, spoiling: spoiling)
    let answer = try await send(endpoint, headers: [header], body: body)
    return (answer, answer.status == 200 ? try open(answer, opener, as: Content.self) : nil)
  }

  mutating func createToken(_ type: SignatureType = .possession) async throws -> CreatedToken {
    let (answer, token) = try await own(.createToken, .createToken, type, Data("{}".utf8), as: CreatedToken.self)
    guard let token else { throw Answer.NotWell(answer: answer.text) }
    return token
  }

  func tokenHeader(_ token: CreatedToken, at timestamp: UInt64? = nil) throws -> (String, String) {
    let secret = try SecretKey(Data(base64Encoded: token.tokenSecret) ?? Data())
    let header = try TokenDigest.header(
      for: TokenIdentifier(text: token.tokenId), secret: secret, nonce: device.randomness.nonce(),
      timestamp: timestamp ?? app.now, version: version)
    return (TokenHeader.name, header.value)
  }

  mutating func unlockVault(
    _ type: SignatureType = .possessionKnowledge, spoiling: [SignatureFactor] = []
  ) async throws -> (answer: Answer, content: UnlockVaultResponse?) {
    let body = try JSONEncoder().encode(UnlockVaultRequest(.fetchEncryptionKey))
    return try await own(.unlockVault, .vaultUnlock, type, body, spoiling: spoiling)
  }

  mutating func remove() async throws -> Answer {
    let header = try signatureHeader("/pa/activation/remove", .possessionKnowledge, over: Data("{}".utf8))
    return try await send(.removeActivation, headers: [header], body: Data("{}".utf8))
  }

  /// A call of the application itself, with its words in the open.
  static func words(_ text: String) throws -> Data {
    try JSONEncoder().encode(RequestEnvelope(PowerAuthTestApp.Words(text: text)))
  }
}
