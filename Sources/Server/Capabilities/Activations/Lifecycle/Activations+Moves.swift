// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// What those who manage activations do to them. Each change is one audit line of the activation's own chain.
extension Activations {
  /// Makes an activation usable that a device joined.
  /// - Parameter otp: what the user was told, when the activation asks for it on commit.
  /// - Throws: `Problem` not found; `activation-state`; validation when an OTP is asked for and none came, which counts
  ///   nothing; `otp-invalid` with the tries left, each of which counts.
  package func commit(
    _ id: Activation.ID, otp: String? = nil, by actor: ActivationActor
  ) async throws -> Activation {
    let outcome: Result<Activation, Problem> = try await database.write { [self] tx in
      var row = try current(id, in: tx)
      guard activationFlow.allows(.committed, from: row.state) else { throw Problem.activationState(row.state.name) }
      if row.otp?.check == .onCommit, otp == nil {
        throw Problem.validation([.init("/otp", "required", "The OTP that the user was told.")])
      }
      if let refusal = try refusal(of: otp, for: row, check: .onCommit, by: actor, in: tx) {
        return .failure(
          Problem(.unprocessable, "otp-invalid", "The activation's OTP is wrong.")
            .with { $0.attemptsLeft = refusal.remainingAttempts })
      }
      try RecoveryStore(tx).activateAll(of: id)
      if let lost = try row.replaces.flatMap({ try ActivationStore(tx).find($0) }) {
        try replace(lost, by: actor, in: tx)
      }
      row.replaces = nil
      row.otp = nil
      row.failedAttempts = 0
      return .success(try activation(try move(row, on: .committed, by: actor, in: tx), in: tx))
    }
    return try outcome.get()
  }

  /// - Parameter reason: a code of up to 64 bytes; nil is `NOT_SPECIFIED`.
  /// - Throws: `Problem` not found, `activation-state` or validation.
  package func block(
    _ id: Activation.ID, reason: String? = nil, by actor: ActivationActor
  ) async throws -> Activation {
    try await database.write { [self] tx in try block(id, reason: reason, by: actor, in: tx) }
  }

