// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// A person whose device is gone activates another one with a code and a PUK that they wrote down.
extension Activations {
  package static let puksMax = 100

  /// A code on paper for a user, with PUKs that are asked for one after the other; good once the user confirmed it
  /// with their device.
  /// - Throws: `Problem` not found or validation.
  package func issueRecoveryCode(
    user: String, application id: PowerAuthApplication.ID, puks: Int, by actor: ActivationActor
  ) async throws -> IssuedRecoveryCode {
    try await database.write { [self] tx in
      try issueRecoveryCode(user: user, application: id, puks: puks, by: actor, in: tx)
    }
  }

  /// The same in the caller's transaction.
  package func issueRecoveryCode(
    user: String, application id: PowerAuthApplication.ID, puks: Int, by actor: ActivationActor,
    in tx: any SQLTransaction
  ) throws -> IssuedRecoveryCode {
    guard Self.isUser(user) else {
      throw Problem.validation([
        .init("/user_id", "length", "A user has 1 to \(Self.userLengthMax) bytes and no control characters.")
      ])
    }
    guard (1...Self.puksMax).contains(puks) else {
      throw Problem.validation([.init("/puk_count", "range", "1 to \(Self.puksMax) PUKs.")])
    }
    guard let application = try PowerAuthApplicationStore(tx).find(id) else { throw Problem.notFound }
    return try issueRecovery(
      user: user, application: application, activation: nil, puks: puks, state: .created, by: actor, in: tx)
  }

  /// Takes a code on paper into use; its user's activation signed for it (powerauth.md §8).
  /// - Returns: whether it was in use before.
  /// - Throws: `Problem.recoveryInvalid`.
  package func confirmRecovery(_ code: RecoveryCode, of activation: Activation) async throws -> Bool {
    let digest = digest(ofRecovery: code)
    return try await database.write { [self] tx in
      let store = RecoveryStore(tx)
      guard var row = try store.find(codeDigest: digest), row.application == activation.application,
        row.userDigest == userDigest(activation.user, tenant: activation.tenant)
      else { throw Problem.recoveryInvalid }
      switch row.state {
      case .active: return true
      case .blocked, .revoked: throw Problem.recoveryInvalid
      case .created:
        row.state = .active
        try store.save(row)
        try audit.append(
          "recovery.confirmed", to: Self.chain(activation.id), by: ActivationActor.device.text,
          facts: ["code": row.id.rawValue], in: tx)
        return false
      }
    }
  }

  func issueRecovery(
    user: String, application: PowerAuthApplication, activation: Activation.ID?, puks count: Int,
    state: RecoveryCodeRow.State, by actor: ActivationActor = .system, in tx: any SQLTransaction
  ) throws -> IssuedRecoveryCode {
    let code = RecoveryCode(ActivationCode(Randomness(world.random)))
    let id = RecoveryCodeRow.ID(world)
    let puks = try (0..<count).map { _ in
      let digits = String(world.number(below: 10_000_000_000))
      return try RecoveryPUK(
        text: String(repeating: "0", count: RecoveryPUK.digits - digits.count) + digits)
    }
    let digest = userDigest(user, tenant: application.tenant)
    let subject = KeySubject.activationUser(digest, tenant: application.tenant)
    let sealedUser = try vault.seal(Data(user.utf8), context: Self.context(id), of: subject, in: tx)
    try vault.holdSubjectKey(of: subject, in: tx)
    let row = RecoveryCodeRow(
      id: id, application: application.id, activation: activation, state: state, version: 1, userDigest: digest,
      sealedUser: sealedUser, codeDigest: self.digest(ofRecovery: code),
      pukIndex: 1, failedAttempts: 0, createdAt: world.now())
    try RecoveryStore(tx).insert(
      row, puks: puks.enumerated().map { self.digest(of: $0.element, index: $0.offset + 1, for: id) })
    try audit.append(
      "recovery.issued", to: activation.map(Self.chain) ?? PowerAuthApplications.chain(application.id),
      by: actor.text, facts: ["code": id.rawValue], in: tx)
    return IssuedRecoveryCode(code: code, puks: puks)
  }

