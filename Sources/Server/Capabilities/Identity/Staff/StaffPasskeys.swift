// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Staff who sign in with a passkey alone: a credential that their authenticator finds by itself (Web Authentication,
/// Level 3, §6.2.2), and gives only to a person whom it checked. What they have and what they know or are is proved at
/// once, as multi-factor cryptographic authentication (NIST SP 800-63B-4 §3.1.7, AAL2).
///
/// It stands in place of a password, so that it counts where a password would: not for an institution whose staff comes
/// by its provider alone, nor for a member whom a provider brought, or whose password an administrator took away, nor
/// for one of an institution that is here no more. And of a key that did not check its person when it was added no check
/// counts (§4, `uvInitialized`): a person who finds a key without a PIN can give it one.
package struct StaffPasskeys: Sendable {
  package static let challengeLifetime = StaffFactors.challengeLifetime
  /// Answers from one network, right or wrong.
  static let byNetwork = RateLimit("passkey sign-in", 30, per: .minutes(5))

  let staff: Staff
  private let webAuthn: WebAuthn
  private let isInstitution: @Sendable (_ tenant: String) -> Bool
  private var core: CoreDependencies { staff.core }

  /// - Parameter isInstitution: whether staff of a tenant may work here at all.
  package init(
    _ staff: Staff, with webAuthn: WebAuthn, isInstitution: @escaping @Sendable (_ tenant: String) -> Bool
  ) {
    (self.staff, self.webAuthn, self.isInstitution) = (staff, webAuthn, isInstitution)
  }

  /// What a page asks a passkey for.
  package struct Question: Sendable {
    package let challenge: Data
    /// The challenge, sealed for this browser and for five minutes; it comes back with the answer.
    package let ticket: String
  }

  /// What an authenticator answered.
  package struct Answer: Sendable {
    let assertion: StaffFactors.Assertion
    /// The user handle of the credential: the member's id.
    let user: Data
    let ticket: String

    package init(_ assertion: StaffFactors.Assertion, user: Data, ticket: String) {
      (self.assertion, self.user, self.ticket) = (assertion, user, ticket)
    }
  }

  private struct Ticket: Codable {
    let challenge: Data
    let browser: String
    let expires: Int64
  }

  private static let context = "staff passkey ticket"

  /// - Parameter browser: what tells it from others.
  package func question(for browser: String) throws -> Question {
    let challenge = Data(core.world.random(WebAuthn.challengeLength))
    let end = core.world.now() + Self.challengeLifetime
    let ticket = Ticket(challenge: challenge, browser: browser, expires: end.milliseconds)
    return Question(challenge: challenge, ticket: try core.vault.seal(ticket, as: Self.context).base64URL)
  }

  /// Checks an answer. A refusal is an audit line of the member, or of `Staff.unknownChain`, and counts with the
  /// member's wrong codes.
  /// - Parameters:
  ///   - browser: as `question` was given it.
  ///   - network: where the sign-in comes from, never a whole address.
  ///   - enter: opens the session, in the transaction that admits the member.
  /// - Throws: `Problem` rate-limited.
  package func complete<Entry: Sendable>(
    _ answer: Answer, browser: String, network: String?,
    enter: @escaping @Sendable (StaffMember, any SQLTransaction) throws -> Entry
  ) async throws -> StaffAuthentication<Entry> {
    try await spend(by: network)
    return try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      let challenge = try spend(answer.ticket, of: browser, in: tx)
      guard let key = try StaffKeyStore(tx).find(answer.assertion.credential),
        let member = try staff.find(key.member, in: tx)
      else {
        let facts = ["reason": "key-unknown", "network": network].compactMapValues(\.self)
        try core.audit.append(
          "agent.sign_in_failed", to: Staff.unknownChain, by: "system", facts: facts, in: tx)
        return .refused
      }
      let proof = try staff.factors.attempt(by: member, network, in: tx) {
        try outcome(of: answer, to: challenge, by: member, with: key.credential, in: tx)
      }
      switch proof {
      case .accepted: return .accepted(try enter(member, tx))
      case .refused, .appLocked: return .refused
      case .locked(let retryAfter): return .locked(retryAfter: retryAfter)
      }
    }
  }

  private func outcome(
    of answer: Answer, to challenge: Data?, by member: StaffMember, with key: WebAuthn.Credential,
    in tx: any SQLTransaction
  ) throws -> StaffFactors.Outcome {
    guard let challenge else { return .refused(reason: "key-challenge") }
    guard member.isActive else { return .refused(reason: "inactive") }
    guard try isInstitution(member.tenant) && staff.hasPassword(member, in: tx) else {
      return .refused(reason: "password-off")
    }
    guard key.isVerified else { return .refused(reason: "key-second-factor") }
    // §7.2, step 6: of a credential that was not asked for by its id, the authenticator names the user.
    guard answer.user == Data(member.id.rawValue.utf8) else { return .refused(reason: "key-user") }
    do {
      let given = answer.assertion
      let count = try webAuthn.assert(
        clientData: given.clientData, authenticatorData: given.authenticatorData, signature: given.signature,
        challenge: challenge, by: key, verifying: true)
      guard try StaffKeyStore(tx).advance(key, to: count, at: core.world.now()) else {
        return .refused(reason: "key-counter")
      }
      return .accepted(by: "passkey")
    } catch let refusal as WebAuthn.Refusal { return .refused(reason: "key-\(refusal.rawValue)") }
  }

  private func spend(by network: String?) async throws {
    guard let network else { return }
    let key = core.vault.digest(network, for: "passkey network")
    _ = try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      try core.limits.spend(Self.byNetwork, by: key, in: tx)
    }
  }

  /// - Returns: the challenge; nil for a ticket that is invented, old, another browser's, or was answered before.
  private func spend(_ text: String, of browser: String, in tx: any SQLTransaction) throws -> Data? {
    guard text.utf8.count <= 4096, let sealed = Data(base64URL: text),
      let ticket = try? core.vault.open(sealed, as: Ticket.self, context: Self.context),
      ticket.expires > core.world.now().milliseconds,
      Data(ticket.browser.utf8).isEqualInConstantTime(to: browser.utf8),
      try StaffKeyStore(tx).spend(
        core.vault.digest(ticket.challenge.base64URL, for: "passkey challenge"),
        until: Instant(milliseconds: ticket.expires) + World.clocksApartMax)
    else { return nil }
    return ticket.challenge
  }
}
