// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Makes a key that requests of 3.3 are encrypted to, for a question that only the app, or only the activation's
  /// device, can ask (powerauth.md §4.5). The activation must be active or blocked.
  /// - Returns: the answer's JWT.
  /// - Throws: `Problem.temporaryKeyFailure` whatever is wrong with the question.
  package func temporaryKey(jwt: String) async throws -> String {
    guard let question = try? UnverifiedTemporaryKeyRequest(token: jwt) else { throw Problem.temporaryKeyFailure }
    let keys = try await database.look { [self] tx in try self.keys(for: question, in: tx) }
    guard let keys, let request = try? question.verified(key: keys.asking) else { throw Problem.temporaryKeyFailure }
    let activation = request.activationIdentifier.map(Activation.ID.init)
    let made = try temporaryKeys.make(
      applicationKey: request.applicationKey, activation: activation, lifetime: policy.temporaryKeyLifetime,
      world: world)
    try await database.write { tx in
      // The activation was removed after the request was read. The removal deleted its keys, so none may be made now.
      if let activation {
        guard let state = try ActivationStore(tx).heldState(activation), Self.mayHaveTemporaryKey(state) else {
          throw Problem.temporaryKeyFailure
        }
      }
      try TemporaryKeyStore(tx).insert(made.row)
    }
    temporaryKeys.keep(made.key, made.row)
    let key = try TemporaryKey(
      identifier: made.row.id.rawValue, publicKey: made.key.publicKey,
      issuedAt: UInt64(max(0, world.wall().milliseconds)),
      lifetime: UInt64(max(0, policy.temporaryKeyLifetime.milliseconds)))
    return try key.token(answering: request, key: keys.signing)
  }

  private static func mayHaveTemporaryKey(_ state: ActivationState) -> Bool { state == .active || state == .blocked }

  private func keys(
    for question: UnverifiedTemporaryKeyRequest, in tx: any SQLTransaction
  ) throws -> (asking: SecretKey, signing: ECPrivateKey)? {
    guard let release = try PowerAuthApplicationStore(tx).release(question.claimedApplicationKey),
      release.version.isSupported
    else { return nil }
    let secret = try release.secret(vault)
    guard let identifier = question.claimedActivationIdentifier else {
      return (
        TemporaryKeyRequest.key(applicationSecret: secret), try applications.keys.key(of: release.version, in: tx)
      )
    }
    guard let row = try ActivationStore(tx).find(Activation.ID(identifier)), row.application == release.application.id,
      Self.mayHaveTemporaryKey(row.state), let sealed = row.sealedKeys,
      let signing = try KeyAgreement.serverKey(of: row, by: vault)
    else { return nil }
    let transport = try ActivationSecrets(sealed, of: row.id, by: vault).transport
    return (TemporaryKeyRequest.key(applicationSecret: secret, transportKey: transport), signing)
  }
}
