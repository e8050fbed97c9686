// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Identity
import Kit
import Storage

/// Second factors come and go: calls of our own, for what the published surface leaves to its identity provider
/// (finaptic §8.1, Annex A). A change needs the password again, and the present factor: the code of a
/// confirmed one, else one that was mailed to the verified address, so that no factor is got around by another one.
struct FactorEnrolment: Sendable {
  let core: CoreDependencies
  let factors: SecondFactors
  let passwords: Passwords
  let passcodes: Passcodes
  let sessions: Sessions
  let policy: FinapticPolicy

  struct Proof: Codable, Sendable {
    var password: String?
    var mfaCode: String?
    /// Of the call that enrols one.
    var phoneNumber: String?
    /// Of the call that removes one: `totp` or `sms`.
    var factor: String?

    enum CodingKeys: String, CodingKey {
      case password, factor
      case mfaCode = "mfa_code"
      case phoneNumber = "phone_number"
    }
  }

  struct Code: Codable, Sendable {
    var code: String?
  }

  struct Factors: Codable, Sendable {
    /// Confirmed ones, the preferred first.
    let factors: [String]
    let isEmailVerified: Bool

    enum CodingKeys: String, CodingKey {
      case factors
      case isEmailVerified = "is_email_verified"
    }
  }

  struct AuthenticatorApp: Codable, Sendable {
    /// Base32, for typing.
    let secret: String
    /// `otpauth://…`, for a QR code.
    let uri: String
  }

  func list(_ id: FinapticUser.ID) async throws -> Factors {
    try await core.database.look { tx in
      guard let user = try FinapticUserStore(tx, vault: core.vault).find(id)?.user else {
        throw Problem.signInRequired
      }
      return Factors(
        factors: try SecondFactorStore(tx).confirmed(of: id).map(\.rawValue),
        isEmailVerified: user.emailVerifiedAt != nil)
    }
  }

  /// Makes a secret, which counts once its first code was typed.
  func enrolApp(_ proof: Proof, _ caller: FinapticSignedIn, tenant: FinapticTenant) async throws -> AuthenticatorApp {
    let (id, secret) = (caller.user, Data(core.world.random(TimeCode.secretLength)))
    let row = try await proved(proof.password, id)
    _ = try await committed { tx in
      if let problem = try refusal(of: proof, row, by: caller, in: tx) { return problem }
      try SecondFactorStore(tx).propose(.totp, factors.seal(secret, .totp, of: id, in: tx), of: id)
      return nil
    }
    return AuthenticatorApp(
      secret: TimeCode.base32(secret),
      uri: TimeCode.address(secret, issuer: tenant.name, account: row.user.profile.email))
  }

  /// - Throws: `Problem` MFA_ERROR; token-revoked for a session that ended while the code came.
  func confirmApp(_ asked: Code, _ caller: FinapticSignedIn) async throws -> EmptyBody {
    let id = caller.user
    return try await committed { tx in
      try sessions.requireLive(caller.identity, in: tx)
      let (store, now) = (SecondFactorStore(tx), core.world.now())
      guard let factor = try store.find(.totp, of: id), let pending = factor.pending else {
        return .mfa("No authenticator app is being enrolled.")
      }
      let account = "enrol \(id)"
      if case .locked = try GuardStore(tx).count(account, max: SecondFactors.wrongMax, lock: .minutes(5), at: now) {
        return .mfa("Too many wrong codes: wait five minutes.")
      }
      let secret = try factors.open(pending, .totp, of: id, in: tx)
      guard let step = TimeCode.match(asked.code ?? "", secret, at: core.world.wall(), after: nil) else {
        return .mfa("The code is wrong.")
      }
      try GuardStore(tx).forgive(account)
      _ = try store.confirm(.totp, step: step, of: id, at: now)
      try core.note("user.factorAdded", "user-\(id)", by: "user:\(id)", ["kind": "totp"], in: tx)
      return nil
    }
  }

  /// Sends a code to a number, which counts once the code was typed.
  /// - Parameter network: where the request comes from; nil when that is unknown.
  /// - Throws: `Problem` invalid argument; rate-limited.
  func enrolPhone(
    _ proof: Proof, _ caller: FinapticSignedIn, tenant: FinapticTenant, from network: String?
  ) async throws -> EmptyBody {
    let id = caller.user
    let phones = policy.phones(TenantID("finaptic", "\(tenant.id)"))
    guard case .accepted(let number) = phones.check(CredentialRules.trimmed(proof.phoneNumber ?? "")) else {
      throw Problem.finapticFields([.init("/phone_number", "format", "A mobile number such as +15145550123.")])
    }
    let row = try await proved(proof.password, id)
    return try await committed { tx in
      if let problem = try refusal(of: proof, row, by: caller, in: tx) { return problem }
      let limits = limits(of: number, by: id, from: network)
      do {
        // Limits are checked before anything is written, and counted only for codes that are sent.
        for (limit, subject) in limits { try core.limits.require(limit, by: subject, in: tx) }
        try factors.request(
          PasscodeBinding(.sms, to: number.rawValue, subject: id.rawValue, purpose: SecondFactors.enrolment), in: tx)
        for (limit, subject) in limits { _ = try core.limits.count(limit, by: subject, isTold: false, in: tx) }
      } catch let problem as Problem { return problem }
      try SecondFactorStore(tx).propose(
        .sms, factors.seal(Data(number.rawValue.utf8), .sms, of: id, in: tx), of: id)
      return nil
    }
  }

