// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import GatehouseWire
import Identity
import Kit
import Storage

/// A forgotten password: the call that has a link mailed, and what the link's pages do (finaptic §8.1).
package struct PasswordReset: Sendable {
  let core: CoreDependencies
  let links: AccountLinks
  let passwords: Passwords
  let sessions: Sessions
  let policy: FinapticPolicy

  /// The link that is asked for, which `promise` writes. The work is the same for every address, whether or not it has
  /// a user.
  /// - Throws: `Problem` invalid argument for what is no e-mail address.
  func link(for asked: FinapticAPI.ResetPasswordRequest, tenant: FinapticTenant) throws -> AccountLinks.New {
    guard let email = EmailAddress(CredentialRules.trimmed(asked.email ?? "")) else {
      throw Problem.finapticFields([.init("/email", "format", "This is not an e-mail address.")])
    }
    return links.new(.resetPassword, tenant: tenant, email: email.rawValue)
  }

  /// Has the link mailed by the worker.
  func promise(_ link: AccountLinks.New, in tx: any SQLTransaction) throws {
    let digest = FinapticUserStore(tx, vault: core.vault).digest(email: link.email, tenant: link.tenant)
    let usage = try core.limits.count(policy.linksPerUser, by: digest, isTold: false, in: tx)
    // Above the limit no mail is sent, and the answer is the same: a refusal would show that the address has a user.
    if !usage.isExceeded { try links.promise(link, to: nil, in: tx) }
  }

  // MARK: Pages

  /// Who sets a password: shown on the page, so that users do not change the wrong one.
  package struct Holder: Sendable {
    package let tenant: String
    /// `s•••@finaptic.com`.
    package let email: String
  }

  /// - Throws: `Problem` not found; gone.
  package func look(_ token: String) async throws -> Holder { try await look(token, .resetPassword) }

  /// Whose address a verification link is for. Changes nothing.
  /// - Throws: `Problem` not found; gone.
  package func lookAtEmail(_ token: String) async throws -> Holder { try await look(token, .verifyEmail) }

  private func look(_ token: String, _ purpose: AccountLinks.Link.Purpose) async throws -> Holder {
    try await core.database.read { tx in
      let (_, user) = try links.open(token, purpose, in: tx)
      return Holder(
        tenant: try TenantStore(tx).find(user.tenant)?.name ?? "",
        email: EmailAddress(user.profile.email)?.masked ?? "")
    }
  }

  /// Sets the password, ends every session of the user, forgets the devices that pushes go to and second factors that
  /// were not confirmed, and lifts the lock of the account.
  /// - Throws: `Problem` of the link, or of the password's rules, which refuse the present password.
  package func set(_ password: String, by token: String) async throws {
    let (user, old) = try await core.database.read { tx in
      let (_, user) = try links.open(token, .resetPassword, in: tx)
      return (user, try FinapticUserStore(tx, vault: core.vault).find(user.id)?.passwordHash)
    }
    guard let email = EmailAddress(user.profile.email) else { throw Problem.unexpected }
    try CredentialRules.check(password, email: email, username: user.profile.username)
    guard try await !passwords.matches(password, old, for: user.id.rawValue, expecting: false) else {
      throw Problem.signUpCredential("password", "This is the password that you have. Choose another one.")
    }
    let hash = try await passwords.hashed(password, for: user.id.rawValue).text
    try await core.database.write(retrying: .outdated) { tx in
      // Once more, holding the link: of two that follow it one sets a password.
      let (link, user) = try links.open(token, .resetPassword, in: tx)
      let store = AccountLinkStore(tx)
      guard try store.use(link.id, at: core.world.now()) else { throw Problem.accountLinkOver }
      try store.endAll(.resetPassword, of: user.id, at: core.world.now())
      let users = FinapticUserStore(tx, vault: core.vault)
      try users.setPasswordHash(hash, of: user.id)
      // The link proves the address for the first time. Factors that were enrolled before may be another person's: they
      // are removed.
      if try users.verifyEmail(of: user.id, at: core.world.now()) {
        for kind in SecondFactorStore.Kind.allCases where try SecondFactorStore(tx).delete(kind, of: user.id) {
          try core.note("user.factorRemoved", user.chain, by: "system", ["kind": kind.rawValue], in: tx)
        }
      }
      // Somebody who knew the former password may have proposed another one.
      try SecondFactorStore(tx).withdraw(of: user.id)
      try GuardStore(tx).forgive(user.id.rawValue)
      try sessions.revokeAll(of: user.id.rawValue, in: tx)
      try PushChannelStore(tx, vault: core.vault).forget(user)
      try core.note("user.passwordReset", user.chain, by: "user:\(user.id)", in: tx)
    }
  }

  /// Verifies the address that the link was mailed to. Once more changes nothing.
  /// - Throws: `Problem` not found; gone.
  package func verifyEmail(_ token: String) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let (_, user) = try links.open(token, .verifyEmail, in: tx)
      if try FinapticUserStore(tx, vault: core.vault).verifyEmail(of: user.id, at: core.world.now()) {
        try core.note("user.emailVerified", user.chain, by: "user:\(user.id)", in: tx)
      }
    }
  }
}
