// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore

/// The peer's endpoints (powerauth.md §8).
extension Peer {
  package func handle(_ endpoint: PowerAuthEndpoint, _ body: Data, _ headers: TransportHeaders) throws -> Data {
    switch endpoint {
    case .serverStatus:
      return try envelope(
        ServerStatus(
          serverTime: now, application: .init(name: "peer"), protocolVersions: state.withLock { $0.protocolVersions }))
    case .createTemporaryKey: return try envelope(createTemporaryKey(try request(body)))
    case .createActivation: return try createActivation(body, headers)
    case .activationStatus: return try envelope(status(try request(body)))
    case .validateSignature:
      _ = try signed(endpoint, body, headers)
      return try envelope(ServerStatus(serverTime: now))
    case .removeActivation:
      let identifier = try signed(endpoint, body, headers).identifier.text
      change(identifier) { $0.state = .removed }
      return try envelope(ActivationReference(activationId: identifier))
    case .createToken: return try createToken(body, headers)
    case .removeToken:
      let reference: TokenReference = try request(body)
      let activation = try signed(endpoint, body, headers)
      try state.withLock { state in
        guard state.tokens[reference.tokenId]?.activation == activation.identifier.text else { throw Refusal.token }
        state.tokens[reference.tokenId] = nil
      }
      return try envelope(reference)
    case .unlockVault:
      let activation = try signed(endpoint, body, headers)
      let (request, answer): (UnlockVaultRequest, ECIESResponseEncryptor) = try open(
        body, .vaultUnlock, activation)
      guard request.knownReason != .notSpecified else { throw Refusal.encryption }
      let key = SecureVault.encrypted(activation.keys.vault, transportKey: activation.keys.transport)
      return try seal(UnlockVaultResponse(encryptedVaultEncryptionKey: key.base64EncodedString()), answer)
    case .userInfo:
      let header = try EncryptionHeader(value: headers[EncryptionHeader.name] ?? "")
      guard let activation = activation(header.activationIdentifier?.text), activation.state == .active else {
        throw Refusal.encryption
      }
      let (_, answer): (EmptyObject, ECIESResponseEncryptor) = try open(body, .genericActivation, activation)
      return try seal(
        JSONValue.object(["sub": .string("user-1"), "email_verified": .bool(true), "name": .null]), answer)
    case .confirmRecovery:
      let activation = try signed(endpoint, body, headers)
      let (request, answer): (ConfirmRecoveryRequest, ECIESResponseEncryptor) = try open(
        body, .confirmRecoveryCode, activation)
      let isNew = state.withLock { $0.confirmedCodes.insert(request.recoveryCode).inserted }
      return try seal(ConfirmRecoveryResponse(alreadyConfirmed: !isNew), answer)
    case .activationDetail, .renameActivation: throw Refusal(status: 404, failure: .requestInvalid)
    }
  }

  private func createActivation(_ body: Data, _ headers: TransportHeaders) throws -> Data {
    let header = try EncryptionHeader(value: headers[EncryptionHeader.name] ?? "")
    guard header.applicationKey == configuration.applicationKey, header.activationIdentifier == nil,
      header.version == version
    else { throw Refusal.encryption }
    let (outer, outerAnswer): (ActivationRequest, ECIESResponseEncryptor) = try open(body, .genericApplication, nil)
    let (device, innerAnswer): (ActivationDevice, ECIESResponseEncryptor) = try open(
      try JSONEncoder().encode(outer.activationData), .activationLayer2, nil)
    switch outer.type {
    case .code:
      let code = outer.identityAttributes["code"] ?? ""
      guard state.withLock({ $0.codes.remove(code) != nil }) else { throw Refusal.activation }
    case .custom:
      guard outer.identityAttributes["otpCode"] == "1234" else { throw Refusal.activation }
    case .recovery:
      guard outer.identityAttributes["puk"] == "0123456789" else {
        throw Refusal(
          status: 400,
          failure: PowerAuthFailure(
            code: "ERR_RECOVERY", message: "POWER_AUTH_RECOVERY_INVALID", currentRecoveryPukIndex: 2))
      }
    case .direct: throw Refusal.activation
    }
    let activation = try make(ECPublicKey(base64: device.devicePublicKey))
    let recovery = state.withLock { state in
      state.activations[activation.identifier.text] = activation
      state.lastOrder = (outer.type, outer.identityAttributes, device)
      return state.recovery
    }
    let inner = ActivatedDevice(
      activationId: activation.identifier.text,
      serverPublicKey: activation.privateKey.publicKey.uncompressed.base64EncodedString(),
      ctrData: activation.counter.data.bytes.base64EncodedString(), activationRecovery: recovery)
    let sealed = try innerAnswer.encrypt(
      try JSONEncoder().encode(inner), timestamp: now, randomness: randomness)
    return try seal(
      ActivationResponse(
        activationData: sealed, customAttributes: outer.customAttributes, userInfo: ["sub": .string("user-1")]),
      outerAnswer)
  }

