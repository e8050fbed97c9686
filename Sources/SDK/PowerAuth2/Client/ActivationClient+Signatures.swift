// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// Proofs of the factors (powerauth.md §5).
extension ActivationClient {
  /// Signs a request. The counter's next value is durable before the signature leaves this function.
  /// - Parameter body: as it is sent or, for `GET`, the canonical query.
  func signRequest(
    _ authentication: PowerAuthAuthentication, method: String, uriId: String, body: Data
  ) throws -> PowerAuthAuthorizationHttpHeader {
    guard !method.isEmpty, !uriId.isEmpty else {
      throw CallFailure(.wrongParameter, "A signature needs a method and a resource.")
    }
    let activation = try session.requireActivation()
    let factors = try unlockFactors(authentication, of: activation)
    let nonce = randomness.nonce()
    let counter = try session.takeCounter(of: activation.identifier)
    return try signing { () throws(PowerAuthError) in
      let data = try NormalizedData(
        method: method, uriIdentifier: uriId, nonce: nonce, body: body,
        applicationSecret: setup.application.applicationSecret)
      let signature = try Signature(
        authentication.signatureType, of: data, keys: factors, counter: counter,
        format: setup.version.onlineSignatureFormat)
      let header = try SignatureHeader(
        version: setup.version, activationIdentifier: activation.identifier,
        applicationKey: setup.application.applicationKey, nonce: nonce, type: signature.type,
        signature: signature.text)
      return PowerAuthAuthorizationHttpHeader(key: SignatureHeader.name, value: header.value)
    }
  }

  /// Signs something for a person to type elsewhere.
  /// - Parameter nonce: Base64 of 16 bytes, from what the person scanned.
  func signOffline(
    _ authentication: PowerAuthAuthentication, uriId: String, body: Data, nonce: String
  ) throws -> String {
    guard let nonce = Data(base64Encoded: nonce), nonce.count == 16, !uriId.isEmpty else {
      throw CallFailure(.wrongParameter, "An offline signature needs a resource and a nonce of 16 bytes in Base64.")
    }
    let activation = try session.requireActivation()
    let factors = try unlockFactors(authentication, of: activation)
    let counter = try session.takeCounter(of: activation.identifier)
    return try signing { () throws(PowerAuthError) in
      try Signature(
        authentication.signatureType,
        of: NormalizedData(offline: "POST", uriIdentifier: uriId, nonce: nonce, body: body),
        keys: factors, counter: counter, format: .decimal(setup.offlineLength)
      ).text
    }
  }

  /// Signs one of the server's own calls.
  func sign(
    _ endpoint: PowerAuthEndpoint, _ authentication: PowerAuthAuthentication, body: Data
  ) throws -> PowerAuthAuthorizationHttpHeader {
    guard let uriId = endpoint.uriID else {
      throw CallFailure(.signatureError, "This call is not signed.")
    }
    return try signRequest(authentication, method: "POST", uriId: uriId, body: body)
  }

  /// Makes a signed call in its turn.
  func signedCall<Request: Encodable & Sendable>(
    _ endpoint: PowerAuthEndpoint, _ authentication: PowerAuthAuthentication, _ request: Request
  ) async throws -> Data {
    let authentication = try await unlockBiometryAhead(authentication)
    return try await queue.alone {
      let body = try RemoteServer.encoded(request)
      return try await self.server.post(endpoint, body, headers: [self.sign(endpoint, authentication, body: body)])
    }
  }

  /// Makes an encrypted and signed call in its turn: the signature covers what is sent (powerauth.md §4.4).
  func signedEncryptedCall<Request: Encodable & Sendable, Answer: Decodable & Sendable>(
    _ endpoint: PowerAuthEndpoint, _ authentication: PowerAuthAuthentication, _ request: Request,
    as _: Answer.Type = Answer.self
  ) async throws -> Answer {
    guard let identifier = endpoint.encryptor else { throw CallFailure(.encryption, "This call is not encrypted.") }
    let activation = try session.requireActivation()
    let authentication = try await unlockBiometryAhead(authentication)
    let plaintext = try RemoteServer.encoded(request)
    return try await queue.alone {
      try await self.repeatingForExpiredKey {
        let sealed = try await self.encrypt(plaintext, identifier, for: activation)
        let header = try self.sign(endpoint, authentication, body: sealed.body)
        return try self.decrypt(try await self.post(endpoint, sealed, header: header), sealed)
      }
    }
  }

  /// Has the server check a signature that does nothing else.
  func validateSignature(_ authentication: PowerAuthAuthentication, _ reason: ValidateSignatureRequest) async throws {
    _ = try await signedCall(.validateSignature, authentication, RequestEnvelope(reason))
  }

  private func signing<Value>(_ work: () throws(PowerAuthError) -> Value) throws(CallFailure) -> Value {
    do throws(PowerAuthError) { return try work() } catch {
      throw error == .missingFactor
        ? CallFailure(.biometryFailed, "The activation does not have this factor.")
        : CallFailure(.signatureError, "The signature could not be computed.")
    }
  }
}
