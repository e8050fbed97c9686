// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Kit
import PowerAuthCore

/// What devices are handed: tokens, the vault's key, temporary keys (powerauth.md §4.5, §7, §8).
struct CredentialCalls: Sendable {
  let activations: Activations
  let limits: PowerAuthLimits

  /// Whatever the plaintext says: the published one is `{}`.
  @Sendable
  func createToken(_ call: DeviceCall<FactorProof>) async throws -> Data {
    try WireJSON.encode(try await activations.createToken(for: call.proof.activation, type: call.proof.factors))
  }

  @Sendable
  func removeToken(_ call: DeviceCall<FactorProof>) async throws -> TokenReference {
    let reference = try call.requestObject(as: TokenReference.self)
    guard let id = try? TokenIdentifier(text: reference.tokenId) else { throw Problem.requestUnreadable }
    try await activations.removeToken(id, of: call.proof.activation)
    return TokenReference(tokenId: id.text)
  }

  @Sendable
  func unlockVault(_ call: DeviceCall<FactorProof>) async throws -> Data {
    guard let asked = try? call.content(as: UnlockVaultRequest.self) else { throw Problem.secureVaultInvalid }
    let key = try await activations.vaultKey(of: call.proof.activation, reason: asked.knownReason)
    return try WireJSON.encode(UnlockVaultResponse(encryptedVaultEncryptionKey: key.base64EncodedString()))
  }

  /// - Throws: `Problem` temporary-key-failure, whatever is wrong with the question.
  @Sendable
  func createTemporaryKey(_ call: DeviceCall<NoProof>) async throws -> TemporaryKeyMessage {
    guard let jwt = try? call.requestObject(as: TemporaryKeyMessage.self).jwt,
      let claims = try? UnverifiedTemporaryKeyRequest(token: jwt)
    else { throw Problem.temporaryKeyFailure }
    if let id = claims.claimedActivationIdentifier { try limits.spend(id, address: call.clientAddress) }
    return TemporaryKeyMessage(jwt: try await activations.temporaryKey(jwt: jwt))
  }
}
