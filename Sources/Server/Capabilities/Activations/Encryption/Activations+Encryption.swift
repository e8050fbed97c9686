// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Decrypts a request (powerauth.md §4). The rules, in order:
  /// 1. The app's version is supported; in the scope of an activation that is of the app and active.
  /// 2. The key is the one that the version of the protocol calls for, and a temporary one is of this scope.
  /// 3. A request with a time is from the last or next minute. The reference takes older ones, which could come again.
  /// 4. The MAC holds.
  /// 5. It was not seen before: of two that race, one is decrypted.
  /// - Parameter activation: from the header; nil in the scope of the application.
  /// - Throws: `Problem.protocolTooOld`; `Problem.encryptionFailed` whatever else is wrong with it.
  package func decrypt(
    _ request: ECIESRequest, _ identifier: EncryptorIdentifier, version: ProtocolVersion,
    applicationKey: ApplicationKey, activation: ActivationIdentifier? = nil
  ) async throws -> Decrypted {
    guard (identifier.scope == .activation) == (activation != nil) else { throw Problem.encryptionFailed }
    let clock = UInt64(max(0, world.wall().milliseconds))
    if version.hasTimestamp, !(request.timestamp.map { ECIES.isTimely($0, now: clock) } ?? false) {
      throw Problem.encryptionFailed
    }
    let envelope = try await database.look { [self] tx in
      try opener(
        of: request, identifier, version: version, applicationKey: applicationKey, activation: activation, in: tx)
    }
    guard let opened = try? envelope.decryptor.decrypt(request) else { throw Problem.encryptionFailed }
    let seen = request.replayKey(version: version, identifier: activation?.text.lowercased() ?? applicationKey.text)
    let latest = max(clock, request.timestamp ?? 0) + ECIES.lifetime(of: version)
    let until = Instant(milliseconds: Int64(clamping: latest)) + World.clocksApartMax
    let (isNew, known) = try await database.write { [self] tx in
      (
        try SeenStore(tx).insert("ecies \(seen.hex)", until: until),
        try envelope.row.map { try self.activation($0, in: tx) }
      )
    }
    guard isNew else { throw Problem.encryptionFailed }
    return Decrypted(
      plaintext: opened.plaintext, answer: opened.answer, activation: known,
      application: envelope.application, world: world)
  }

  /// What opens a request, and whose it is.
  private struct Opener: Sendable {
    let decryptor: ECIESDecryptor
    let application: PowerAuthApplication
    let row: ActivationRow?
  }

  private func opener(
    of request: ECIESRequest, _ identifier: EncryptorIdentifier, version: ProtocolVersion,
    applicationKey: ApplicationKey, activation: ActivationIdentifier?, in tx: any SQLTransaction
  ) throws -> Opener {
    guard let release = try PowerAuthApplicationStore(tx).release(applicationKey), release.version.isSupported else {
      throw Problem.encryptionFailed
    }
    try release.require(version)
    let row = try activation.map { identifier in
      guard let row = try ActivationStore(tx).find(Activation.ID(identifier)), row.state == .active,
        row.application == release.application.id
      else { throw Problem.encryptionFailed }
      return row
    }
    guard
      let key = try privateKey(for: request, version: version, release: release, row: row, in: tx),
      let parameters = try parameters(
        identifier, version: version, release: release, row: row, activation: activation,
        temporaryKey: request.temporaryKeyIdentifier)
    else { throw Problem.encryptionFailed }
    return Opener(
      decryptor: ECIESDecryptor(parameters: parameters, privateKey: key), application: release.application, row: row)
  }

  private func privateKey(
    for request: ECIESRequest, version: ProtocolVersion, release: PowerAuthApplicationStore.Release,
    row: ActivationRow?, in tx: any SQLTransaction
  ) throws -> ECPrivateKey? {
    if version.hasTemporaryKey {
      return try request.temporaryKeyIdentifier.flatMap { identifier in
        try temporaryKeys.find(
          identifier, applicationKey: release.version.applicationKey, activation: row?.id, now: world.wall(), in: tx)
      }
    }
    guard let row else { return try applications.keys.key(of: release.version, in: tx) }
    return try KeyAgreement.serverKey(of: row, by: vault)
  }

  private func parameters(
    _ identifier: EncryptorIdentifier, version: ProtocolVersion, release: PowerAuthApplicationStore.Release,
    row: ActivationRow?, activation: ActivationIdentifier?, temporaryKey: String?
  ) throws -> ECIESParameters? {
    let (key, secret) = (release.version.applicationKey, try release.secret(vault))
    guard let row, let activation, let sealed = row.sealedKeys else {
      return try? ECIESParameters(
        version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
        temporaryKeyIdentifier: temporaryKey)
    }
    return try? ECIESParameters(
      version: version, identifier: identifier, applicationKey: key, applicationSecret: secret,
      activationIdentifier: activation,
      transportKey: try ActivationSecrets(sealed, of: row.id, by: vault).transport,
      temporaryKeyIdentifier: temporaryKey)
  }
}

/// A request that was authentic, timely and new.
package struct Decrypted: Sendable {
  package let plaintext: Data
  /// Encrypts the one answer.
  let answer: ECIESResponseEncryptor
  /// Whose keys it was encrypted with; nil in the scope of the application.
  package let activation: Activation?
  package let application: PowerAuthApplication
  let world: World

  /// The answer's envelope.
  /// - Throws: `PowerAuthError.tooLong`.
  package func encrypt(_ answer: Data) throws(PowerAuthError) -> ECIESResponse {
    try self.answer.encrypt(
      answer, timestamp: UInt64(max(0, world.wall().milliseconds)), randomness: Randomness(world.random))
  }
}
