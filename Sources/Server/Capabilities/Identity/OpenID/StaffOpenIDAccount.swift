// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// An account of a provider whose token was checked, in the transaction that lets its member in.
///
/// What is wrong is found before anything is changed, so that a refusal commits its audit line and nothing else. One
/// refusal changes the member: whom the provider gives no role any more loses every permission and session.
struct StaffOpenIDAccount {
  /// How audit lines name what a provider's token changes.
  static let actor = "openid"

  private let signIn: StaffOpenID
  private let claims: OpenIDClaims
  private let provider: OpenIDProvider
  private let network: String?
  private let tx: any SQLTransaction
  private let account: String
  private let roles: Set<StaffRole>

  private var staff: Staff { signIn.staff }

  init(
    _ signIn: StaffOpenID, _ claims: OpenIDClaims, _ provider: OpenIDProvider, _ network: String?,
    in tx: any SQLTransaction
  ) {
    (self.signIn, self.claims, self.provider, self.network, self.tx) = (signIn, claims, provider, network, tx)
    account = signIn.account(claims.subject, of: provider)
    roles = claims.values(provider.rolesClaim).reduce(into: []) { $0.formUnion(provider.roles[$1] ?? []) }
  }

  func admit() throws -> StaffOpenID.Outcome {
    guard try !isEnded() else { return try refuse(.expired) }
    let member = try StaffOpenIDStore(tx).member(of: account).flatMap { try staff.find($0, in: tx) }
    guard let member else { return try admitNew() }
    if roles.isEmpty { try takeAll(from: member) }
    guard member.isActive else { return try refuse(.inactive, of: member.id) }
    guard !roles.isEmpty else { return try refuse(.roles, of: member.id) }
    return try accept(member)
  }

  /// Whether a logout token came first, although it was issued after the ID token or with it.
  private func isEnded() throws -> Bool {
    let names = [account] + (claims.session.map { [signIn.session($0, of: provider)] } ?? [])
    let forgotten = StaffOpenID.forgotten(issued: claims.issued)
    return try names.contains { try StaffOpenIDStore(tx).isEnded($0, until: forgotten) }
  }

  /// A password that the member has beside the provider, or a session, would give them what they might do before.
  private func takeAll(from member: StaffMember) throws {
    try set([], of: member)
    try SessionStore(tx).revokeAll(of: member.id.rawValue, at: signIn.core.world.now())
  }

  private func set(_ permissions: Set<StaffPermission>, of member: StaffMember) throws {
    guard permissions != member.permissions else { return }
    try staff.setPermissions(permissions, of: member.id, by: Self.actor, facts: ["reason": "provider"], in: tx)
  }

  private func accept(_ member: StaffMember) throws -> StaffOpenID.Outcome {
    try set(StaffRole.permissions(of: roles), of: member)
    guard let member = try staff.find(member.id, in: tx) else { throw Problem.notFound }
    return try accepted(member)
  }

  /// The provider tells by the session's name when it ends.
  private func accepted(_ member: StaffMember) throws -> StaffOpenID.Outcome {
    if let session = claims.session {
      try StaffOpenIDStore(tx).keepSession(
        signIn.session(session, of: provider), of: member.id,
        until: signIn.core.world.now() + StaffOpenID.sessionKept)
    }
    return .accepted(member, factor: factor)
  }

  /// What the provider proved beside who it is; nil when Gatehouse asks for a second factor itself.
  private var factor: String? {
    guard case .provider(let methods) = provider.secondFactor,
      methods.isEmpty || !methods.isDisjoint(with: claims.methods)
    else { return nil }
    return Self.actor
  }

  private func admitNew() throws -> StaffOpenID.Outcome {
    guard !roles.isEmpty else { return try refuse(.roles) }
    guard let email = claims.email, let gender = claims.gender ?? provider.genderOtherwise else {
      return try refuse(.claims)
    }
    guard try !staff.has(email: email, tenant: provider.tenant, in: tx) else { return try refuse(.known) }
    let member: StaffMember
    do {
      member = try staff.addByProvider(
        email: email, name: claims.name ?? email, gender: gender, languages: [claims.language],
        permissions: StaffRole.permissions(of: roles), tenant: provider.tenant, by: Self.actor, in: tx)
    } catch let problem as Problem where problem.category == .unprocessable {
      return try refuse(.claims)
    }
    try StaffOpenIDStore(tx).join(account, to: member.id, at: signIn.core.world.now())
    return try accepted(member)
  }

  private func refuse(_ refusal: OpenIDRefusal, of member: StaffMember.ID? = nil) throws -> StaffOpenID.Outcome {
    try signIn.refuse(refusal, of: member, network, in: tx)
  }
}
