import Foundation
import Kit
import Storage

/// What members of staff prove beside their password: codes of an authenticator app (RFC 6238), and recovery codes for
/// when the app is lost. Wrong codes lock the factor as wrong passwords lock an address.
package struct StaffFactors: Sendable {
  package static let recoveryCodeCount = 10
  package static let keyMigration = StaffKeyStore.migration

  let core: CoreDependencies

  /// What a member has.
  package struct State: Sendable, Equatable {
    package let hasAuthenticator: Bool
    package let recoveryCodesLeft: Int
    /// Security keys, the oldest first.
    package let keys: [Key]

    /// A key needs an authenticator app beside it, whose recovery codes help when the key is lost.
    package var isEnrolled: Bool { hasAuthenticator }
  }

  /// A security key of a member.
  package struct Key: Sendable, Equatable {
    package let credential: WebAuthn.Credential
    package let createdAt: Instant
  }

  /// How the proof of a factor ended.
  package enum Proof: Sendable, Equatable {
    /// By what: `authenticator`, `recovery-code`, `security-key`.
    case accepted(by: String)
    case refused
    /// Too many wrong codes; nothing was compared.
    case locked(retryAfter: Duration)
  }

  /// What an authenticator app needs.
  package struct Enrolment: Sendable {
    /// For typing, in base 32.
    package let secret: String
    /// For a link or a QR code, `otpauth://…`.
    package let address: String
  }

  package func state(of id: StaffMember.ID) async throws -> State {
    try await core.database.read { tx in
      let store = StaffFactorStore(tx)
      return State(
        hasAuthenticator: try store.authenticator(of: id)?.isConfirmed ?? false,
        recoveryCodesLeft: try store.recoveryCodesLeft(of: id), keys: try StaffKeyStore(tx).all(of: id))
    }
  }

  /// The secret that the member's app is to learn: a new one, or the one that waits for its first code.
  /// - Throws: `Problem` conflict `factor-exists` when the member has an authenticator.
  package func enrolment(of member: StaffMember, issuer: String) async throws -> Enrolment {
    let fresh = Data(core.world.random(TimeCode.secretLength))
    let sealed = try core.vault.seal(fresh, context: Self.context(member.id))
    let row = try await core.database.write { [world = core.world] tx in
      let store = StaffFactorStore(tx)
      try store.begin(member.id, sealed: sealed, at: world.now())
      return try store.authenticator(of: member.id)
    }
    guard let row, !row.isConfirmed else { throw Self.exists }
    let secret = try core.vault.open(row.sealedSecret, context: Self.context(member.id))
    return Enrolment(
      secret: TimeCode.base32(secret), address: TimeCode.address(secret, issuer: issuer, account: member.email))
  }

  /// Takes the app's first code. That code signs in no more.
  /// - Returns: recovery codes, which are shown this once; nil when the code is wrong.
  /// - Throws: `Problem` conflict `factor-exists`.
  package func confirm(_ code: String, of member: StaffMember) async throws -> [String]? {
    let now = core.world.now()
    let row = try await core.database.read { try StaffFactorStore($0).authenticator(of: member.id) }
    guard let row, !row.isConfirmed else { throw Self.exists }
    let secret = try core.vault.open(row.sealedSecret, context: Self.context(member.id))
    guard let step = TimeCode.match(code, secret, at: now, after: nil) else { return nil }
    return try await core.database.write(retrying: .outdated) { [self] tx in
      guard try StaffFactorStore(tx).confirm(member.id, step: step, at: now) else { throw Self.exists }
      try core.audit.append("staff.authenticator_added", to: member.id.rawValue, by: member.actor, in: tx)
      return try makeRecoveryCodes(of: member.id, in: tx)
    }
  }

  /// Checks a code of the app, or a recovery code, each of which counts once.
  /// - Parameter network: where the sign-in comes from.
  package func prove(_ code: String, of member: StaffMember, network: String? = nil) async throws -> Proof {
    try await attempt(by: member, network) { [self] now, tx in
      let store = StaffFactorStore(tx)
      if let row = try store.authenticator(of: member.id), row.isConfirmed,
        let step = TimeCode.match(
          code, try core.vault.open(row.sealedSecret, context: Self.context(member.id)), at: now, after: row.lastStep),
        try store.spend(step, of: member.id)
      {
        return .accepted(by: "authenticator")
      }
      guard let digest = digest(code, of: member.id), try store.spendRecoveryCode(digest, of: member.id, at: now) else {
        return .refused(reason: "factor")
      }
      try core.audit.append("staff.recovery_code_used", to: member.id.rawValue, by: member.actor, in: tx)
      return .accepted(by: "recovery-code")
    }
  }

  /// How one try ended, with what the audit says of a refusal.
  enum Outcome {
    case accepted(by: String)
    case refused(reason: String)
  }

  /// Counts a try as wrong before `check` compares anything, so that tries side by side cannot pass the limit.
  func attempt(
    by member: StaffMember, _ network: String?,
    _ check: @escaping @Sendable (Instant, any SQLTransaction) throws -> Outcome
  ) async throws -> Proof {
    let (now, account) = (core.world.now(), core.vault.digest(member.id.rawValue, for: "staff factor"))
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let guesses = StaffStore(tx)
      let attempt = try guesses.countTry(account, at: now, id: core.world.uuid())
      func refuse(_ reason: String) throws {
        var facts = ["reason": reason]
        facts["network"] = network
        try core.audit.append("agent.sign_in_failed", to: member.id.rawValue, by: "system", facts: facts, in: tx)
        if attempt == .last {
          try core.audit.append("agent.locked_out", to: member.id.rawValue, by: "system", facts: facts, in: tx)
        }
      }
      if case .locked(let until) = attempt {
        try refuse("factor-locked")
        return .locked(retryAfter: until - now)
      }
      switch try check(now, tx) {
      case .accepted(let factor):
        try guesses.forgiveTries(account)
        return .accepted(by: factor)
      case .refused(let reason):
        try refuse(reason)
        return .refused
      }
    }
  }

  /// Takes every factor and every session away from a member who lost them.
  package func reset(_ id: StaffMember.ID, by actor: String, in tx: any SQLTransaction) throws {
    try StaffFactorStore(tx).deleteAll(of: id)
    try StaffKeyStore(tx).deleteAll(of: id)
    try SessionStore(tx).revokeAll(of: id.rawValue, at: core.world.now())
    try core.audit.append("staff.factors_reset", to: id.rawValue, by: actor, in: tx)
  }

  /// Ten codes of 50 random bits each; those of before are void.
  private func makeRecoveryCodes(of id: StaffMember.ID, in tx: any SQLTransaction) throws -> [String] {
    let store = StaffFactorStore(tx)
    try store.deleteRecoveryCodes(of: id)
    return try (0..<Self.recoveryCodeCount).map { _ in
      let code = TimeCode.base32(Data(core.world.random(7))).prefix(10).lowercased()
      if let digest = digest(code, of: id) { try store.insertRecoveryCode(digest, of: id) }
      return "\(code.prefix(5))-\(code.suffix(5))"
    }
  }

  /// Nil for what has not the form of a recovery code.
  private func digest(_ code: String, of id: StaffMember.ID) -> String? {
    let typed = code.lowercased().filter { !$0.isWhitespace && $0 != "-" }
    guard typed.utf8.count == 10 else { return nil }
    return core.vault.digest("\(id)\u{0}\(typed)", for: "staff recovery code")
  }

  private static func context(_ id: StaffMember.ID) -> String { "staff_authenticator.sealed_secret:\(id)" }

  private static let exists = Problem(.conflict, "factor-exists", "An authenticator app is set up already.")
}
