// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Identity
import Kit
import Storage

/// Opens a session for who knows the password, and the second factor where one is asked for (finaptic §8.1).
struct SignInCommand: Sendable {
  let core: CoreDependencies
  let factors: SecondFactors
  let passwords: Passwords
  let sessions: Sessions
  let policy: FinapticPolicy

  /// A request that can be tried.
  private struct Attempt: Sendable {
    let email: String?
    let username: String?
    let password: String
    let scopes: Set<FinapticScope>
    let mfaCode: String?

    /// - Throws: `Problem` invalid argument: all that is wrong at once.
    init(_ asked: FinapticAPI.SignInRequest) throws {
      var faults: [Problem.Field] = []
      email = asked.credential?.email.map(CredentialRules.trimmed).flatMap { $0.isEmpty ? nil : $0 }
      username = asked.credential?.username.map(CredentialRules.trimmed).flatMap { $0.isEmpty ? nil : $0 }
      password = asked.credential?.password ?? ""
      if email == nil, username == nil {
        faults.append(.init("/credential", "required", "An e-mail address or a username is required."))
      }
      if password.isEmpty { faults.append(.init("/credential/password", "required", "A password is required.")) }
      let scopes = FinapticScope.set(asked.scope)
      if scopes == nil { faults.append(.init("/scope", "unknown", "There is no such scope.")) }
      guard faults.isEmpty, let scopes else { throw Problem.finapticFields(faults) }
      self.scopes = scopes
      mfaCode = asked.mfaCode.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// - Parameter network: where the request comes from; networks take turns at having passwords compared.
  /// - Throws: `Problem` invalid argument; SIGNIN_INVALID_PASSWORD, SIGNIN_ERROR, SIGNIN_USER_BLOCKED, MFA_ERROR;
  ///   `Passwords.crowded`.
  func signIn(
    _ asked: FinapticAPI.SignInRequest, tenant: FinapticTenant, key: FinapticClientKey, from network: String?
  ) async throws -> FinapticAPI.AuthState {
    let attempt = try Attempt(asked)
    let (found, counted) = try await begin(attempt, tenant: tenant)
    if case .locked(let until) = counted { throw Problem.lockedOut(until: until, now: core.world.now()) }
    let isRight: Bool
    do { isRight = try await passwords.matches(attempt.password, found?.passwordHash, for: network) } catch let problem
      as Problem where problem == Passwords.crowded
    {
      // What was not compared is no wrong password: a flood of sign-ins must not lock an account.
      try await core.database.write(retrying: .outdated) {
        try GuardStore($0).takeBack(counted, of: account(attempt, found, tenant: tenant))
      }
      throw Passwords.crowded
    }
    guard isRight, let found else {
      if let user = found?.user, counted == .counted(isLast: true) {
        try await core.database.write(retrying: .outdated) {
          try core.note("user.lockedOut", user.chain, by: "system", in: $0)
        }
      }
      throw Problem.passwordWrong
    }
    // Only who knows the password learns any of this.
    if found.user.isBlocked { throw Problem.userBlocked }
    switch CredentialRules.fault(attempt.password) {
    case .common: throw Problem.passwordLeaked
    case .length, .classes: throw Problem.passwordOutdated
    case nil: break
    }
    let renewed = try await renewed(attempt.password, found, for: network)
    let opened = try await core.database.write(retrying: .outdated) { tx in
      try open(attempt, found, renewed: renewed, tenant: tenant, key: key, in: tx)
    }
    switch opened {
    case .refused(let problem): throw problem
    case .changed:
      // Another sign-in with the same password may have stored it anew, which happens once.
      guard isOutdated(found) else { throw Problem.passwordWrong }
      return try await signIn(asked, tenant: tenant, key: key, from: network)
    case .opened(let family, let refresh, let user):
      let access = try await sessions.accessToken(for: family, showing: user.grant(policy, attempt.scopes))
      return FinapticAPI.AuthState(
        accessToken: access.token, refreshToken: refresh, expiresIn: access.expiresIn)
    }
  }

  /// Counts the try before anything is compared.
  private func begin(
    _ attempt: Attempt, tenant: FinapticTenant
  ) async throws -> (FinapticUserStore.Row?, GuardStore.Outcome) {
    try await core.database.write(retrying: .outdated) { tx in
      let store = FinapticUserStore(tx, vault: core.vault)
      var found: [FinapticUserStore.Row?] = []
      if let email = attempt.email { found.append(try store.find(email: email, tenant: tenant.id)) }
      if let name = attempt.username { found.append(try store.find(username: name, tenant: tenant.id)) }
      // When both are given they belong to the same user.
      let row = Set(found.map { $0?.user.id }).count == 1 ? found[0] : nil
      let counted = try GuardStore(tx).count(
        account(attempt, row, tenant: tenant), max: policy.failuresMax, lock: policy.lockLifetime, at: core.world.now())
      return (row, counted)
    }
  }

  /// The key under which guesses are counted.
  private func account(_ attempt: Attempt, _ row: FinapticUserStore.Row?, tenant: FinapticTenant) -> String {
    row?.user.id.rawValue ?? unknown(attempt, tenant: tenant)
  }

  /// The key under which guesses at an unknown account are counted: the answers do not show whether there is one.
  private func unknown(_ attempt: Attempt, tenant: FinapticTenant) -> String {
    let names = [attempt.email, attempt.username].map { $0?.lowercased() ?? "" }
    return core.vault.digest("\(tenant.id)\u{0}\(names.joined(separator: "\u{0}"))", for: "finaptic nobody")
  }

  /// The right password under the cost of today. Where there is no thread for it, that waits for the next sign-in: the
  /// try would stay counted as wrong.
  private func renewed(
    _ password: String, _ found: FinapticUserStore.Row, for network: String?
  ) async throws -> String? {
    guard isOutdated(found) else { return nil }
    do { return try await passwords.hashed(password, for: network).text } catch let problem as Problem
      where problem == Passwords.crowded
    { return nil }
  }

  private func isOutdated(_ found: FinapticUserStore.Row) -> Bool {
    PasswordHash(found.passwordHash)?.isOutdated(for: passwords.cost) == true
  }

  private enum Opened: Sendable {
    case opened(SessionFamily, refreshToken: String, FinapticUser)
    /// Not with the password that was compared: another one is stored since.
    case changed
    /// Committed: a wrong code stays counted.
    case refused(Problem)
  }

  private func open(
    _ attempt: Attempt, _ found: FinapticUserStore.Row, renewed: String?, tenant: FinapticTenant,
    key: FinapticClientKey, in tx: any SQLTransaction
  ) throws -> Opened {
    let store = FinapticUserStore(tx, vault: core.vault)
    // The user may have been blocked, or have got another password, while the password was hashed.
    guard let now = try store.find(found.user.id), now.passwordHash == found.passwordHash else { return .changed }
    let user = now.user
    if user.isBlocked { return .refused(.userBlocked) }
    try GuardStore(tx).forgive(user.id.rawValue)
    if let renewed { try store.rehash(user.id, from: found.passwordHash, to: renewed) }
    let scope = attempt.scopes.sorted().map(\.rawValue).joined(separator: " ")
    var proof: [String: String] = [:]
    if tenant.mfa == .always || (tenant.mfa == .stepUpOnly && !attempt.scopes.isEmpty) {
      // A request without a code only asks for one.
      if attempt.mfaCode != nil {
        proof = ["asked": "sign-in", "scope": scope]
        proof["factor"] = try factors.method(of: user, in: tx)
      }
      if let problem = try factors.problem(attempt.mfaCode, of: user, in: tx) {
        try core.note("user.factorRefused", user.chain, by: "user:\(user.id)", proof, in: tx)
        return .refused(problem)
      }
    }
    let (family, refresh) = try sessions.open(
      subject: user.id.rawValue, tenant: tenant.session, device: key.id.rawValue, in: tx)
    let facts = proof.merging(["family": family.id.rawValue, "scope": scope]) { $1 }
    try core.note("user.signedIn", user.chain, by: "user:\(user.id)", facts, in: tx)
    return .opened(family, refreshToken: refresh, user)
  }
}

extension FinapticUser {
  /// The claims of the user's next access token.
  func grant(_ policy: FinapticPolicy, _ scopes: Set<FinapticScope> = []) -> AccessGrant {
    AccessGrant(
      roles: [role.rawValue], customer: customer, scope: scopes.sorted().map(\.rawValue).joined(separator: " "),
      lifetime: scopes.isEmpty ? nil : policy.stepUpLifetime)
  }
}

extension Problem {
  /// Counted: a repetition under its key gets the same answer and is not counted again.
  private static func signInRefused(_ code: FinapticCode, _ detail: String) -> Problem {
    finaptic(code, detail).with { $0.attemptsLeft = 0 }
  }

  static let passwordWrong = signInRefused(.signinInvalidPassword, "Wrong e-mail address, username or password.")
  static let passwordOutdated = signInRefused(
    .signinInvalidPassword, "The password does not meet the rules any more: reset it.")
  static let passwordLeaked = signInRefused(.signinError, "The password is known to others: reset it.")
  static let userBlocked = signInRefused(.signInUserBlocked, "The user was blocked by an administrator.")

  static func lockedOut(until: Instant, now: Instant) -> Problem {
    let minutes = max(1, Int(((until - now).milliseconds + 59_999) / 60_000))
    return signInRefused(
      .signinError, "Too many attempts: try again in \(minutes) min, or reset the password.")
  }

  static func mfa(_ detail: String) -> Problem { signInRefused(.mfaError, detail) }
  static let mfaLocked = mfa("Too many wrong codes: try again tomorrow.")
}