  package func block(
    _ id: Activation.ID, reason: String?, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation {
    let reason = reason ?? "NOT_SPECIFIED"
    guard (1...64).contains(reason.utf8.count), reason.unicodeScalars.allSatisfy({ (0x20...0x7e).contains($0.value) })
    else { throw Problem.validation([.init("/reason", "format", "A reason has 1 to 64 ASCII characters.")]) }
    return try activation(
      try move(
        try current(id, in: tx), on: .blocked, by: actor, facts: ["reason": reason], blockedReason: reason, in: tx),
      in: tx)
  }

  /// - Throws: `Problem` not found or `activation-state`.
  package func unblock(_ id: Activation.ID, by actor: ActivationActor) async throws -> Activation {
    try await database.write { [self] tx in try unblock(id, by: actor, in: tx) }
  }

  package func unblock(
    _ id: Activation.ID, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation {
    var row = try current(id, in: tx)
    row.failedAttempts = 0
    return try activation(try move(row, on: .unblocked, by: actor, in: tx), in: tx)
  }

  /// The same by the table of two persons.
  /// - Parameters:
  ///   - reason: as it was agreed to.
  ///   - approval: the colleague's, of `Activation.unblocking`.
  /// - Throws: `Problem` not found, `activation-state` or `approval-required`.
  package func unblock(
    _ id: Activation.ID, because reason: String, agreedBy approval: String, by actor: ActivationActor,
    in tx: any SQLTransaction
  ) throws -> Activation {
    var row = try current(id, in: tx)
    row.failedAttempts = 0
    try mover.move(
      &row, on: .unblocked,
      of: ActivationMachine(vault: vault, blockedReason: nil, unblockReason: reason), by: actor.text,
      facts: ["reason": reason], approval: approval, in: tx)
    return try activation(row, in: tx)
  }

  /// Ends an activation for good, with its tokens and temporary keys.
  /// - Parameter revokingRecovery: also ends its recovery codes.
  /// - Throws: `Problem` not found or `activation-state`.
  package func remove(
    _ id: Activation.ID, revokingRecovery: Bool = false, by actor: ActivationActor
  ) async throws -> Activation {
    try await database.write { [self] tx in
      try remove(id, revokingRecovery: revokingRecovery, by: actor, in: tx)
    }
  }

  package func remove(
    _ id: Activation.ID, revokingRecovery: Bool = false, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Activation {
    let moved = try move(try current(id, in: tx), on: .removed, by: actor, in: tx)
    if revokingRecovery { try RecoveryStore(tx).revokeAll(of: id) }
    return try activation(moved, in: tx)
  }

  /// - Parameter name: 1 to 255 bytes.
  /// - Throws: `Problem` not found, `activation-state` or validation.
  package func rename(
    _ id: Activation.ID, to name: String, by actor: ActivationActor
  ) async throws -> Activation {
    guard !name.isEmpty, NewDevice.isStorable(name, max: NewDevice.nameMax) else {
      throw Problem.validation([.init("/activationName", "length", "A name has 1 to \(NewDevice.nameMax) bytes.")])
    }
    return try await database.write { [self] tx in
      var row = try living(id, in: tx)
      var details = try details(of: row, in: tx)
      details.device.name = name
      row.sealedDetails = try details.sealed(for: row, by: vault, in: tx)
      // The name itself is the user's and stays out of the audit.
      return try activation(try save(row, "activation.renamed", by: actor, in: tx), in: tx)
    }
  }

  // MARK: Changes

  /// - Parameter blockedReason: of a move to `blocked`.
  /// - Throws: `Problem` `activation-state` when the table has no such row; `SQLError.outdated`.
  func move(
    _ row: ActivationRow, on event: ActivationEvent, by actor: ActivationActor, facts: [String: String] = [:],
    blockedReason: String? = nil, in tx: any SQLTransaction
  ) throws -> ActivationRow {
    var moved = row
    try mover.move(
      &moved, on: event, of: ActivationMachine(vault: vault, blockedReason: blockedReason), by: actor.text,
      facts: facts, in: tx)
    return moved
  }

  /// A change that is no move.
  func save(
    _ row: ActivationRow, _ action: String, by actor: ActivationActor, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws -> ActivationRow {
    let saved = try ActivationStore(tx).save(row)
    try audit.append(action, to: Self.chain(row.id), by: actor.text, facts: facts, in: tx)
    return saved
  }

  /// Compares the additional OTP of an activation, and counts a wrong one.
  /// - Returns: nil when it is right or not asked for here.
  func refusal(
    of otp: String?, for row: ActivationRow, check: ActivationOTPCheck, by actor: ActivationActor,
    in tx: any SQLTransaction
  ) throws -> ActivationRefusal? {
    guard let expected = row.otp, expected.check == check else { return nil }
    let digest = Self.digest(ofOTP: otp ?? "", for: row.id, by: vault)
    if otp != nil, Data(expected.digest.utf8).isEqualInConstantTime(to: Data(digest.utf8)) { return nil }
    let failed = row.failedAttempts + 1
    let left = max(0, row.maxFailedAttempts - failed)
    var counted = row
    counted.failedAttempts = failed
    if left == 0 {
      _ = try move(counted, on: .otpExhausted, by: actor, in: tx)
    } else {
      _ = try save(counted, "activation.otpRefused", by: actor, facts: ["left": "\(left)"], in: tx)
    }
    return ActivationRefusal(remainingAttempts: left)
  }

  static func digest(ofOTP otp: String, for id: Activation.ID, by vault: Vault) -> String {
    vault.digest("\(id) \(otp)", for: "activation otp")
  }

  static func chain(_ id: Activation.ID) -> String { "activation:\(id)" }

  /// The row as it counts now.
  /// - Throws: `Problem` not found.
  func current(_ id: Activation.ID, in tx: any SQLTransaction) throws -> ActivationRow {
    guard var row = try ActivationStore(tx).find(id) else { throw Problem.notFound }
    row.state = row.state(at: world.now())
    return row
  }

  /// - Throws: `Problem` not found, or `activation-state` when it is removed.
  func living(_ id: Activation.ID, in tx: any SQLTransaction) throws -> ActivationRow {
    let row = try current(id, in: tx)
    guard row.state != .removed else { throw Problem.activationState(row.state.name) }
    return row
  }

  /// - Throws: `Problem` not found when the user was erased.
  func activation(_ row: ActivationRow, in tx: any SQLTransaction) throws -> Activation {
    activation(row, try details(of: row, in: tx))
  }

  /// Nil when the user was erased: the row is of a copy that was restored, and is deleted by the same erasure.
  func known(_ row: ActivationRow, in tx: any SQLTransaction) throws -> Activation? {
    try ActivationDetails.open(row, by: vault, in: tx).map { activation(row, $0) }
  }

  func details(of row: ActivationRow, in tx: any SQLTransaction) throws -> ActivationDetails {
    guard let details = try ActivationDetails.open(row, by: vault, in: tx) else { throw Problem.notFound }
    return details
  }

  func activation(_ row: ActivationRow, _ details: ActivationDetails) -> Activation {
    Activation(
      id: row.id, application: row.application, tenant: row.tenant, applicationVersion: row.applicationVersion,
      user: details.user, state: row.state(at: world.now()), blockedReason: row.blockedReason, device: details.device,
      externalID: details.externalID, flags: row.flags, failedAttempts: row.failedAttempts,
      maxFailedAttempts: row.maxFailedAttempts, publicKeys: row.publicKeys, createdAt: row.createdAt,
      expiresAt: row.expiresAt, lastUsedAt: row.lastUsedAt, version: row.version)
  }
}
