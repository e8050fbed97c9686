import Hummingbird
import Identity
import Kit
import Storage

/// Lets staff in to the console, by what `gatehouse staff add` gave them.
///
/// A session is one of `Sessions`, as agents have them over the API, for an audience of its own: neither's token opens
/// the other's door. The browser holds the access token in a cookie and gets another one with every page, so that a
/// session ends when it was not used for as long as a token lives.
package struct StaffSignIn: Sendable {
  /// The console is one for all institutions of an installation: its sessions are of none of them.
  static let tenant = "console"

  /// Checks e-mail address and password, and bounds the attempts.
  /// - Throws: `Problem` unauthenticated, locked, rate-limited.
  package typealias Check =
    @Sendable (
      _ email: String, _ password: String, _ institution: String?, _ address: String?
    ) async throws -> StaffMember

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let audit: Audit
  let sessions: Sessions
  let staff: Staff
  /// Whether the pages are reached over HTTPS only.
  let isSecure: Bool
  /// Whether there is more than one institution that staff may work at.
  let asksInstitution: Bool
  private let check: Check

  package init(
    database: any SQLDatabase, vault: Vault, world: World, audit: Audit, sessions: Sessions, staff: Staff,
    isSecure: Bool, asksInstitution: Bool, check: @escaping Check
  ) {
    (self.database, self.vault, self.world, self.audit) = (database, vault, world, audit)
    (self.sessions, self.staff, self.check) = (sessions, staff, check)
    (self.isSecure, self.asksInstitution) = (isSecure, asksInstitution)
  }

  /// - Parameters:
  ///   - address: the browser's.
  ///   - former: who is signed in there by now; that session ends, as nothing could end it later.
  /// - Returns: what goes into the cookie.
  /// - Throws: `Problem` unauthenticated, locked, rate-limited; forbidden for a member who may see none of the pages.
  func signIn(
    email: String, password: String, institution: String?, from address: String?, after former: StaffVisit?
  ) async throws -> String {
    let member = try await check(email, password, institution, address)
    guard Self.admits(member) else {
      // The password is right, and these pages were never given to its owner: that is worth a line in the audit.
      try await database.write { [audit] tx in
        try audit.append(
          "agent.sign_in_refused", to: member.id.rawValue, by: "agent:\(member.id)",
          facts: ["at": "console", "reason": "permission"], in: tx)
      }
      throw Self.notAdmitted
    }
    let family = try await database.write { [self] tx in
      if let former { try signOut(former, in: tx) }
      let family = try sessions.open(
        subject: member.id.rawValue, tenant: Self.tenant, device: "console", in: tx
      ).family
      try audit.append(
        "agent.signed_in", to: member.id.rawValue, by: "agent:\(member.id)",
        facts: ["session": family.id.rawValue, "at": "console"], in: tx)
      return family
    }
    return try await sessions.accessToken(for: family).token
  }

  /// Whoever is signed in with this browser, as they are now: one who was suspended, or whose permission was taken
  /// away, is not known here.
  func visit(_ request: Request) async throws -> StaffVisit? {
    guard let token = request.cookies[StaffVisit.cookieName]?.value, !token.isEmpty else { return nil }
    do {
      let identity = try await sessions.verify(token, tenant: Self.tenant)
      let (family, member) = try await database.read { [sessions, staff] tx in
        (try sessions.live(identity, in: tx), try staff.find(.init(rawValue: identity.subject), in: tx))
      }
      guard let member, Self.admits(member) else { return nil }
      return StaffVisit(member: member, family: family, vault: vault)
    } catch let problem as Problem where problem.category == .unauthenticated { return nil }
  }

  func signOut(_ visit: StaffVisit) async throws {
    try await database.write { [self] tx in try signOut(visit, in: tx) }
  }

  private func signOut(_ visit: StaffVisit, in tx: any SQLTransaction) throws {
    try sessions.revoke(visit.family.id, in: tx)
    try audit.append("agent.signed_out", to: visit.member.id.rawValue, by: visit.actor, in: tx)
  }

  private static func admits(_ member: StaffMember) -> Bool {
    member.isActive && member.permissions.contains(.readWebhooks)
  }

  private static let notAdmitted = Problem(
    .forbidden, "forbidden", "Your account does not have the permission for these pages.")
}

extension StaffPermission {
  /// See where messages go, and what became of them.
  package static let readWebhooks = StaffPermission(rawValue: "read:webhooks")
  /// Have a message sent again, for those who see them.
  package static let redeliverWebhooks = StaffPermission(rawValue: "redeliver:webhooks")
}
