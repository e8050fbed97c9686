// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

extension Activations {
  package static let userLengthMax = 255
  package static let validityMax = Duration.days(30)
  package static let otpLengths = 4...64

  /// Prepares an activation by code (powerauth.md §3.1).
  /// - Returns: the code, which is kept nowhere, also as texts for a QR code.
  /// - Throws: `Problem` not found or validation.
  package func initiate(
    _ wish: InitiateActivation, by actor: ActivationActor
  ) async throws -> InitiatedActivation {
    let prepared = try await prepare(wish)
    try await database.write { [self] tx in try insert(prepared, by: actor, in: tx) }
    return prepared.initiated
  }

  /// Writes an activation that was prepared.
  package func insert(_ prepared: PreparedActivation, by actor: ActivationActor, in tx: any SQLTransaction) throws {
    _ = try insert(prepared.row, prepared.details, by: actor, in: tx)
  }

  /// An activation by code, which `insert` writes.
  /// - Throws: `Problem` not found or validation.
  package func prepare(_ wish: InitiateActivation) async throws -> PreparedActivation {
    let flags = try check(wish)
    let code = ActivationCode(Randomness(world.random))
    let (application, keys) = try await database.read { [applications] tx in
      guard let application = try PowerAuthApplicationStore(tx).find(wish.application) else { throw Problem.notFound }
      return (application, try applications.keys.inUse(of: application.id, in: tx))
    }
    let signed = try keys.map { (generation: $0.generation, code: try ScannedCode(code, signedBy: $0.key)) }
    guard let newest = signed.first, let signature = newest.code.signature else { throw Problem.notFound }
    let details = ActivationDetails(user: wish.user, device: .init(), externalID: wish.externalID)
    var row = newRow(
      application, user: wish.user, flags: flags, validity: wish.validity, maxFailedAttempts: wish.maxFailedAttempts,
      commitsItself: wish.commitsItself
    ) { id in
      wish.otp.map {
        .init(digest: Self.digest(ofOTP: $0, for: id, by: vault), check: wish.otpCheck ?? .onKeyExchange)
      }
    }
    row.codeDigest = digest(of: code)
    return PreparedActivation(
      row: row, details: details,
      initiated: InitiatedActivation(
        activation: activation(row, details), code: code, signature: signature, scannable: newest.code.text,
        olderScannables: Dictionary(uniqueKeysWithValues: signed.dropFirst().map { ($0.generation, $0.code.text) })))
  }

  /// A row in `created`, not written yet.
  func newRow(
    _ application: PowerAuthApplication, user: String, flags: [String], validity: Duration? = nil,
    maxFailedAttempts: Int? = nil, commitsItself: Bool, replaces: Activation.ID? = nil,
    otp: (Activation.ID) -> ActivationRow.OTP? = { _ in nil }
  ) -> ActivationRow {
    let (id, now) = (Activation.ID.random(world), world.now())
    return ActivationRow(
      id: id, application: application.id, tenant: application.tenant, applicationVersion: nil, protocolVersion: nil,
      state: .created, version: 1, userDigest: userDigest(user, tenant: application.tenant),
      sealedDetails: Data(), flags: flags, blockedReason: nil, codeDigest: nil,
      otp: otp(id), commitsItself: commitsItself, failedAttempts: 0,
      maxFailedAttempts: maxFailedAttempts ?? policy.maxFailedAttempts, publicKeys: nil, sealedServerKey: nil,
      sealedKeys: nil, counter: nil, createdAt: now, expiresAt: now + (validity ?? policy.codeLifetime),
      lastUsedAt: nil, replaces: replaces, protocolMin: application.protocolMin)
  }

  /// - Returns: the row with its details sealed.
  func insert(
    _ prepared: ActivationRow, _ details: ActivationDetails, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> ActivationRow {
    var row = prepared
    row.sealedDetails = try details.sealed(for: row, by: vault, in: tx)
    // An erasure deletes the rows that it sees: this one is not written under a key that it destroys meanwhile.
    try vault.holdSubjectKey(of: row.keySubject, in: tx)
    try ActivationStore(tx).insert(row)
    try audit.append(
      "activation.initiated", to: Self.chain(row.id), by: actor.text,
      facts: ["application": row.application.rawValue, "flags": row.flags.joined(separator: " ")], in: tx)
    return row
  }

  func digest(of code: ActivationCode) -> String { vault.digest(code.text, for: "activation code") }

  /// - Returns: the flags, each once.
  private func check(_ wish: InitiateActivation) throws -> [String] {
    var fields: [Problem.Field] = []
    if !Self.isUser(wish.user) {
      fields.append(
        .init("/user_id", "length", "A user has 1 to \(Self.userLengthMax) bytes and no control characters."))
    }
    if let validity = wish.validity, validity <= .zero || validity > Self.validityMax {
      fields.append(
        .init("/validity_seconds", "range", "A code lives up to \(Self.validityMax.wholeSeconds / 86400) days."))
    }
    if let otp = wish.otp, !Self.otpLengths.contains(otp.utf8.count) {
      fields.append(.init("/otp", "length", "An OTP has 4 to 64 bytes."))
    }
    if let check = wish.otpCheck {
      if wish.otp == nil {
        fields.append(.init("/otp_check", "conflict", "Without an OTP there is nothing to check."))
      } else if check == .onCommit, wish.commitsItself {
        fields.append(.init("/otp_check", "conflict", "What commits itself is never asked for an OTP on commit."))
      }
    }
    if let attempts = wish.maxFailedAttempts, !(1...64).contains(attempts) {
      fields.append(.init("/max_failed_attempts", "range", "1 to 64 attempts."))
    }
    if !NewDevice.isStorable(wish.externalID, max: NewDevice.nameMax) {
      fields.append(.init("/external_id", "length", "An external id has up to \(NewDevice.nameMax) bytes."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
    return try Self.checked(wish.flags)
  }

  static func isUser(_ user: String) -> Bool {
    (1...userLengthMax).contains(user.utf8.count) && user.unicodeScalars.allSatisfy { $0.value >= 0x20 }
  }
}

extension Activation.ID {
  /// The protocol names activations by UUIDs of version 4.
  static func random(_ world: World) -> Activation.ID { .init(rawValue: world.randomUUID()) }
}
