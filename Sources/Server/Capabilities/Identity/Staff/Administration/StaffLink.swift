// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A link by which a member sets their password: the first one, or another one. It counts once.
package struct StaffLink: Sendable {
  package typealias ID = Identifier<StaffLink>
  package enum Kind: String, Sendable, SQLConvertible { case invitation, reset }

  package static let lifetime = Duration.days(3)
  /// Mails it; the subject is its id.
  package static let mailTopic = "console.staff-link"

  package let id: ID
  package let staff: StaffMember.ID
  package let kind: Kind
  package let expiresAt: Instant
}

extension StaffAdministration {
  /// What an administrator is told of a link.
  package struct Issued: Sendable {
    package let member: StaffMember
    package let expiresAt: Instant
    /// Nil when it goes by mail. It is shown once.
    package let address: String?
  }

  /// What is needed to invite somebody.
  package struct Invitee: Sendable {
    package let email: String
    package let name: String
    package let gender: StaffMember.Gender
    package let languages: [String]
    package let roles: Set<StaffRole>

    package init(
      email: String, name: String, gender: StaffMember.Gender, languages: [String], roles: Set<StaffRole>
    ) {
      (self.email, self.name, self.gender) = (email, name, gender)
      (self.languages, self.roles) = (languages, roles)
    }
  }

  /// Adds a member who has no password yet, to the administrator's tenant.
  /// - Throws: `Problem` forbidden, validation, conflict `staff-exists`.
  package func invite(_ invitee: Invitee, by order: StaffOrder) async throws -> Issued {
    do {
      return try await core.database.write { [self] tx in
        let administrator = try administrator(order.actor, in: tx)
        try requireGivable(StaffRole.permissions(of: invitee.roles), by: administrator)
        let member = try staff.addInvited(
          email: invitee.email, name: invitee.name, gender: invitee.gender, languages: invitee.languages,
          permissions: StaffRole.permissions(of: invitee.roles), tenant: administrator.tenant,
          by: administrator.actor, facts: order.facts, in: tx)
        return try issue(.invitation, to: member, by: administrator.actor, facts: order.facts, in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "staff-exists", "There is a staff member with this e-mail address.")
    }
  }

  /// Takes the password away and gives a link to set another one. Sessions end at once.
  /// - Throws: `Problem` as `authorize`; conflict `suspended`.
  package func resetPassword(of target: StaffMember.ID, by order: StaffOrder) async throws -> Issued {
    try await core.database.write(retrying: .outdated, .serializable) { [self] tx in
      let (actor, member) = try authorize(order.actor, on: target, in: tx)
      try requireGivable(member.permissions, by: actor)
      guard member.isActive else {
        throw Problem(.conflict, "suspended", "The member is suspended. Let them sign in again first.")
      }
      let isInvited = try staff.entry(target, in: tx)?.status == .invited
      try staff.voidPassword(of: target, in: tx)
      return try issue(isInvited ? .invitation : .reset, to: member, by: actor.actor, facts: order.facts, in: tx)
    }
  }

  private func issue(
    _ kind: StaffLink.Kind, to member: StaffMember, by actor: String, facts: [String: String],
    in tx: any SQLTransaction
  ) throws -> Issued {
    let link = StaffLink(
      id: .init(core.world), staff: member.id, kind: kind, expiresAt: core.world.now() + StaffLink.lifetime)
    try StaffDeskStore(tx).set(link, digest: tokenDigest(token(of: link.id)))
    var facts = facts
    facts["until"] = link.expiresAt.rfc3339
    try core.audit.append(
      kind == .invitation ? "staff.invitation_issued" : "staff.password_reset", to: member.id.rawValue, by: actor,
      facts: facts, in: tx)
    if links.goByMail { try core.outbox.enqueue(StaffLink.mailTopic, subject: link.id.rawValue, in: tx) }
    return Issued(
      member: member, expiresAt: link.expiresAt, address: links.goByMail ? nil : links.prefix + token(of: link.id))
  }

  /// What a link of the outbox says, and to whom; nil when it was used, replaced or is over.
  package func mail(_ id: StaffLink.ID) async throws -> (member: StaffMember, link: StaffLink, address: String)? {
    try await core.database.read { [self] tx in
      guard let (link, digest) = try StaffDeskStore(tx).link(id), digest == tokenDigest(token(of: id)),
        link.expiresAt > core.world.now(), let member = try staff.find(link.staff, in: tx), member.isActive
      else { return nil }
      return (member, link, links.prefix + token(of: id))
    }
  }

  /// Whose link this is.
  /// - Throws: `Problem` gone, for a token that is unknown, used or over.
  package func holder(of token: String) async throws -> StaffMember {
    try await core.database.read { [self] in try holder(of: token, in: $0).member }
  }

  private func holder(of token: String, in tx: any SQLTransaction) throws -> (member: StaffMember, link: StaffLink) {
    guard token.utf8.count <= 128, let link = try StaffDeskStore(tx).link(digest: tokenDigest(token)),
      link.expiresAt > core.world.now(), let member = try staff.find(link.staff, in: tx), member.isActive
    else { throw Self.over }
    return (member, link)
  }

  /// Sets the password of the member who holds the link, which counts once. Earlier sessions end.
  /// - Returns: an enrolment code for a member who was invited and has no authenticator app; shown once. One who reads
  ///   the mail of a reset gets none: that code is handed over by the administrator.
  /// - Throws: `Problem` gone; validation for a password that breaks a rule.
  package func accept(_ token: String, password: String) async throws -> StaffFactors.EnrolmentCode? {
    let member = try await holder(of: token)
    let hash = try await staff.hash(password, for: member)
    return try await core.database.write(retrying: .outdated) { [self] tx in
      let (member, link) = try holder(of: token, in: tx)
      guard try StaffDeskStore(tx).spend(link.id) else { throw Self.over }
      try staff.set(hash, of: member, by: member.actor, facts: ["by": link.kind.rawValue], in: tx)
      guard link.kind == .invitation, try StaffFactorStore(tx).authenticator(of: member.id) == nil else { return nil }
      return try staff.factors.issueEnrolmentCode(for: member.id, by: member.actor, in: tx)
    }
  }

  static let over = Problem(.gone, "link-over", "This link was used before, or its time has passed.")

  /// Derived from the link's id under a key of the server: nothing secret is stored, and the worker can mail it.
  private func token(of id: StaffLink.ID) -> String { core.vault.digest(id.rawValue, for: "staff link") }
}
