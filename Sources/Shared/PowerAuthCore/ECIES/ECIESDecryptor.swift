// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The server's side: decrypts requests with the private key that they were encrypted to (powerauth.md §4.2).
///
/// Whether a request is timely and new is the caller's to check, with `ECIES.isTimely` and `ECIESRequest.replayKey`.
public struct ECIESDecryptor: Sendable {
  public let parameters: ECIESParameters
  private let privateKey: ECPrivateKey

  public init(parameters: ECIESParameters, privateKey: ECPrivateKey) {
    self.parameters = parameters
    self.privateKey = privateKey
  }

  /// - Returns: the plaintext, and the one thing that can encrypt the answer.
  /// - Throws: `malformed` for members that the version does not have or lacks; `mismatched` for another temporary
  ///   key; `invalidKey`; `notAuthentic`; `tooLong`.
  public func decrypt(
    _ request: ECIESRequest
  ) throws(PowerAuthError) -> (plaintext: Data, answer: ECIESResponseEncryptor) {
    guard request.encryptedData.count <= ECIES.plaintextMax + AES128CBC.blockBytes else {
      throw .tooLong(.cryptogram)
    }
    guard request.hasShape(of: parameters.version) else { throw .malformed(.cryptogram) }
    guard request.temporaryKeyIdentifier == parameters.temporaryKeyIdentifier else {
      throw .mismatched(.temporaryKey)
    }
    let envelope = try ECIESEnvelope(
      privateKey: privateKey, publicKey: ECPublicKey(request.ephemeralPublicKey),
      ephemeralPublicKey: request.ephemeralPublicKey, parameters: parameters)
    let plaintext = try envelope.open(
      request.encryptedData, mac: request.mac, nonce: request.nonce,
      macInfo: parameters.macInfo(
        nonce: request.nonce, timestamp: request.timestamp, ephemeralPublicKey: request.ephemeralPublicKey))
    return (
      plaintext, ECIESResponseEncryptor(envelope: envelope, parameters: parameters, requestNonce: request.nonce)
    )
  }
}

/// Encrypts the answer to one request, on the server.
public struct ECIESResponseEncryptor: Sendable {
  private let envelope: ECIESEnvelope
  private let parameters: ECIESParameters
  private let requestNonce: Data?

  package init(envelope: ECIESEnvelope, parameters: ECIESParameters, requestNonce: Data?) {
    self.envelope = envelope
    self.parameters = parameters
    self.requestNonce = requestNonce
  }

  /// - Parameters:
  ///   - plaintext: may be empty.
  ///   - timestamp: milliseconds since 1970; left out before 3.2.
  /// - Throws: `tooLong`.
  public func encrypt(
    _ plaintext: Data, timestamp: UInt64, randomness: Randomness
  ) throws(PowerAuthError) -> ECIESResponse {
    guard plaintext.count <= ECIES.plaintextMax else { throw .tooLong(.cryptogram) }
    return seal(plaintext, nonce: parameters.version.hasResponseNonce ? randomness.nonce() : nil, timestamp: timestamp)
  }

  package func seal(_ plaintext: Data, nonce: Data?, timestamp: UInt64) -> ECIESResponse {
    let timestamp = parameters.version.hasTimestamp ? timestamp : nil
    let sealed = envelope.seal(
      plaintext, nonce: parameters.version.hasResponseNonce ? nonce : requestNonce,
      macInfo: parameters.macInfo(nonce: nonce, timestamp: timestamp, ephemeralPublicKey: nil))
    return ECIESResponse(
      encryptedData: sealed.encryptedData, mac: sealed.mac, nonce: nonce, timestamp: timestamp)
  }
}
