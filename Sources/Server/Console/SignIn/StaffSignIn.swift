// SPDX-License-Identifier: Apache-2.0

import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Scheduling
import Storage

/// Lets staff in to the console, by what `gatehouse staff add` gave them and by their second factor, or by a passkey
/// that is both.
///
/// A session is one of `Sessions`, as agents have them over the API, for an audience of its own: neither's token is
/// taken by the other. The browser holds the access token in a cookie and gets another one with every page, so that a
/// session ends when it was not used for as long as a token lives. Between the password and the second factor the cookie
/// holds a token of a third audience, which opens nothing but the page that asks for the factor.
package struct StaffSignIn: Sendable {
  /// The console is one for all institutions of an installation: its sessions are of none of them.
  static let tenant = "console"

  /// Checks e-mail address and password, and bounds the attempts. What it is given last opens the session, in the
  /// transaction that admits the member.
  /// - Throws: `Problem` unauthenticated, locked, rate-limited.
  package typealias Check =
    @Sendable (
      _ email: String, _ password: String, _ institution: String?, _ address: String?,
      _ enter: @escaping @Sendable (StaffMember, any SQLTransaction) throws -> Entry
    ) async throws -> Entry

  let core: CoreDependencies
  let sessions: Sessions
  /// Of those who gave a right password, and no second factor yet.
  let pending: Sessions
  let staff: Staff
  /// Checks security keys.
  let webAuthn: WebAuthn
  /// Whether the pages are reached over HTTPS only.
  let isSecure: Bool
  /// Whether there is more than one institution that staff may work at.
  let asksInstitution: Bool
  /// Whether any of them lets its staff in by password.
  let asksPassword: Bool
  /// Staff who come by an identity provider.
  let openID: StaffOpenID
  /// Where browsers reach the console, without a path.
  let address: String
  /// Staff who come by a passkey alone.
  let passkeys: StaffPasskeys
  private let needsFactor: @Sendable (_ tenant: String) -> Bool
  private let clock: @Sendable (_ tenant: String) -> LocalTime?
  private let check: Check

  /// - Parameters:
  ///   - isInstitution: whether there is an institution of this name.
  ///   - clock: of an institution, by which its staff read times.
  ///   - needsFactor: whether an institution lets only those in who have a second factor.
  package init(
    core: CoreDependencies, sessions: Sessions, pending: Sessions, openID: StaffOpenID, staff: Staff,
    webAuthn: WebAuthn, address: String, isSecure: Bool, asksInstitution: Bool, asksPassword: Bool,
    isInstitution: @escaping @Sendable (_ tenant: String) -> Bool,
    clock: @escaping @Sendable (_ tenant: String) -> LocalTime?,
    needsFactor: @escaping @Sendable (_ tenant: String) -> Bool, check: @escaping Check
  ) {
    (self.core, self.sessions, self.pending, self.staff) = (core, sessions, pending, staff)
    (self.webAuthn, self.isSecure, self.asksInstitution) = (webAuthn, isSecure, asksInstitution)
    (self.openID, self.address, self.asksPassword) = (openID, address, asksPassword)
    passkeys = StaffPasskeys(staff, with: webAuthn, isInstitution: isInstitution)
    (self.clock, self.needsFactor, self.check) = (clock, needsFactor, check)
  }

  /// - Parameters:
  ///   - address: the browser's.
  ///   - former: who is signed in there by now; that session ends, as nothing could end it later.
  /// - Returns: what goes into the cookie, where the browser goes, and who it is.
  /// - Throws: `Problem` unauthenticated, locked, rate-limited.
  func signIn(
    email: String, password: String, institution: String?, from address: String?, after former: StaffVisit?
  ) async throws -> (cookie: String, path: String, member: StaffMember.ID) {
    let entry = try await check(email, password, institution, address) { [self] member, tx in
      if let former { try signOut(former, in: tx) }
      return try enter(member, provedBy: nil, in: tx)
    }
    return try await cookie(of: entry)
  }

  /// A look that no capability audits by itself: a line of the member's own chain.
  /// - Parameters:
  ///   - facts: codes and ids, among them why they look.
  ///   - isRefresh: whether a page that shows it already reads itself again; then there is at most a line a day.
  func note(
    _ action: String, by visit: StaffVisit, _ facts: [String: String], isRefresh: Bool = false
  ) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.append(
        action, to: visit.member.id.rawValue, by: visit.actor, facts: facts, onceADay: isRefresh, in: tx)
    }
  }

  /// A session that was opened, or what stands for one until the second factor.
  package struct Entry: Sendable {
    let family: SessionFamily
    let member: StaffMember
    let asksFactor: Bool
  }

  /// Lets a member in whose first proof was right.
  /// - Parameter factor: the second one, where it was proved with the first; nil asks for it.
  func enter(_ member: StaffMember, provedBy factor: String?, in tx: any SQLTransaction) throws -> Entry {
    guard
      try factor == nil && (staff.factors.state(of: member.id, in: tx).isEnrolled || needsFactor(member.tenant))
    else {
      return Entry(family: try session(of: member, by: factor ?? "none", in: tx), member: member, asksFactor: false)
    }
    let family = try pending.open(subject: member.id.rawValue, tenant: Self.tenant, device: "console", in: tx).family
    return Entry(family: family, member: member, asksFactor: true)
  }

  /// - Returns: what goes into the cookie, where the browser goes, and who it is.
  func cookie(of entry: Entry) async throws -> (cookie: String, path: String, member: StaffMember.ID) {
    let token = try await (entry.asksFactor ? pending : sessions).accessToken(for: entry.family).token
    return (
      token, entry.asksFactor ? SecondFactorRoutes.base : StaffFooter.home(of: entry.member), entry.member.id
    )
  }

  /// Opens a session for a member who proved all that is asked.
  /// - Parameters:
  ///   - factor: which second one, for the audit.
  ///   - half: what was opened by the password alone; it ends.
  /// - Returns: what goes into the cookie.
  /// - Throws: `Problem` token-revoked for a half that was ended meanwhile.
  func open(_ member: StaffMember, by factor: String, after half: StaffVisit? = nil) async throws -> String {
    let family = try await core.database.write(retrying: .outdated) { [self] tx in
      if let half, try !pending.revoke(half.family.id, in: tx) {
        throw Problem.unauthenticated("token-revoked", "This sign-in has ended. Sign in again.")
      }
      return try session(of: member, by: factor, in: tx)
    }
    return try await sessions.accessToken(for: family).token
  }

  private func session(of member: StaffMember, by factor: String, in tx: any SQLTransaction) throws -> SessionFamily {
    let family = try sessions.open(subject: member.id.rawValue, tenant: Self.tenant, device: "console", in: tx).family
    try core.audit.append(
      "agent.signed_in", to: member.id.rawValue, by: member.actor,
      facts: ["session": family.id.rawValue, "at": "console", "factor": factor], in: tx)
    return family
  }

  /// The member who is signed in with this browser, as they are now: one who was suspended is not known here.
  func visit(_ request: Request) async throws -> StaffVisit? { try await visit(request, by: sessions) }

  /// The member who gave a right password with this browser, and no second factor yet.
  func half(_ request: Request) async throws -> StaffVisit? { try await visit(request, by: pending) }

  private func visit(_ request: Request, by sessions: Sessions) async throws -> StaffVisit? {
    guard let token = request.cookie(StaffVisit.cookieName, isSecure: isSecure), !token.isEmpty else { return nil }
    do {
      let identity = try await sessions.verify(token, tenant: Self.tenant)
      let (family, member) = try await core.database.read { [staff] tx in
        (try sessions.live(identity, in: tx), try staff.find(.init(rawValue: identity.subject), in: tx))
      }
      guard let member, member.isActive else { return nil }
      var visit = StaffVisit(member: member, family: family, vault: core.vault)
      visit.clock = clock(member.tenant)
      return visit
    } catch let problem as Problem where problem.category == .unauthenticated { return nil }
  }

  /// Checks the current password of a member who is signed in, or a code of the second factor where a provider brought
  /// them and they have no password. It is counted as a sign-in is, so that it cannot be guessed with a browser that was
  /// left open.
  /// - Returns: what the page answers to another password or code; nil for the right one.
  func refusal(
    of proof: String?, by visit: StaffVisit, _ context: PublicContext
  ) async throws -> (fault: Phrase?, status: HTTPResponse.Status)? {
    let network = context.clientAddress.map(ClientNetwork.of)
    guard try await staff.hasPassword(visit.member) else {
      switch try await staff.factors.prove(proof ?? "", of: visit.member, network: network) {
      case .accepted: return nil
      case .refused: return (Phrase("factor_refused"), .unprocessableContent)
      case .appLocked: return (Phrase("factor_app_locked"), .unprocessableContent)
      case .locked(let retryAfter): return StaffRoutes.locked(retryAfter)
      }
    }
    let outcome = try await staff.authenticate(
      email: visit.member.email, password: proof ?? "", tenant: visit.member.tenant, network: network)
    switch outcome {
    case .accepted: return nil
    case .refused: return (Phrase("current_password_wrong"), .unprocessableContent)
    case .locked(let retryAfter): return StaffRoutes.locked(retryAfter)
    }
  }

  func signOut(_ visit: StaffVisit) async throws {
    try await core.database.write(retrying: .outdated) { try signOut(visit, in: $0) }
  }

  private func signOut(_ visit: StaffVisit, in tx: any SQLTransaction) throws {
    try sessions.revoke(visit.family.id, in: tx)
    try core.audit.append("agent.signed_out", to: visit.member.id.rawValue, by: visit.actor, in: tx)
  }

  /// - Throws: `Problem` forbidden without the permission, which is a line in the audit.
  func require(_ permission: StaffPermission, of visit: StaffVisit) async throws {
    guard !visit.member.permissions.contains(permission) else { return }
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.append(
        "agent.refused", to: visit.member.id.rawValue, by: visit.actor,
        facts: ["at": "console", "permission": permission.rawValue], in: tx)
    }
    throw Problem(.forbidden, "forbidden", "Your account does not have the permission for these pages.")
  }

  /// The answer to a member who signed in: the browser learns the language that they chose before, elsewhere maybe.
  func greeting(_ member: StaffMember.ID, _ response: Response) async throws -> Response {
    guard let language = try await staff.displayLanguage(of: member) else { return response }
    var response = response
    response.setCookie(Display.current.choosing(language: language, theme: nil).cookie(isSecure: isSecure))
    return response
  }

  /// The answer to the signed-in member, whose session goes on by it.
  func renewing(_ visit: StaffVisit, _ response: Response) async throws -> Response {
    response.setting(
      StaffVisit.cookieName, to: try await sessions.accessToken(for: visit.family).token, isSecure: isSecure)
  }
}

extension StaffPermission {
  /// See where messages go, and what became of them.
  package static let readWebhooks = StaffPermission(rawValue: "read:webhooks")
  /// Have a message sent again, for those who see them.
  package static let redeliverWebhooks = StaffPermission(rawValue: "redeliver:webhooks")
}
