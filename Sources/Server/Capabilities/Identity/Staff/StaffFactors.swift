// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What members of staff prove beside their password: codes of an authenticator app (RFC 6238), and recovery codes for
/// when the app is lost. Wrong codes lock the factor as wrong passwords lock an address, and as many as
/// `wrongCodesMax` without a right one between them lock the app for good.
package struct StaffFactors: Sendable {
  package static let recoveryCodeCount = 10
  package static let enrolmentLifetime = Duration.minutes(10)
  package static let enrolmentCodeLifetime = Duration.days(7)
  /// Wrong codes in a row, over any number of days, that lock the app until it is set up anew. Three of a million codes
  /// are right at a time, so that a person who knows the password guesses one with a chance of about 1 in 6,700
  /// (NIST SP 800-63B-4 §3.2.2 allows 100 wrong codes).
  package static let wrongCodesMax = 50
  package static let keyMigration = StaffKeyStore.migration

  let core: CoreDependencies

  /// The second factors that a member has set up.
  package struct State: Sendable, Equatable {
    package let hasAuthenticator: Bool
    package let recoveryCodesLeft: Int
    /// Security keys, the oldest first.
    package let keys: [Key]
    /// Whether too many wrong codes have locked the app for good. Recovery codes and keys prove on.
    package var isAppLocked = false

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
    /// The code is not a recovery code, and the app is locked for good.
    case appLocked
  }

  /// What an authenticator app needs.
  package struct Enrolment: Sendable {
    /// For typing, in base 32.
    package let secret: String
    /// For a link or a QR code, `otpauth://…`.
    package let address: String
  }

  /// What an operator hands to a member, who sets one authenticator app up with it.
  package struct EnrolmentCode: Sendable {
    package let text: String
    package let expiresAt: Instant
  }

  /// How the setting up of an app ended.
  package enum Confirmation: Sendable, Equatable {
    /// The recovery codes are shown this once.
    case confirmed(recoveryCodes: [String])
    /// The app's code is wrong, or its secret was shown too long ago.
    case wrongCode
    /// The enrolment code is wrong, was used or has expired.
    case refused
    /// Too many wrong enrolment codes; nothing was compared.
    case locked(retryAfter: Duration)
  }

  package func state(of id: StaffMember.ID) async throws -> State {
    try await core.database.look { try state(of: id, in: $0) }
  }

  package func state(of id: StaffMember.ID, in tx: any SQLTransaction) throws -> State {
    let store = StaffFactorStore(tx)
    let app = try store.authenticator(of: id)
    return State(
      hasAuthenticator: app != nil, recoveryCodesLeft: try store.recoveryCodesLeft(of: id),
      keys: try StaffKeyStore(tx).all(of: id), isAppLocked: app?.isLocked ?? false)
  }

  /// A code to set one app up with. The member's former code is void.
  package func issueEnrolmentCode(
    for id: StaffMember.ID, by actor: String, in tx: any SQLTransaction
  ) throws -> EnrolmentCode {
    let (code, end) = (newCode(), core.world.now() + Self.enrolmentCodeLifetime)
    try StaffFactorStore(tx).setEnrolmentCode(digest(code, of: id, for: Self.enrolmentPurpose), of: id, until: end)
    try core.audit.append(
      "staff.enrolment_code_issued", to: id.rawValue, by: actor, facts: ["until": end.rfc3339], in: tx)
    return EnrolmentCode(text: code, expiresAt: end)
  }

  /// The secret that the member's app is to learn. Each session gets another one, and a session another one after ten
  /// minutes, so that an earlier one that somebody saw does not tell the secret of the app that is set up.
  /// - Parameter network: where the session is, for the audit.
  /// - Throws: `Problem` conflict `factor-exists` when the member has an authenticator.
  package func enrolment(
    of member: StaffMember, in session: SessionFamily.ID, issuer: String, network: String? = nil
  ) async throws -> Enrolment {
    let fresh = try core.vault.seal(
      Data(core.world.random(TimeCode.secretLength)), context: Self.context(session))
    let sealed = try await core.database.write(retrying: .outdated) { [core] tx in
      let (store, now) = (StaffFactorStore(tx), core.world.now())
      guard try store.authenticator(of: member.id) == nil else { throw Self.exists }
      if let shown = try store.enrolment(of: member.id, in: session, at: now) { return shown }
      try store.begin(member.id, in: session, sealed: fresh, until: now + Self.enrolmentLifetime)
      var facts = ["session": session.rawValue]
      facts["network"] = network
      try core.audit.append(
        "staff.authenticator_shown", to: member.id.rawValue, by: member.actor, facts: facts, in: tx)
      return fresh
    }
    let secret = try core.vault.open(sealed, context: Self.context(session))
    return Enrolment(
      secret: TimeCode.base32(secret), address: TimeCode.address(secret, issuer: issuer, account: member.email))
  }

  /// Takes the first code of the app that learnt the session's secret, spends the member's enrolment code, and ends the
  /// member's other sessions. The app's code signs in no more.
  /// - Parameter network: where the session is.
  /// - Throws: `Problem` conflict `factor-exists`; token-revoked for a session that ended meanwhile.
  package func confirm(
    _ code: String, enrolmentCode: String, of member: StaffMember, in session: SessionFamily.ID,
    network: String? = nil
  ) async throws -> Confirmation {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let (store, now) = (StaffFactorStore(tx), core.world.now())
      try SessionStore(tx).requireOpen(session, at: core.world.wall())
      guard try store.authenticator(of: member.id) == nil else { throw Self.exists }
      guard let sealed = try store.enrolment(of: member.id, in: session, at: now) else { return .wrongCode }
      let secret = try core.vault.open(sealed, context: Self.context(session))
      // The session knows the secret, so that this says nothing about the enrolment code.
      guard let step = TimeCode.match(code, secret, at: core.world.wall(), after: nil) else { return .wrongCode }
      var recoveryCodes: [String] = []
      let proof = try attempt(by: member, network, in: tx) {
        let digest = digest(enrolmentCode, of: member.id, for: Self.enrolmentPurpose)
        guard try store.spendEnrolmentCode(digest, of: member.id, at: now) else {
          return .refused(reason: "enrolment-code")
        }
        let kept = try core.vault.seal(secret, context: Self.context(member.id))
        guard try store.confirm(member.id, sealed: kept, step: step, at: now) else { throw Self.exists }
        try store.deleteEnrolments(of: member.id)
        try SessionStore(tx).revokeAll(of: member.id.rawValue, except: session, at: now)
        try core.audit.append("staff.authenticator_added", to: member.id.rawValue, by: member.actor, in: tx)
        recoveryCodes = try makeRecoveryCodes(of: member.id, in: tx)
        return .accepted(by: "enrolment-code")
      }
      switch proof {
      case .accepted: return .confirmed(recoveryCodes: recoveryCodes)
      case .refused, .appLocked: return .refused
      case .locked(let retryAfter): return .locked(retryAfter: retryAfter)
      }
    }
  }

  /// Checks a code of the app, or a recovery code, each of which counts once.
  /// - Parameter network: where the sign-in comes from.
  package func prove(_ code: String, of member: StaffMember, network: String? = nil) async throws -> Proof {
    try await core.database.write(retrying: .outdated) { try prove(code, of: member, network: network, in: $0) }
  }

  /// The same inside the caller's transaction. Commit whatever the proof is: a wrong code is counted.
  package func prove(
    _ code: String, of member: StaffMember, network: String?, in tx: any SQLTransaction
  ) throws -> Proof {
    try attempt(by: member, network, in: tx) {
      let (store, now) = (StaffFactorStore(tx), core.world.now())
      let app = try store.authenticator(of: member.id)
      if let row = app, !row.isLocked {
        let secret = try core.vault.open(row.sealedSecret, context: Self.context(member.id))
        let wall = core.world.wall()
        if let step = TimeCode.match(code, secret, at: wall, after: row.lastStep),
          try store.spend(step, of: member.id)
        {
          return .accepted(by: "authenticator")
        }
        if TimeCode.match(code, secret, at: wall, after: nil) != nil { return .usedBefore }
      }
      let digest = digest(code, of: member.id, for: Self.recoveryPurpose)
      guard try store.spendRecoveryCode(digest, of: member.id, at: now) else {
        return try wrongCode(of: member, with: app, network, in: tx)
      }
      try store.forgiveWrongCodes(of: member.id)
      try core.audit.append("staff.recovery_code_used", to: member.id.rawValue, by: member.actor, in: tx)
      return .accepted(by: "recovery-code")
    }
  }

  /// Counts a wrong code of a member's app, and locks the app with the last one that is allowed. Who does not know the
  /// password comes to no code, and so locks no app of another person.
  private func wrongCode(
    of member: StaffMember, with app: StaffFactorStore.Authenticator?, _ network: String?, in tx: any SQLTransaction
  ) throws -> Outcome {
    guard let app else { return .refused(reason: "factor") }
    guard !app.isLocked else { return .appLocked }
    try StaffFactorStore(tx).countWrongCode(of: member.id)
    guard app.wrongCodes + 1 >= Self.wrongCodesMax else { return .refused(reason: "factor") }
    let facts = ["codes": "\(Self.wrongCodesMax)", "network": network].compactMapValues(\.self)
    try core.audit.append("staff.authenticator_locked", to: member.id.rawValue, by: "system", facts: facts, in: tx)
    return .appLocked
  }

  /// How one try ended, with what the audit says of a refusal.
  enum Outcome {
    case accepted(by: String)
    case refused(reason: String)
    /// The code is right, and it or a later one was taken (RFC 6238 §5.2). It is refused and no guess: who sends it has
    /// the code. So it counts for no lock.
    case usedBefore
    case appLocked
  }

  /// Counts a try as wrong before `check` compares anything, so that tries side by side cannot pass the limit.
  func attempt(
    by member: StaffMember, _ network: String?, in tx: any SQLTransaction, _ check: () throws -> Outcome
  ) throws -> Proof {
    let (now, account) = (core.world.now(), core.vault.digest(member.id.rawValue, for: "staff factor"))
    let (guesses, id) = (StaffStore(tx), core.world.uuid())
    let attempt = try guesses.countTry(account, at: now, id: id)
    func refuse(_ reason: String, counts: Bool = true) throws {
      var facts = ["reason": reason]
      facts["network"] = network
      try core.audit.append("agent.sign_in_failed", to: member.id.rawValue, by: "system", facts: facts, in: tx)
      if counts, attempt == .last {
        try core.audit.append("agent.locked_out", to: member.id.rawValue, by: "system", facts: facts, in: tx)
      }
    }
    if case .locked(let until) = attempt {
      try refuse("factor-locked")
      return .locked(retryAfter: until - now)
    }
    switch try check() {
    case .accepted(let factor):
      try guesses.forgiveTries(account)
      return .accepted(by: factor)
    case .refused(let reason):
      try refuse(reason)
      return .refused
    case .usedBefore:
      try guesses.takeBack(attempt, id, of: account, at: now, newID: core.world.uuid)
      try refuse("code-used", counts: false)
      return .refused
    case .appLocked:
      try refuse("authenticator-locked")
      return .appLocked
    }
  }

  /// Takes every factor and every session away from a member who lost them.
  /// - Returns: what the member sets the next app up with.
  package func reset(
    _ id: StaffMember.ID, by actor: String, facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws -> EnrolmentCode {
    try StaffFactorStore(tx).deleteAll(of: id)
    try StaffKeyStore(tx).deleteAll(of: id)
    try SessionStore(tx).revokeAll(of: id.rawValue, at: core.world.now())
    try core.audit.append("staff.factors_reset", to: id.rawValue, by: actor, facts: facts, in: tx)
    return try issueEnrolmentCode(for: id, by: actor, in: tx)
  }

  /// Earlier ones are void.
  private func makeRecoveryCodes(of id: StaffMember.ID, in tx: any SQLTransaction) throws -> [String] {
    let store = StaffFactorStore(tx)
    try store.deleteRecoveryCodes(of: id)
    return try (0..<Self.recoveryCodeCount).map { _ in
      let code = newCode()
      try store.insertRecoveryCode(digest(code, of: id, for: Self.recoveryPurpose), of: id)
      return code
    }
  }

  /// Fifty random bits, for people.
  private func newCode() -> String {
    let code = TimeCode.base32(Data(core.world.random(7))).prefix(10).lowercased()
    return "\(code.prefix(5))-\(code.suffix(5))"
  }

  /// - Parameter code: as it was typed.
  private func digest(_ code: String, of id: StaffMember.ID, for purpose: String) -> String {
    let typed = code.lowercased().filter { !$0.isWhitespace && $0 != "-" }
    return core.vault.digest("\(id)\u{0}\(typed)", for: purpose)
  }

  private static let recoveryPurpose = "staff recovery code"
  private static let enrolmentPurpose = "staff enrolment code"

  private static func context(_ id: StaffMember.ID) -> String { "staff_authenticator.sealed_secret:\(id)" }

  private static func context(_ session: SessionFamily.ID) -> String { "staff_enrolment.sealed_secret:\(session)" }

  private static let exists = Problem(.conflict, "factor-exists", "An authenticator app is set up already.")
}
