// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthCore

/// What the peer checks: signatures, tokens, encryption (powerauth.md §4, §5.5, §7).
extension Peer {
  /// Checks the signature of one of the server's own calls, which covers the body as sent.
  package func signed(_ endpoint: PowerAuthEndpoint, _ body: Data, _ headers: TransportHeaders) throws -> PeerActivation
  {
    try verify(headers[SignatureHeader.name] ?? "", method: "POST", uriId: endpoint.uriID ?? "", body: body)
  }

  /// Checks a signature as a server does: looks ahead, moves the counter, counts failures, blocks.
  @discardableResult
  package func verify(_ value: String, method: String, uriId: String, body: Data) throws -> PeerActivation {
    let header = try SignatureHeader(value: value)
    guard header.version == version, header.applicationKey == configuration.applicationKey else {
      throw Refusal.unsigned
    }
    let data = try NormalizedData(
      method: method, uriIdentifier: uriId, nonce: header.nonce, body: body,
      applicationSecret: configuration.applicationSecret)
    return try check(
      header.signature, header.type, data, of: header.activationIdentifier.text,
      format: version.onlineSignatureFormat)
  }

  /// Checks a signature that a person typed.
  @discardableResult
  package func verifyOffline(
    _ signature: String, _ type: SignatureType, of identifier: String, uriId: String, body: Data, nonce: Data,
    digits: Int = 8
  ) throws -> PeerActivation {
    try check(
      signature, type, try NormalizedData(offline: "POST", uriIdentifier: uriId, nonce: nonce, body: body),
      of: identifier, format: .decimal(SignatureFormat.DecimalLength(digits)))
  }

  private func check(
    _ signature: String, _ type: SignatureType, _ data: NormalizedData, of identifier: String,
    format: SignatureFormat
  ) throws -> PeerActivation {
    try state.withLock { state in
      guard var activation = state.activations[identifier], activation.state == .active else { throw Refusal.unsigned }
      let outcome = try SignatureVerification.verify(
        signature, type: type, of: data, keys: activation.keys.signature, counter: activation.counter, format: format,
        lookAhead: PeerActivation.lookAhead)
      switch outcome {
      case .valid(let ahead, let next):
        state.signatures.append(
          SeenSignature(type: type, counter: activation.counter.number + UInt64(ahead), ahead: ahead))
        activation.counter = next
        if type.countsAttempts { activation.failedAttempts = 0 }
        state.activations[identifier] = activation
        return activation
      case .invalid:
        state.signatures.append(SeenSignature(type: type, counter: nil, ahead: nil))
        if type.countsAttempts { activation.failedAttempts += 1 }
        if activation.failedAttempts >= PeerActivation.failedAttemptsMax { activation.state = .blocked }
        state.activations[identifier] = activation
        throw Refusal.unsigned
      }
    }
  }

  /// Checks a token's header; it counts once.
  package func verifyToken(_ value: String) throws -> Token {
    let header = try TokenHeader(value: value)
    return try state.withLock { state in
      guard header.version == version, let token = state.tokens[header.tokenIdentifier.text],
        state.activations[token.activation]?.state == .active,
        TokenDigest.verifies(header, secret: token.secret), TokenDigest.isTimely(header.timestamp, now: now),
        state.seenNonces.insert(header.nonce).inserted
      else { throw Refusal.token }
      return token
    }
  }

  /// Decrypts a body and reads what is in it.
  package func open<Content: Decodable>(
    _ body: Data, _ identifier: EncryptorIdentifier, _ activation: PeerActivation?
  ) throws -> (Content, ECIESResponseEncryptor) {
    let (plaintext, answer) = try open(bytes: body, identifier, activation)
    return (try JSONDecoder().decode(Content.self, from: plaintext), answer)
  }

  /// Decrypts a body: the key must be known and in force, the time right, the request new.
  /// - Parameter other: another version of the protocol than the peer's own.
  package func open(
    bytes body: Data, _ identifier: EncryptorIdentifier, _ activation: PeerActivation?,
    version other: ProtocolVersion? = nil
  ) throws -> (Data, ECIESResponseEncryptor) {
    let version = other ?? self.version
    let request = try JSONDecoder().decode(ECIESRequest.self, from: body)
    guard let time = request.timestamp, ECIES.isTimely(time, now: now),
      state.withLock({ state in
        state.seenRequests.insert(
          request.replayKey(
            version: version, identifier: activation?.identifier.text ?? configuration.applicationKey.text)
        ).inserted
      })
    else { throw Refusal.encryption }
    let privateKey = try key(for: request, activation, version)
    let parameters =
      if let activation {
        try ECIESParameters(
          version: version, identifier: identifier, applicationKey: configuration.applicationKey,
          applicationSecret: configuration.applicationSecret, activationIdentifier: activation.identifier,
          transportKey: activation.keys.transport, temporaryKeyIdentifier: request.temporaryKeyIdentifier)
      } else {
        try ECIESParameters(
          version: version, identifier: identifier, applicationKey: configuration.applicationKey,
          applicationSecret: configuration.applicationSecret,
          temporaryKeyIdentifier: request.temporaryKeyIdentifier)
      }
    return try ECIESDecryptor(parameters: parameters, privateKey: privateKey).decrypt(request)
  }

  package func seal(_ content: some Encodable, _ answer: ECIESResponseEncryptor) throws -> Data {
    try JSONEncoder().encode(
      try answer.encrypt(try JSONEncoder().encode(content), timestamp: now, randomness: randomness))
  }

  private func key(
    for request: ECIESRequest, _ activation: PeerActivation?, _ version: ProtocolVersion
  ) throws -> ECPrivateKey {
    guard version.hasTemporaryKey else { return activation?.privateKey ?? masterKey }
    let pair = state.withLock { state in request.temporaryKeyIdentifier.flatMap { state.temporaryKeys[$0] } }
    guard let pair, pair.expiresAt > now, pair.activation == activation?.identifier.text else {
      throw Refusal.temporaryKey
    }
    return pair.privateKey
  }
}
