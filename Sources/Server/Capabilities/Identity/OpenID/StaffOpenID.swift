// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Staff who sign in by their institution's own identity provider (OpenID Connect Core 1.0 §3.1: the authorization code
/// flow, with PKCE, RFC 7636).
///
/// A member is known by issuer and subject, never by the e-mail address: an address can be given to another person, and
/// providers let people choose it. What a member may do is what the provider's roles claim says at each sign-in. Who is
/// suspended here stays suspended.
package struct StaffOpenID: Sendable {
  /// How long a member may take at the provider.
  package static let lifetime = Duration.minutes(10)
  /// Answers of providers from one network, right or wrong.
  static let byNetwork = RateLimit("openid sign-in", 30, per: .minutes(5))
  /// Sign-ins that one network begins: twice as many as may come back, since people turn round on the way.
  static let begins = RateLimit("openid begin", 60, per: .minutes(5))

  let staff: Staff
  private let clients: [String: OpenIDClient]
  var core: CoreDependencies { staff.core }

  /// - Precondition: one provider a tenant.
  package init(_ staff: Staff, _ clients: [OpenIDClient]) {
    self.staff = staff
    self.clients = Dictionary(uniqueKeysWithValues: clients.map { ($0.provider.tenant, $0) })
  }

  /// In the order of their names.
  package var providers: [OpenIDProvider] { clients.values.map(\.provider).sorted { $0.name < $1.name } }

  /// - Throws: `Problem` not-found for an institution without a provider.
  package func client(of tenant: String) throws -> OpenIDClient {
    guard let client = clients[tenant] else { throw Problem.notFound }
    return client
  }

  /// What a sign-in carries from the way to the provider to the way back. The browser holds it, sealed.
  private struct Ticket: Codable {
    let tenant: String
    let state: String
    let nonce: String
    let verifier: String
    let expires: Int64
  }

  /// How a sign-in ended.
  enum Outcome: Sendable, Equatable {
    /// - Parameter factor: what the provider proved beside; nil leaves that to Gatehouse.
    case accepted(StaffMember, factor: String?)
    case refused(OpenIDRefusal)
  }

  /// Counts what a network asks, if it is known from where that comes.
  /// - Throws: `Problem` rate-limited.
  func spend(_ limit: RateLimit, by network: String?) async throws {
    guard let network else { return }
    let key = core.vault.digest(network, for: "openid network")
    _ = try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      try core.limits.spend(limit, by: key, in: tx)
    }
  }

  // MARK: The way there

  /// - Parameters:
  ///   - redirect: where the provider sends the browser back.
  ///   - network: of the browser, never a whole address.
  /// - Returns: where the browser goes, and what it keeps meanwhile.
  /// - Throws: `Problem` not-found, rate-limited, unavailable.
  package func begin(
    tenant: String, redirect: String, network: String?
  ) async throws -> (address: String, ticket: String) {
    let client = try client(of: tenant)
    try await spend(Self.begins, by: network)
    func secret() -> String { Data(core.world.random(OpenIDClient.secretLength)).base64URL }
    let ticket = Ticket(
      tenant: tenant, state: secret(), nonce: secret(), verifier: secret(),
      expires: (core.world.now() + Self.lifetime).milliseconds)
    do {
      let address = try await client.authorizationAddress(
        redirect: redirect, state: ticket.state, nonce: ticket.nonce, verifier: ticket.verifier)
      return (address, try core.vault.seal(ticket, as: Self.context).base64URL)
    } catch is OpenIDRefusal {
      throw Problem.unavailable
    }
  }

  private static let context = "staff openid ticket"

  private func opened(_ text: String?, tenant: String, state: String) -> Ticket? {
    guard let text, text.utf8.count <= 4096, let sealed = Data(base64URL: text),
      let ticket = try? core.vault.open(sealed, as: Ticket.self, context: Self.context),
      ticket.tenant == tenant, ticket.expires > core.world.now().milliseconds,
      Data(ticket.state.utf8).isEqualInConstantTime(to: state.utf8)
    else { return nil }
    return ticket
  }

  // MARK: The way back

  /// What the provider's redirect brought (§3.1.2.5).
  package struct Answer: Sendable {
    package let state: String
    package let code: String?
    /// RFC 9207.
    package let issuer: String?
    /// From where, never a whole address.
    package let network: String?

    package init(state: String, code: String?, issuer: String?, network: String?) {
      (self.state, self.code, self.issuer, self.network) = (state, code, issuer, network)
    }
  }

  /// Opens the session of a member whom the provider proved, with the second factor that it proved beside, if any.
  package typealias Enter<Entry> = @Sendable (StaffMember, _ factor: String?, any SQLTransaction) throws -> Entry

  /// Finishes a sign-in. A refusal is an audit line of the member, or of `Staff.unknownChain`.
  /// - Parameters:
  ///   - ticket: what the browser kept.
  ///   - enter: is part of the transaction that admits the member, so that a logout token of the provider
  ///     (`logOut`) comes before both or ends the session.
  /// - Throws: `Problem` not-found, rate-limited.
  package func complete<Entry: Sendable>(
    _ answer: Answer, ticket: String?, tenant: String, redirect: String, enter: @escaping Enter<Entry>
  ) async throws -> Result<Entry, OpenIDRefusal> {
    let client = try client(of: tenant)
    try await spend(Self.byNetwork, by: answer.network)
    let claims: OpenIDClaims
    do {
      let ticket = try await spent(ticket, answer, tenant: tenant)
      guard let code = answer.code else { throw OpenIDRefusal.denied }
      let namesIssuer = try await client.metadata().namesIssuer ?? false
      guard answer.issuer.map({ $0 == client.provider.issuer }) ?? !namesIssuer else { throw OpenIDRefusal.issuer }
      claims = try await client.claims(
        code: code, redirect: redirect, nonce: ticket.nonce, verifier: ticket.verifier)
    } catch let refusal as OpenIDRefusal {
      _ = try await core.database.write(retrying: .outdated) { [self] tx in
        try refuse(refusal, of: nil, answer.network, in: tx)
      }
      return .failure(refusal)
    }
    return try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      switch try StaffOpenIDAccount(self, claims, client.provider, answer.network, in: tx).admit() {
      case .accepted(let member, let factor): .success(try enter(member, factor, tx))
      case .refused(let refusal): .failure(refusal)
      }
    }
  }

  /// Joins an account of the institution's provider to a member who is there already: the operator knows whose it is,
  /// since an e-mail address alone does not say it.
  /// - Throws: `Problem` not-found without such a provider or member; conflict `openid-account-taken`.
  package func join(_ subject: String, to member: StaffMember, by actor: String) async throws {
    let provider = try client(of: member.tenant).provider
    let account = account(subject, of: provider)
    do {
      try await core.database.write(retrying: .outdated) { [core] tx in
        try StaffOpenIDStore(tx).join(account, to: member.id, at: core.world.now())
        try core.audit.append("staff.openid_joined", to: member.id.rawValue, by: actor, in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "openid-account-taken", "This account of the provider belongs to a member already.")
    }
  }

  /// What an account is found by: a keyed digest of institution, issuer and subject.
  func account(_ subject: String, of provider: OpenIDProvider) -> String {
    core.vault.digest("\(provider.tenant)\u{0}\(provider.issuer)\u{0}\(subject)", for: "openid account")
  }

  /// One sign-in for a ticket, whatever becomes of it.
  private func spent(_ text: String?, _ answer: Answer, tenant: String) async throws -> Ticket {
    guard let ticket = opened(text, tenant: tenant, state: answer.state) else { throw OpenIDRefusal.state }
    let digest = core.vault.digest(ticket.state, for: "openid state")
    let isFirst = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      try StaffOpenIDStore(tx).spend(digest, until: Instant(milliseconds: ticket.expires) + World.clocksApartMax)
    }
    guard isFirst else { throw OpenIDRefusal.state }
    return ticket
  }

  func refuse(
    _ refusal: OpenIDRefusal, of member: StaffMember.ID?, _ network: String?, in tx: any SQLTransaction
  ) throws -> Outcome {
    try core.audit.append(
      "agent.sign_in_failed", to: member?.rawValue ?? Staff.unknownChain, by: "system",
      facts: ["reason": refusal.rawValue, "network": network].compactMapValues(\.self), in: tx)
    return .refused(refusal)
  }
}
