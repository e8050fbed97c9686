// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Links that are mailed to users: to verify their address, and to set another password (finaptic §8.1).
///
/// Whether an address belongs to a user is looked up when its mail is about to leave, so that a request takes as long
/// and does the same for every address.
struct AccountLinks: Sendable {
  static let topic = "finaptic.sendLink"
  typealias Link = AccountLinkStore.Link

  let core: CoreDependencies
  let messenger: Messenger
  let policy: FinapticPolicy
  let texts: MessageTexts

  /// What the mail needs, sealed until it is sent.
  fileprivate struct Envelope: Codable, Sendable {
    let token: String
    let email: String
  }

  /// A link before it is stored: its token is made once, however often the transaction runs.
  struct New: Sendable {
    fileprivate let id: Link.ID
    fileprivate let purpose: Link.Purpose
    let tenant: Int
    fileprivate let envelope: Envelope
    var email: String { envelope.email }
  }

  func new(_ purpose: Link.Purpose, tenant: FinapticTenant, email: String) -> New {
    New(
      id: .init(core.world), purpose: purpose, tenant: tenant.id,
      envelope: Envelope(token: core.secret(), email: email))
  }

  /// - Parameter user: nil where only the worker looks who has the address.
  func promise(_ new: New, to user: FinapticUser.ID?, in tx: any SQLTransaction) throws {
    let now = core.world.now()
    let lifetime = new.purpose == .resetPassword ? policy.resetLifetime : policy.verifyLifetime
    let link = Link(
      id: new.id, tenant: new.tenant, user: user, purpose: new.purpose,
      sealed: try core.vault.seal(
        new.envelope, as: Self.context(new.id), of: user.map { KeySubject($0) }, in: tx),
      expiresAt: now + lifetime, usedAt: nil)
    try AccountLinkStore(tx).insert(link, digest: digest(new.envelope.token), at: now)
    try core.outbox.enqueue(Self.topic, subject: new.id.rawValue, in: tx)
  }

  /// Mails the link to the user who has the address, if there is one.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let id = Link.ID(rawValue: item.subject)
    let due = try await core.database.write(retrying: .outdated) {
      tx -> (Link, FinapticUser, FinapticTenant, Envelope)? in
      let store = AccountLinkStore(tx)
      guard let link = try store.find(id), link.usedAt == nil, let sealed = link.sealed,
        let tenant = try TenantStore(tx).find(link.tenant)
      else { return nil }
      let envelope = try core.vault.open(sealed, as: Envelope.self, context: Self.context(id), in: tx)
      let users = FinapticUserStore(tx, vault: core.vault)
      let row = try link.user.map(users.find) ?? users.find(email: envelope.email, tenant: tenant.id)
      guard let user = row?.user, link.expiresAt > core.world.now() else {
        try store.delete(id)
        return nil
      }
      try store.setUser(user.id, of: id)
      return (link, user, tenant, envelope)
    }
    guard let (link, user, tenant, envelope) = due else { return }
    // To the address as it was registered, not as it was typed into the request.
    let locale = try await core.database.read {
      try ClientProfileStore($0, vault: core.vault).locale(of: user.customer)
    }
    var message = try texts.of(tenant: tenant.id).message(
      notice(link.purpose, token: envelope.token), by: .email, to: user.profile.email, from: tenant.name,
      locale: locale)
    (message.id, message.about) = (id.rawValue, user.id.rawValue)
    do { try await messenger.send(message) } catch let refusal as MessageRefused {
      try await core.database.write(retrying: .outdated) { try AccountLinkStore($0).delete(id) }
      throw refusal
    }
    try await core.database.write(retrying: .outdated) { try AccountLinkStore($0).sent(id) }
  }

  /// The link of a token while it can be followed.
  /// - Throws: `Problem` not found; failed precondition for one that was used or whose time is over.
  func open(_ token: String, _ purpose: Link.Purpose, in tx: any SQLTransaction) throws -> (Link, FinapticUser) {
    guard (16...128).contains(token.utf8.count), let link = try AccountLinkStore(tx).find(digest: digest(token)),
      link.purpose == purpose, let id = link.user,
      let user = try FinapticUserStore(tx, vault: core.vault).find(id)?.user
    else { throw Problem.notFound }
    guard link.usedAt == nil, link.expiresAt > core.world.now() else { throw Problem.accountLinkOver }
    return (link, user)
  }

  private func digest(_ token: String) -> String { core.vault.digest(token, for: "finaptic link") }

  private static func context(_ id: Link.ID) -> String { "finaptic_link.sealed:\(id)" }

  private func notice(_ purpose: Link.Purpose, token: String) -> Notice {
    let base = "\(policy.publicURL)/finaptic/pages"
    return switch purpose {
    case .verifyEmail: .verifyEmail(link: "\(base)/verify-email/\(token)")
    case .resetPassword:
      .resetPassword(
        link: "\(base)/reset-password/\(token)", minutes: Int(policy.resetLifetime.wholeSeconds / 60))
    }
  }
}

extension Problem {
  /// The link was followed before, or its time is over.
  static let accountLinkOver = finaptic(.failedPrecondition, "This link is no longer valid. Ask for a new one.")
}