  private func limits(
    of number: PhoneNumber, by id: FinapticUser.ID, from network: String?
  ) -> [(RateLimit, subject: String)] {
    func digest(_ text: String) -> String { core.vault.digest(text, for: "finaptic enrolment") }
    return [
      (policy.enrolmentsPerUser, id.rawValue), (policy.enrolmentsPerNumber, digest(number.rawValue)),
    ] + [network].compactMap(\.self).map { (policy.enrolmentsPerNetwork, digest($0)) }
  }

  /// - Throws: `Problem` MFA_ERROR; token-revoked for a session that ended while the code came.
  func confirmPhone(_ asked: Code, _ caller: FinapticSignedIn) async throws -> EmptyBody {
    let id = caller.user
    return try await committed { tx in
      try sessions.requireLive(caller.identity, in: tx)
      guard let pending = try SecondFactorStore(tx).find(.sms, of: id)?.pending else {
        return .mfa("No telephone number is being enrolled.")
      }
      let number = String(decoding: try factors.open(pending, .sms, of: id, in: tx), as: UTF8.self)
      let binding = PasscodeBinding(.sms, to: number, subject: id.rawValue, purpose: SecondFactors.enrolment)
      let outcome = try passcodes.check(asked.code ?? "", for: binding, in: tx)
      if let problem = SecondFactors.problem(outcome) { return problem }
      _ = try SecondFactorStore(tx).confirm(.sms, step: nil, of: id, at: core.world.now())
      try core.note("user.factorAdded", "user-\(id)", by: "user:\(id)", ["kind": "sms"], in: tx)
      return nil
    }
  }

  /// - Throws: `Problem` invalid argument; not found.
  func remove(_ proof: Proof, _ caller: FinapticSignedIn) async throws -> EmptyBody {
    let id = caller.user
    guard let kind = SecondFactorStore.Kind(rawValue: proof.factor ?? "") else {
      throw Problem.finapticFields([.init("/factor", "unknown", "totp or sms.")])
    }
    let row = try await proved(proof.password, id)
    return try await committed { tx in
      if let problem = try refusal(of: proof, row, by: caller, in: tx) { return problem }
      guard try SecondFactorStore(tx).delete(kind, of: id) else { return .notFound }
      try core.note("user.factorRemoved", "user-\(id)", by: "user:\(id)", ["kind": kind.rawValue], in: tx)
      return nil
    }
  }

  /// The user whose password it is. A wrong one is counted.
  /// - Throws: `Problem` locked out; password wrong; `Passwords.crowded`, which does not count.
  private func proved(_ password: String?, _ id: FinapticUser.ID) async throws -> FinapticUserStore.Row {
    let (row, counted) = try await core.database.write(retrying: .outdated) { tx in
      let row = try FinapticUserStore(tx, vault: core.vault).find(id)
      return (
        row,
        try GuardStore(tx).count(
          id.rawValue, max: policy.failuresMax, lock: policy.lockLifetime, at: core.world.now())
      )
    }
    if case .locked(let until) = counted { throw Problem.lockedOut(until: until, now: core.world.now()) }
    let isRight: Bool
    do { isRight = try await passwords.matches(password ?? "", row?.passwordHash, for: id.rawValue) } catch let problem
      as Problem where problem == Passwords.crowded
    {
      try await core.database.write(retrying: .outdated) { try GuardStore($0).takeBack(counted, of: id.rawValue) }
      throw Passwords.crowded
    }
    guard let row, isRight else { throw Problem.passwordWrong }
    return row
  }

  /// What stands against a change by a user whose password was proved: another password meanwhile, a session that was
  /// ended meanwhile, by a block or otherwise, or the second factor. The right password is no longer counted, whatever
  /// becomes of the change.
  private func refusal(
    of proof: Proof, _ row: FinapticUserStore.Row, by caller: FinapticSignedIn, in tx: any SQLTransaction
  ) throws -> Problem? {
    let id = row.user.id
    guard let now = try FinapticUserStore(tx, vault: core.vault).find(id), now.passwordHash == row.passwordHash
    else { return .passwordWrong }
    try GuardStore(tx).forgive(id.rawValue)
    do { try sessions.requireLive(caller.identity, in: tx) } catch let problem as Problem { return problem }
    let code = proof.mfaCode.flatMap { $0.isEmpty ? nil : $0 }
    return try factors.problem(code, of: now.user, in: tx)
  }

  /// Commits, and throws what was wrong after that: a wrong code stays counted.
  private func committed(
    _ work: @escaping @Sendable (any SQLTransaction) throws -> Problem?
  ) async throws -> EmptyBody {
    if let problem = try await core.database.write(retrying: .outdated, .snapshot, work) { throw problem }
    return EmptyBody()
  }
}
