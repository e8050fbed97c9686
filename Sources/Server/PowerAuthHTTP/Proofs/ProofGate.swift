// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Kit
import PowerAuthCore

/// Checks what requests claim. Each method is one claim; `ProofRequirement` says which ones a call needs, and in which
/// order.
struct ProofGate: Sendable {
  let activations: Activations

  /// Whose keys a body is encrypted with.
  struct Keys: Equatable {
    let version: ProtocolVersion
    let applicationKey: ApplicationKey
    /// Nil in the scope of the application.
    let activation: ActivationIdentifier?
  }

  // MARK: Headers

  /// - Throws: `Problem` header-missing, signature-invalid.
  func signatureHeader(_ request: DeviceRequest) throws -> SignatureHeader {
    guard let value = try request.header(SignatureHeader.name, orThrow: .signatureInvalid) else {
      throw Problem.headerMissing
    }
    guard let header = try? SignatureHeader(value: value), Self.isOurs(header.activationIdentifier.text) else {
      throw Problem.signatureInvalid
    }
    return header
  }

  /// Every id that this server gives away is in lower case. Signatures and digests do not cover the spelling, so that
  /// another one could only be a change on the way.
  private static func isOurs(_ id: String) -> Bool { !id.utf8.contains { (0x41...0x5a).contains($0) } }

  /// The keys that a signature header names. An encryption header need not come beside it; one that does must agree.
  /// - Throws: `Problem` encryption-failed.
  func keys(_ header: SignatureHeader, _ request: DeviceRequest) throws -> Keys {
    let keys = Keys(
      version: header.version, applicationKey: header.applicationKey, activation: header.activationIdentifier)
    guard let other = try encryptionHeader(request) else { return keys }
    guard other == keys else { throw Problem.encryptionFailed }
    return keys
  }

  /// The keys of the encryption header, which must be in a scope.
  /// - Throws: `Problem` encryption-failed.
  func keys(_ scope: EncryptorScope, _ request: DeviceRequest) throws -> Keys {
    guard let keys = try encryptionHeader(request), (keys.activation != nil) == (scope == .activation) else {
      throw Problem.encryptionFailed
    }
    return keys
  }

  private func encryptionHeader(_ request: DeviceRequest) throws -> Keys? {
    guard let value = try request.header(EncryptionHeader.name, orThrow: .encryptionFailed) else { return nil }
    guard let header = try? EncryptionHeader(value: value), Self.isOurs(header.activationIdentifier?.text ?? "") else {
      throw Problem.encryptionFailed
    }
    return Keys(
      version: header.version, applicationKey: header.applicationKey, activation: header.activationIdentifier)
  }

  // MARK: Claims

  /// A signature over bytes: the request's own, or what was in its envelope.
  /// - Throws: `Problem` signature-invalid, signature-type-invalid.
  func signature(
    _ header: SignatureHeader, of request: DeviceRequest, uriID: String, over bytes: Data,
    by factors: Set<SignatureType>
  ) async throws -> FactorProof {
    FactorProof(
      try await activations.verify(
        header, method: request.method, uriID: uriID, body: bytes, allowed: factors
      ).require())
  }

  /// - Throws: `Problem` header-missing, token-invalid, signature-type-invalid.
  func token(_ request: DeviceRequest, by factors: Set<SignatureType>) async throws -> FactorProof {
    guard let value = try request.header(TokenHeader.name, orThrow: .tokenInvalid) else { throw Problem.headerMissing }
    guard let header = try? TokenHeader(value: value), Self.isOurs(header.tokenIdentifier.text) else {
      throw Problem.tokenInvalid
    }
    return FactorProof(try await activations.verify(header, allowed: factors).require())
  }

  /// A request's body is an envelope.
  /// - Throws: `Problem` encryption-failed, also when its temporary key has gone; temporary-key-missing.
  func decrypt(_ body: Data, _ encryptor: EncryptorIdentifier, _ keys: Keys) async throws -> Decrypted {
    guard let envelope = try? WireJSON.decode(ECIESRequest.self, from: body) else {
      throw Problem.encryptionFailed
    }
    return try await decrypt(envelope, encryptor, keys)
  }

  /// The same where a signature's header names the keys. An envelope without a temporary key is then one of 3.2: apps
  /// whose networking was written for SDK 1.8 encrypt by 3.2 and sign by 3.3, and send no header that says the former.
  /// The version is under the envelope's MAC, and must be one that the application takes.
  func decryptSigned(_ body: Data, _ encryptor: EncryptorIdentifier, _ keys: Keys) async throws -> Decrypted {
    guard let envelope = try? WireJSON.decode(ECIESRequest.self, from: body) else {
      throw Problem.encryptionFailed
    }
    guard keys.version.hasTemporaryKey, envelope.temporaryKeyIdentifier == nil else {
      return try await decrypt(envelope, encryptor, keys)
    }
    let older = Keys(version: .v32, applicationKey: keys.applicationKey, activation: keys.activation)
    return try await decrypt(envelope, encryptor, older)
  }

  func decrypt(_ envelope: ECIESRequest, _ encryptor: EncryptorIdentifier, _ keys: Keys) async throws -> Decrypted {
    guard !keys.version.hasTemporaryKey || envelope.temporaryKeyIdentifier != nil else {
      throw Problem.temporaryKeyMissing
    }
    return try await activations.decrypt(
      envelope, encryptor, version: keys.version, applicationKey: keys.applicationKey,
      activation: keys.activation)
  }
}
