// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Tokens that stand for a signature that was made once (powerauth.md §7), and the vault's key (§8).
extension Activations {
  /// Tokens of one activation; an app that makes more loses its oldest. Every name of the published SDKs fits.
  package static let tokensMax = 64

  /// - Parameter type: of the signature that asks for it.
  /// - Throws: `Problem.tokenInvalid` when the activation is not active any more.
  package func createToken(for activation: Activation, type: SignatureType) async throws -> CreatedToken {
    let secret = SecretKey(Randomness(world.random))
    let id = ActivationTokenRow.ID(rawValue: world.randomUUID())
    let row = ActivationTokenRow(
      id: id, activation: activation.id, type: type,
      sealedSecret: try vault.seal(secret.bytes, context: Self.context(id)), createdAt: world.now())
    try await database.write { [self] tx in
      try requireActive(activation.id, or: .tokenInvalid, in: tx)
      let store = ActivationTokenStore(tx)
      try store.insert(row)
      try store.deleteOldest(of: activation.id, keeping: Self.tokensMax)
      try audit.append(
        "token.created", to: Self.chain(activation.id), by: ActivationActor.device.text,
        facts: ["token": id.rawValue, "type": type.rawValue], in: tx)
    }
    return CreatedToken(tokenId: id.rawValue, tokenSecret: secret.bytes.base64EncodedString())
  }

  /// Another activation's token stays. No error when it is absent.
  package func removeToken(_ id: TokenIdentifier, of activation: Activation) async throws {
    let id = ActivationTokenRow.ID(rawValue: id.text.lowercased())
    try await database.write { [audit] tx in
      guard try ActivationTokenStore(tx).delete(id, of: activation.id) else { return }
      try audit.append(
        "token.removed", to: Self.chain(activation.id), by: ActivationActor.device.text,
        facts: ["token": id.rawValue], in: tx)
    }
  }

  /// Checks a token's header. A digest works once, and only while its activation is active.
  /// - Parameter tenant: whose it must be; another's digest is not used up.
  /// - Throws: `Problem.protocolTooOld`, with nothing used up.
  package func verify(
    _ header: TokenHeader, allowed: Set<SignatureType>, tenant: String? = nil
  ) async throws -> TokenOutcome {
    switch try await check(header, allowed: allowed, tenant: tenant) {
    case .decided(let outcome): return outcome
    case .pending(let token): return try await database.write { [self] tx in try use(token, in: tx) }
    }
  }

  /// Checks a token's header, and uses nothing up. The parameters and problems are those of `verify`.
  package func check(
    _ header: TokenHeader, allowed: Set<SignatureType>, tenant: String? = nil
  ) async throws -> CheckedProof<TokenOutcome, PendingToken> {
    let id = ActivationTokenRow.ID(rawValue: header.tokenIdentifier.text.lowercased())
    let clock = UInt64(max(0, world.wall().milliseconds))
    guard TokenDigest.isTimely(header.timestamp, now: clock) else { return .decided(.invalid) }
    let found = try await database.look { [self] tx in
      try ActivationTokenStore(tx).find(id).flatMap { token in
        try ActivationStore(tx).find(token.activation).flatMap { row in
          try known(row, in: tx).map { (token: token, row: row, activation: $0) }
        }
      }
    }
    guard let (token, row, activation) = found, row.state == .active, row.tenant == tenant ?? row.tenant,
      TokenDigest.verifies(
        header, secret: try SecretKey(try vault.open(token.sealedSecret, context: Self.context(id))))
    else { return .decided(.invalid) }
    guard header.version >= row.protocolMin else { throw Problem.protocolTooOld }
    guard allowed.contains(token.type) else { return .decided(.wrongType) }
    // Remembered for as long as its time would be taken.
    let until = Instant(milliseconds: Int64(clamping: max(clock, header.timestamp) + TokenDigest.pastMax))
    return .pending(
      PendingToken(
        digest: "token \(id) \(header.nonce.hex)", until: until + World.clocksApartMax,
        valid: .valid(activation, token.type)))
  }

  /// Uses a token's digest up.
  package func use(_ token: PendingToken, in tx: any SQLTransaction) throws -> TokenOutcome {
    try SeenStore(tx).insert(token.digest, until: token.until) ? token.valid : .invalid
  }

  /// `encryptedVaultEncryptionKey`, 32 bytes, for a device whose signature was checked before.
  /// - Throws: `Problem.signatureInvalid` when the activation is not active any more.
  package func vaultKey(of activation: Activation, reason: VaultUnlockReason) async throws -> Data {
    let secrets = try await database.write { [self] tx in
      let row = try requireActive(activation.id, or: .signatureInvalid, in: tx)
      try audit.append(
        "vault.unlocked", to: Self.chain(activation.id), by: ActivationActor.device.text,
        facts: ["reason": reason.rawValue], in: tx)
      return try row.sealedKeys.map { try ActivationSecrets($0, of: row.id, by: vault) }
    }
    guard let secrets, let vaultKey = secrets.full?.vault else { throw Problem.signatureInvalid }
    return SecureVault.encrypted(vaultKey, transportKey: secrets.transport)
  }

  @discardableResult
  private func requireActive(
    _ id: Activation.ID, or problem: Problem, in tx: any SQLTransaction
  ) throws -> ActivationRow {
    guard let row = try ActivationStore(tx).find(id), row.state == .active else { throw problem }
    return row
  }

  private static func context(_ id: ActivationTokenRow.ID) -> String { "activation_token.sealed_secret:\(id)" }
}
