import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Checks the signature of a request (powerauth.md §5.5). Its own transaction: counter and attempts are committed
  /// whatever comes after.
  ///
  /// Of requests that race with one counter exactly one is valid: the row is written on the version that was read, and
  /// who comes second decides again on the newer one.
  /// - Parameters:
  ///   - uriID: what the endpoint is called in signatures, not its path.
  ///   - body: as it was signed: for own endpoints the encrypted, for an application's the decrypted one; for `GET`
  ///     the canonical query.
  /// - Throws: `Problem.unavailable` when the race was lost too often.
  package func verify(
    _ header: SignatureHeader, method: String, uriID: String, body: Data, allowed: Set<SignatureType>
  ) async throws -> SignatureOutcome {
    guard allowed.contains(header.type) else { return .wrongType }
    let release = try await database.read { try PowerAuthApplicationStore($0).release(header.applicationKey) }
    guard let release, release.version.isSupported else { return .invalid(nil, remainingAttempts: nil) }
    let claim = SignatureCheck.Claim(
      text: header.signature, types: [header.type],
      data: try NormalizedData(
        method: method, uriIdentifier: uriID, nonce: header.nonce, body: body,
        applicationSecret: try release.secret(vault)),
      format: header.version.onlineSignatureFormat)
    return try await settle(
      claim, of: Activation.ID(header.activationIdentifier), application: release.application.id,
      facts: ["protocol": header.version.rawValue])
  }

  /// Finds what the claim comes to and writes it, on the row as it is then.
  func settle(
    _ claim: SignatureCheck.Claim, of id: Activation.ID, application: PowerAuthApplication.ID?,
    facts: [String: String]
  ) async throws -> SignatureOutcome {
    let check = SignatureCheck(lookAhead: policy.lookAhead)
    for _ in 0..<policy.racesMax {
      let row = try await database.read { try ActivationStore($0).find(id) }
      guard let row, row.state == .active, row.application == application ?? row.application,
        let counter = row.counter, let sealed = row.sealedKeys,
        let keys = try ActivationSecrets(sealed, of: id, by: vault).full?.signature
      else {
        try waste(claim, check, on: id)
        return .invalid(try row.map(activation), remainingAttempts: nil)
      }
      let verdict = try check.verdict(on: claim, keys: keys, counter: counter)
      do { return try await write(verdict, on: row, claim: claim, facts: facts) } catch SQLError.outdated { continue }
    }
    throw Problem.unavailable
  }

  private func write(
    _ verdict: SignatureCheck.Verdict, on row: ActivationRow, claim: SignatureCheck.Claim, facts: [String: String]
  ) async throws -> SignatureOutcome {
    switch verdict {
    case .valid(let type, let ahead, let next):
      return try await database.write { [self] tx in
        var proven = row
        proven.counter = next
        proven.lastUsedAt = world.now()
        if type.countsAttempts { proven.failedAttempts = 0 }
        let saved = try ActivationStore(tx).saveProof(proven)
        try audit.append(
          "signature.verified", to: Self.chain(row.id), by: ActivationActor.device.text,
          facts: facts.merging(["type": type.rawValue, "ahead": "\(ahead)"]) { $1 }, in: tx)
        return .valid(try activation(saved), type)
      }
    case .invalid(counts: false):
      return .invalid(try activation(row), remainingAttempts: try activation(row).remainingAttempts)
    case .invalid(counts: true):
      return try await database.write { [self] tx in
        var failed = row
        failed.failedAttempts += 1
        let left = max(0, row.maxFailedAttempts - failed.failedAttempts)
        let facts = facts.merging([
          "type": claim.types.map(\.rawValue).joined(separator: " "), "left": "\(left)",
        ]) { $1 }
        if left == 0 {
          let saved = try move(failed, on: .attemptsExhausted, by: .device, facts: facts, in: tx) {
            $0.blockedReason = Self.attemptsReason
          }
          return .invalid(try activation(saved), remainingAttempts: 0)
        }
        let saved = try ActivationStore(tx).saveProof(failed)
        try audit.append(
          "signature.refused", to: Self.chain(row.id), by: ActivationActor.device.text, facts: facts, in: tx)
        return .invalid(try activation(saved), remainingAttempts: left)
      }
    }
  }

  /// The reference server's word for it.
  package static let attemptsReason = "MAX_FAILED_ATTEMPTS"

  /// As much work as a wrong signature costs, so that the time taken does not tell who exists.
  private func waste(_ claim: SignatureCheck.Claim, _ check: SignatureCheck, on id: Activation.ID) throws {
    let sealed = try ActivationSecrets.decoy(world).sealed(for: id, by: vault)
    guard let keys = try ActivationSecrets(sealed, of: id, by: vault).full?.signature else { return }
    _ = try check.verdict(on: claim, keys: keys, counter: SignatureCounter(data: CounterData(Randomness(world.random))))
  }
}
