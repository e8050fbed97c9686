// SPDX-License-Identifier: Apache-2.0

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
  ///   - client: the other server that asks on the device's behalf, for the audit.
  /// - Throws: `Problem.protocolTooOld`, with nothing counted; `Problem.unavailable` when the race was lost too often.
  package func verify(
    _ header: SignatureHeader, method: String, uriID: String, body: Data, allowed: Set<SignatureType>,
    for client: String? = nil
  ) async throws -> SignatureOutcome {
    try await settle(
      try await offer(header, method: method, uriID: uriID, body: body, allowed: allowed, for: client))
  }

  /// The signature of a request with what it stands over, before its keys are looked at. The parameters are those of
  /// `verify`.
  /// - Throws: `Problem.protocolTooOld`, with nothing counted.
  package func offer(
    _ header: SignatureHeader, method: String, uriID: String, body: Data, allowed: Set<SignatureType>,
    for client: String?
  ) async throws -> PresentedSignature {
    guard allowed.contains(header.type) else { return .refused(.wrongType) }
    let release = try await database.look { try PowerAuthApplicationStore($0).release(header.applicationKey) }
    guard let release, release.version.isSupported else { return .refused(.invalid(nil, remainingAttempts: nil)) }
    try release.require(header.version)
    let data = try NormalizedData(
      method: method, uriIdentifier: uriID, nonce: header.nonce, body: body,
      applicationSecret: try release.secret(vault))
    let claim = SignatureCheck.Claim(
      text: header.signature, types: [header.type], data: data, version: header.version)
    return .claimed(
      claim, of: Activation.ID(header.activationIdentifier), application: release.application.id,
      facts: Self.facts(header.version.rawValue, data, for: uriID, client))
  }

  /// Facts of the audit about a signature: what it is for as the endpoint is called, who asked, and a digest of what
  /// the device signed. Who has all of it can prove that this was signed; the body is in no line.
  static func facts(
    _ version: String, _ data: NormalizedData, for uriID: String, _ client: String?
  ) -> [String: String] {
    var facts = ["protocol": version, "uri": uriID.prefix(scalars: uriMax), "data": data.bytes.sha256Hex]
    facts["client"] = client
    return facts
  }

  /// Unicode scalars of the name of an endpoint in the audit.
  private static let uriMax = 128

  /// Judges an offered signature and writes what it changes, in a transaction of its own.
  func settle(_ offered: PresentedSignature) async throws -> SignatureOutcome {
    for _ in 0..<racesMax {
      switch try await judge(offered) {
      case .decided(let outcome): return outcome
      case .pending(let signature):
        do { return try await database.write { [self] tx in try enter(signature, in: tx) } } catch SQLError.outdated {
          continue
        }
      }
    }
    throw Problem.unavailable
  }

  /// How often a signature is judged again because another request moved the counter first.
  package var racesMax: Int { policy.racesMax }

  /// Compares an offered signature with the keys and the counter of its activation, as its row is now. Writes nothing.
  package func judge(
    _ offered: PresentedSignature
  ) async throws -> CheckedProof<SignatureOutcome, PendingSignature> {
    switch offered {
    case .refused(let outcome): return .decided(outcome)
    case .claimed(let claim, let id, let application, let facts):
      let check = SignatureCheck(lookAhead: policy.lookAhead)
      let (row, isGuessed) = try await database.look { [self] tx in
        (try ActivationStore(tx).find(id), try isSpent(claim, of: id, in: tx))
      }
      guard !isGuessed, let row, row.state == .active, row.application == application ?? row.application,
        claim.version.map(row.accepts) ?? true, let counter = row.counter, let sealed = row.sealedKeys,
        let keys = try ActivationSecrets(sealed, of: id, by: vault).full?.signature
      else {
        try waste(claim, check, on: id)
        let known = try await database.look { [self] tx -> Activation? in
          try row.flatMap { try self.known($0, in: tx) }
        }
        return .decided(.invalid(known, remainingAttempts: nil))
      }
      let verdict = try check.verdict(on: claim, keys: keys, counter: counter)
      return .pending(PendingSignature(verdict: verdict, row: row, claim: claim, facts: facts))
    }
  }

  /// Writes what a judged signature changes: its counter or its attempts, and the audit entry.
  /// - Throws: `SQLError.outdated` when the row changed since: the signature is judged again, at most `racesMax` times.
  package func enter(_ signature: PendingSignature, in tx: any SQLTransaction) throws -> SignatureOutcome {
    let (row, claim, facts) = (signature.row, signature.claim, signature.facts)
    switch signature.verdict {
    case .valid(let type, let ahead, let next):
      // Of guesses at one moment, those after the limit prove nothing either.
      guard try !isSpent(claim, of: row.id, in: tx) else { return try refusal(row, in: tx) }
      var proven = row
      proven.counter = next
      proven.lastUsedAt = world.now()
      if type.countsAttempts { proven.failedAttempts = 0 }
      let saved = try ActivationStore(tx).saveProof(proven)
      let known = try activation(saved, in: tx)
      if claim.isKept, type.factors.count > 1, !known.isUnverified(accepting: claim.acceptedFlags) {
        try SignedTextStore(tx, vault: vault).insert(
          claim.data, by: known, keySubject(of: known.user, tenant: known.tenant), at: world.now())
      }
      try audit.append(
        "signature.verified", to: Self.chain(row.id), by: ActivationActor.device.text,
        facts: facts.merging(["type": type.rawValue, "ahead": "\(ahead)"]) { $1 }, in: tx)
      return .valid(known, type)
    case .invalid(counts: false):
      let usage = try limits.count(policy.possessionFailures, by: row.id.rawValue, isTold: false, in: tx)
      // One entry records the guessing; more would only fill the audit log.
      if usage.isFirst { try note(claim, refusedFor: row, facts: facts, in: tx) }
      return try refusal(row, in: tx)
    case .invalid(counts: true):
      var failed = row
      failed.failedAttempts += 1
      let left = max(0, row.maxFailedAttempts - failed.failedAttempts)
      let facts = facts.merging(["left": "\(left)"]) { $1 }
      guard left == 0 else {
        let saved = try ActivationStore(tx).saveProof(failed)
        try note(claim, refusedFor: row, facts: facts, in: tx)
        return try refusal(saved, in: tx)
      }
      return try refusal(
        try move(
          failed, on: .attemptsExhausted, by: .device, facts: claim.facts(facts), blockedReason: Self.attemptsReason,
          in: tx), in: tx)
    }
  }

  private func note(
    _ claim: SignatureCheck.Claim, refusedFor row: ActivationRow, facts: [String: String], in tx: any SQLTransaction
  ) throws {
    try audit.append(
      "signature.refused", to: Self.chain(row.id), by: ActivationActor.device.text, facts: claim.facts(facts), in: tx)
  }

  private func refusal(_ row: ActivationRow, in tx: any SQLTransaction) throws -> SignatureOutcome {
    let activation = try activation(row, in: tx)
    return .invalid(activation, remainingAttempts: activation.remainingAttempts)
  }

  /// Whether possession of an activation was guessed at too often for another look. Digits can be guessed; sixteen
  /// bytes cannot, and with a limit there anyone who knows an id could lock the device out.
  private func isSpent(
    _ claim: SignatureCheck.Claim, of id: Activation.ID, in tx: any SQLTransaction
  ) throws -> Bool {
    guard !claim.countsAttempts, claim.format != .base64 else { return false }
    return try limits.isSpent(policy.possessionFailures, by: id.rawValue, in: tx)
  }

  /// The reference server's word for it.
  package static let attemptsReason = "MAX_FAILED_ATTEMPTS"

  /// The arithmetic of a wrong signature. What a wrong one writes is not done, so that time still tells something.
  private func waste(_ claim: SignatureCheck.Claim, _ check: SignatureCheck, on id: Activation.ID) throws {
    let sealed = try ActivationSecrets.decoy(world).sealed(for: id, by: vault)
    guard let keys = try ActivationSecrets(sealed, of: id, by: vault).full?.signature else { return }
    _ = try check.verdict(on: claim, keys: keys, counter: SignatureCounter(data: CounterData(Randomness(world.random))))
  }
}