  private func make(_ devicePublicKey: ECPublicKey) throws -> PeerActivation {
    let privateKey = ECPrivateKey(randomness)
    return PeerActivation(
      identifier: try ActivationIdentifier(text: UUID().uuidString.lowercased()), devicePublicKey: devicePublicKey,
      privateKey: privateKey, keys: try ActivationKeys(privateKey: privateKey, publicKey: devicePublicKey),
      counter: SignatureCounter(data: CounterData(randomness)))
  }

  private func status(_ request: ActivationStatusRequest) throws -> ActivationStatusResponse {
    let challenge = Data(base64Encoded: request.challenge ?? "") ?? Data()
    let nonce = randomness.nonce()
    let blob =
      try activation(request.activationId)?.status(challenge: challenge, nonce: nonce, randomness: randomness)
      ?? ActivationStatus.decoy(randomness)
    return ActivationStatusResponse(
      activationId: request.activationId, encryptedStatusBlob: blob.base64EncodedString(),
      nonce: nonce.base64EncodedString(), customObject: state.withLock { $0.customObject })
  }

  private func createToken(_ body: Data, _ headers: TransportHeaders) throws -> Data {
    let activation = try signed(.createToken, body, headers)
    let type = try SignatureHeader(value: headers[SignatureHeader.name] ?? "").type
    let (_, answer): (EmptyObject, ECIESResponseEncryptor) = try open(body, .createToken, activation)
    let (identifier, secret) = (UUID().uuidString.lowercased(), SecretKey(randomness))
    state.withLock {
      $0.tokens[identifier] = Token(secret: secret, type: type, activation: activation.identifier.text)
    }
    return try seal(CreatedToken(tokenId: identifier, tokenSecret: secret.bytes.base64EncodedString()), answer)
  }

  private func createTemporaryKey(_ message: TemporaryKeyMessage) throws -> TemporaryKeyMessage {
    let unverified = try UnverifiedTemporaryKeyRequest(token: message.jwt)
    let secret = configuration.applicationSecret
    let activation = activation(unverified.claimedActivationIdentifier?.text)
    guard unverified.claimedApplicationKey == configuration.applicationKey,
      (activation == nil) == (unverified.claimedActivationIdentifier == nil),
      activation.map({ [.active, .blocked].contains($0.state) }) != false
    else { throw Refusal.temporaryKey }
    let key =
      activation.map { TemporaryKeyRequest.key(applicationSecret: secret, transportKey: $0.keys.transport) }
      ?? TemporaryKeyRequest.key(applicationSecret: secret)
    let request = try unverified.verified(key: key)
    let privateKey = ECPrivateKey(randomness)
    let temporaryKey = try TemporaryKey(
      identifier: UUID().uuidString.lowercased(), publicKey: privateKey.publicKey, issuedAt: now)
    state.withLock {
      $0.temporaryKeys[temporaryKey.identifier] = TemporaryKeyPair(
        privateKey: privateKey, expiresAt: temporaryKey.expiresAt, activation: activation?.identifier.text)
    }
    return TemporaryKeyMessage(
      jwt: try temporaryKey.token(answering: request, key: activation?.privateKey ?? masterKey))
  }

  private func request<Content: Decodable>(_ body: Data) throws -> Content {
    try JSONDecoder().decode(RequestEnvelope<Content>.self, from: body).requestObject
  }

  private func envelope(_ content: some Encodable) throws -> Data {
    try JSONEncoder().encode(ResponseEnvelope(content))
  }
}
