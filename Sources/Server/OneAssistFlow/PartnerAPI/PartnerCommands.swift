// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// What a partner's server asks for (oneassist §9). Whatever belongs to another partner is not there.
struct PartnerCommands: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let memberships: MembershipService
  let tokens: SDKTokens

  private static let activationLetters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")

  /// Sells a plan. The application's number is the partner's key: the same body again gets the same answer.
  /// - Throws: `Problem` validation; APPLICATION_NO_USED for another body.
  func onboard(_ asked: OnboardRequest, body: Data, by partner: Partner) async throws -> OnboardAnswer {
    let names = (
      id: Membership.ID(core.world), order: core.world.randomUUID(), activity: core.world.randomUUID(),
      customer: core.world.randomUUID(), number: Int64(core.world.number(below: 900_000_000_000) + 100_000_000_000),
      code: String((0..<12).map { _ in Self.activationLetters[Int(core.world.number(below: 32))] })
    )
    let digest = core.vault.digest(body.sha256Hex, for: "oneassist application")
    do {
      return try await core.database.write(retrying: .outdated, .serializable) { [core] tx in
        let (store, partners) = (MembershipStore(tx, vault: core.vault), PartnerStore(tx, vault: core.vault))
        if let number = asked.orderInfo?.applicationNo, let known = try store.find(application: number, of: partner.id)
        {
          return try repeated(known, digest, partner, in: tx)
        }
        let plan = try asked.orderInfo?.planCode.flatMap { try partners.plan($0, of: partner.id) }
        let sale = try OnboardRules(partner: partner, plan: plan, today: core.today).sale(asked)
        let mobile = Self.digest(sale.content.mobile, partner, core)
        let customer = try store.all(mobile: mobile, of: partner.id, limit: 1).first?.customer ?? names.customer
        let now = core.world.now()
        let membership = Membership(
          id: names.id, partner: partner.id, customer: customer, orderUUID: names.order, orderNumber: names.number,
          activationCode: names.code, activityReference: names.activity, applicationNumber: sale.application,
          planCode: sale.plan.code, status: .detailsPending, startsOn: sale.startsOn, endsOn: sale.endsOn,
          documentsUntil: now + policy.documentsWindow, createdAt: now, content: sale.content)
        try store.insert(membership, mobile: mobile, application: digest)
        try core.audit.note(
          "sold", membership.id, by: partner.actor, ["plan": "\(sale.plan.code)", "partner": partner.id.rawValue],
          in: tx)
        return OnboardAnswer(membership, sale.plan)
      }
    } catch SQLError.notUnique {
      // Two at once: the other one has it.
      throw Problem(.conflict, "step-in-progress", "This request is being worked on.")
    }
  }

  private func repeated(
    _ known: (membership: Membership.ID, digest: String), _ digest: String, _ partner: Partner,
    in tx: any SQLTransaction
  ) throws -> OnboardAnswer {
    guard known.digest == digest, let membership = try MembershipStore(tx, vault: core.vault).find(known.membership),
      let plan = try PartnerStore(tx, vault: core.vault).plan(membership.planCode, of: partner.id)
    else {
      throw Problem.oneAssist(.conflict, "APPLICATION_NO_USED", "This applicationNo was used with another body.")
    }
    return OnboardAnswer(membership, plan)
  }

  /// - Throws: `Problem` not-found; validation.
  func token(_ asked: TokenRequest, by partner: Partner) async throws -> TokenView {
    guard asked.scope == nil || asked.scope == "activation" else {
      throw Problem.member("/scope", "SCOPE_UNKNOWN", "The scope is activation.")
    }
    let token = core.world.secret()
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let store = MembershipStore(tx, vault: core.vault)
      let found =
        if let order = asked.orderUUID { try store.find(order: order) } else if let customer = asked.customerTempId {
          try store.newest(customer: customer, of: partner.id)
        } else { Membership?.none }
      let membership = try owned(found, by: partner)
      let seconds = try tokens.issue(token, customer: membership.customer, of: partner.id, in: tx)
      try core.audit.note("token.issued", membership.id, by: partner.actor, in: tx)
      return TokenView(token: token, expiresIn: seconds, issuedAt: core.world.wall().rfc3339)
    }
  }

  /// By the order or by the number of the purchase.
  func memberships(order: String?, mobile: String?, of partner: Partner) async throws -> MembershipListView {
    guard (order == nil) != (mobile == nil) else {
      throw Problem.member("/orderUUID", "REQUIRED", "Either orderUUID or mobileNumber.")
    }
    return try await core.database.look { [core] tx in
      let store = MembershipStore(tx, vault: core.vault)
      let found: [Membership]
      if let order {
        found = [try owned(try store.find(order: order), by: partner)]
      } else {
        // A plus sign in a query is a space to some.
        let text = (mobile ?? "").trimmingCharacters(in: .whitespaces)
        guard let number = SecondMobileNumber(text, countries: partner.countries) else {
          throw Problem.member("/mobileNumber", "MOBILE_INVALID", "This is not a mobile number.")
        }
        found = try store.all(
          mobile: Self.digest(number.e164, partner, core), of: partner.id, limit: OneAssistPolicy.pageMax)
      }
      return MembershipListView(memberships: try found.map { try view($0, in: tx) })
    }
  }

  /// - Throws: `Problem` not-found; MEMBERSHIP_STATUS_CHANGED when it is over.
  func cancel(_ id: String, by partner: Partner) async throws -> MembershipView {
    try await core.database.write(retrying: .outdated) { [core] tx in
      var membership = try owned(
        try MembershipStore(tx, vault: core.vault).find(Membership.ID(rawValue: id)), by: partner)
      // A repetition changes nothing.
      guard membership.status != .cancelled else { return try view(membership, in: tx) }
      guard membershipFlow.allows(.cancelled, from: membership.status) else {
        throw Problem.statusChanged.withStatus(membership.status)
      }
      try memberships.move(&membership, on: .cancelled, by: partner.actor, in: tx)
      return try view(membership, in: tx)
    }
  }

  private func view(_ membership: Membership, in tx: any SQLTransaction) throws -> MembershipView {
    MembershipView(
      membership,
      planName: try PartnerStore(tx, vault: core.vault).plan(membership.planCode, of: membership.partner)?.name,
      documentsUntil: WireDate.ofPlans(at: membership.documentsUntil),
      photos: try DocumentStore(tx).current(of: membership.id)
    )
  }

  private func owned(_ membership: Membership?, by partner: Partner) throws -> Membership {
    guard let membership, membership.partner == partner.id else { throw Problem.notFound }
    return membership
  }

  private static func digest(_ e164: String, _ partner: Partner, _ core: CoreDependencies) -> String {
    core.vault.digest("\(partner.tenant)\u{0}\(e164)", for: "oneassist mobile")
  }
}
