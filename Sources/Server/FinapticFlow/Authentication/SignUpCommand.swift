// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Kit
import Storage

/// Makes a user (finaptic §8.1). Does not sign in; the verification link is mailed.
struct SignUpCommand: Sendable {
  let core: CoreDependencies
  let answers: IdempotentAnswers
  let links: AccountLinks
  let passwords: Passwords

  /// - Parameters:
  ///   - network: where the request comes from; networks take turns at having passwords hashed.
  ///   - write: its answer is kept in the transaction that makes the user.
  /// - Throws: `Problem` SIGNUP_CREDENTIAL_ERROR, SIGNUP_ERROR.
  func signUp(
    _ asked: FinapticAPI.SignUpRequest, tenant: FinapticTenant, by actor: String, from network: String?,
    write: IdempotentAnswers.Write
  ) async throws {
    let credentials = try CredentialRules(asked.credential)
    // What is taken already costs no hash.
    try await core.database.look { try requireFree(credentials, tenant: tenant, in: $0) }
    let hash = try await passwords.hashed(credentials.password, for: network).text
    let user = FinapticUser(
      id: .init(rawValue: core.world.randomUUID()), tenant: tenant.id,
      profile: .init(email: credentials.email.rawValue, username: credentials.username), emailVerifiedAt: nil,
      customer: nil, blockedAt: nil, createdAt: core.world.now())
    let link = links.new(.verifyEmail, tenant: tenant, email: user.profile.email)
    do {
      try await core.database.write(retrying: .outdated) { tx in
        try requireFree(credentials, tenant: tenant, in: tx)
        try FinapticUserStore(tx, vault: core.vault).insert(user, passwordHash: hash)
        try core.note("user.signedUp", user.chain, by: actor, ["tenant": "\(tenant.id)"], in: tx)
        try links.promise(link, to: user.id, in: tx)
        _ = try answers.keep(EmptyBody(), for: write, in: tx)
      }
    } catch SQLError.notUnique {
      // Another request was faster: the address or the name is taken now.
      try await core.database.look { try requireFree(credentials, tenant: tenant, in: $0) }
      throw Problem.unavailable
    }
  }

  private func requireFree(_ credentials: CredentialRules, tenant: FinapticTenant, in tx: any SQLTransaction) throws {
    let store = FinapticUserStore(tx, vault: core.vault)
    guard try store.find(email: credentials.email.rawValue, tenant: tenant.id) == nil else {
      throw Problem.signUp("email", "A user with this e-mail address exists.")
    }
    if let username = credentials.username, try store.find(username: username, tenant: tenant.id) != nil {
      throw Problem.signUp("username", "This username is taken.")
    }
  }
}