  /// A new activation in place of the one that the code belongs to. A wrong PUK counts, and too many block the code:
  /// then no PUK is asked for any more, and the refusal names none.
  /// - Parameter puk: nil for a text that is no PUK, which counts as a wrong one: the published server compares
  ///   whatever comes, and tells which PUK it asks for.
  func recover(
    _ device: NewDevice, _ agreement: KeyAgreement, _ code: RecoveryCode, _ puk: RecoveryPUK?,
    release: PowerAuthApplicationStore.Release, in tx: any SQLTransaction
  ) throws -> ActivationCreation {
    let store = RecoveryStore(tx)
    guard var row = try store.find(codeDigest: digest(ofRecovery: code)), row.application == release.application.id,
      row.state == .active, let expected = try store.pukDigest(of: row.id, index: row.pukIndex),
      let sealedUser = try vault.kept(row.sealedUser, context: Self.context(row.id), in: tx)
    else { throw Problem.activationInvalid }
    let chain = row.activation.map(Self.chain) ?? PowerAuthApplications.chain(release.application.id)
    guard let puk,
      Data(expected.utf8).isEqualInConstantTime(to: Data(digest(of: puk, index: row.pukIndex, for: row.id).utf8))
    else {
      row.failedAttempts += 1
      if row.failedAttempts >= policy.recoveryAttemptsMax { row.state = .blocked }
      try store.save(row)
      try audit.append(
        row.state == .blocked ? "recovery.blocked" : "recovery.refused", to: chain,
        by: ActivationActor.device.text, facts: ["code": row.id.rawValue], in: tx)
      return .refused(ActivationRefusal(currentRecoveryPukIndex: row.state == .blocked ? nil : row.pukIndex))
    }
    row.pukIndex += 1
    row.failedAttempts = 0
    if try store.pukDigest(of: row.id, index: row.pukIndex) == nil { row.state = .revoked }
    try store.save(row)
    try audit.append(
      "recovery.used", to: chain, by: ActivationActor.device.text, facts: ["code": row.id.rawValue], in: tx)
    let lost = try row.activation.flatMap { try ActivationStore(tx).find($0) }
    let keepsOld = policy.recoveryKeepsOldDevice && !policy.recoveryCommitsItself
    if !keepsOld, let lost { try replace(lost, by: .device, in: tx) }
    let user = String(decoding: sealedUser, as: UTF8.self)
    let prepared = newRow(
      release.application, user: user,
      // A user who was not verified on the old device is not verified on the new one.
      flags: lost?.flags.filter(Activation.unverifiedFlags.contains) ?? [],
      commitsItself: policy.recoveryCommitsItself, replaces: keepsOld ? lost?.id : nil)
    let fresh = try insert(
      prepared, ActivationDetails(user: user, device: .init(), externalID: nil), by: .device, in: tx)
    return .created(
      try enter(device, agreement, into: fresh, commits: fresh.commitsItself, release: release, in: tx))
  }

  /// Ends a device whose place another one takes, unless it has ended already.
  func replace(_ lost: ActivationRow, by actor: ActivationActor, in tx: any SQLTransaction) throws {
    guard activationFlow.allows(.replaced, from: lost.state) else { return }
    _ = try move(lost, on: .replaced, by: actor, in: tx)
  }

  private static func context(_ id: RecoveryCodeRow.ID) -> String { "recovery_code.sealed_user:\(id)" }

  private func digest(ofRecovery code: RecoveryCode) -> String { vault.digest(code.text, for: "recovery code") }

  private func digest(of puk: RecoveryPUK, index: Int, for id: RecoveryCodeRow.ID) -> String {
    vault.digest("\(id) \(index) \(puk.text)", for: "recovery puk")
  }
}
