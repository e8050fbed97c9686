// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The device's side: encrypts requests to a server's key (powerauth.md §4.2).
public struct ECIESEncryptor: Sendable {
  public let parameters: ECIESParameters
  private let serverKey: ECPublicKey

  /// - Parameter serverKey: the temporary key in 3.3; before, the server's master key in the scope of an application,
  ///   and its key of the activation in that of an activation.
  public init(parameters: ECIESParameters, serverKey: ECPublicKey) {
    self.parameters = parameters
    self.serverKey = serverKey
  }

  /// Encrypts to a random key, whose private half is not kept: no server can decrypt it, and each refuses it.
  package init(withoutReader parameters: ECIESParameters, randomness: Randomness) {
    self.init(parameters: parameters, serverKey: ECPrivateKey(randomness).publicKey)
  }

  /// Encrypts a request.
  /// - Parameters:
  ///   - plaintext: may be empty.
  ///   - timestamp: milliseconds since 1970, of the corrected clock; left out before 3.2.
  /// - Returns: the request, and the one thing that can decrypt its answer.
  /// - Throws: `tooLong`, `invalidKey`.
  public func encrypt(
    _ plaintext: Data, timestamp: UInt64, randomness: Randomness
  ) throws(PowerAuthError) -> (request: ECIESRequest, answer: ECIESResponseDecryptor) {
    guard plaintext.count <= ECIES.plaintextMax else { throw .tooLong(.cryptogram) }
    let ephemeral = ECPrivateKey(randomness)
    let ephemeralPublicKey = ephemeral.publicKey.compressed
    let envelope = try ECIESEnvelope(
      privateKey: ephemeral, publicKey: serverKey, ephemeralPublicKey: ephemeralPublicKey, parameters: parameters)
    let request = Self.seal(
      plaintext, envelope: envelope, parameters: parameters, ephemeralPublicKey: ephemeralPublicKey,
      nonce: parameters.version.hasRequestNonce ? randomness.nonce() : nil, timestamp: timestamp)
    return (
      request, ECIESResponseDecryptor(envelope: envelope, parameters: parameters, requestNonce: request.nonce)
    )
  }

  package static func seal(
    _ plaintext: Data, envelope: ECIESEnvelope, parameters: ECIESParameters, ephemeralPublicKey: Data, nonce: Data?,
    timestamp: UInt64
  ) -> ECIESRequest {
    let timestamp = parameters.version.hasTimestamp ? timestamp : nil
    let sealed = envelope.seal(
      plaintext, nonce: nonce,
      macInfo: parameters.macInfo(nonce: nonce, timestamp: timestamp, ephemeralPublicKey: ephemeralPublicKey))
    return ECIESRequest(
      temporaryKeyIdentifier: parameters.temporaryKeyIdentifier, ephemeralPublicKey: ephemeralPublicKey,
      encryptedData: sealed.encryptedData, mac: sealed.mac, nonce: nonce, timestamp: timestamp)
  }
}

/// Decrypts the answer to one request, on the device.
public struct ECIESResponseDecryptor: Sendable {
  private let envelope: ECIESEnvelope
  private let parameters: ECIESParameters
  private let requestNonce: Data?

  package init(envelope: ECIESEnvelope, parameters: ECIESParameters, requestNonce: Data?) {
    self.envelope = envelope
    self.parameters = parameters
    self.requestNonce = requestNonce
  }

  /// - Throws: `malformed` for members that the version does not have or lacks; `notAuthentic`; `tooLong`.
  public func decrypt(_ response: ECIESResponse) throws(PowerAuthError) -> Data {
    guard response.encryptedData.count <= ECIES.plaintextMax + AES128CBC.blockBytes else {
      throw .tooLong(.cryptogram)
    }
    guard response.hasShape(of: parameters.version) else { throw .malformed(.cryptogram) }
    return try envelope.open(
      response.encryptedData, mac: response.mac,
      nonce: parameters.version.hasResponseNonce ? response.nonce : requestNonce,
      macInfo: parameters.macInfo(nonce: response.nonce, timestamp: response.timestamp, ephemeralPublicKey: nil))
  }
}
