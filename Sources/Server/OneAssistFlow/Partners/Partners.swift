// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit
import Storage

/// The partners of an installation and their plans: added by operators.
package struct Partners: Sendable {
  private static let listMax = 500

  let core: CoreDependencies

  /// What an operator says of a partner.
  package struct Draft: Sendable {
    package var tenant = "default"
    package var code: Int64
    package var units: Set<Int64>
    package var name: String
    package var isInternational = false
    package var webhookURL: String?

    package init(code: Int64, units: Set<Int64>, name: String) {
      (self.code, self.units, self.name) = (code, units, name)
    }
  }

  /// A partner that was just added. The secret is shown this once.
  package struct Added: Sendable {
    package let partner: Partner
    /// Nil without a webhook.
    package let webhookSecret: String?
  }

  /// - Parameter client: whose credentials may act in the partner's name.
  /// - Throws: `Problem` validation; conflict `partner-exists`.
  package func add(_ draft: Draft, client: ServiceClient.ID, by actor: String) async throws -> Added {
    try await add(draft, client: client, keeping: nil, by: actor)
  }

  /// With credentials of its own: both are there, or neither.
  /// - Throws: `Problem` validation; conflict `partner-exists`, `client-exists`.
  package func add(
    _ draft: Draft, clients: ServiceClients, by actor: String
  ) async throws -> (added: Added, credentials: IssuedSecret) {
    let issued = try clients.issue("oneassist \(draft.code)", tenant: draft.tenant, scopes: [.sell])
    return (try await add(draft, client: issued.client.id, keeping: (issued, clients), by: actor), issued)
  }

  private func add(
    _ draft: Draft, client: ServiceClient.ID, keeping own: (secret: IssuedSecret, clients: ServiceClients)?,
    by actor: String
  ) async throws -> Added {
    try Self.check(draft)
    let partner = Partner(
      id: .init(core.world), tenant: draft.tenant, client: client, code: draft.code, units: draft.units,
      name: draft.name, isInternational: draft.isInternational, webhookURL: draft.webhookURL,
      createdAt: core.world.now())
    let secret = draft.webhookURL == nil ? nil : WebhookSecret(core.world).text
    do {
      try await core.database.write { [core] tx in
        try PartnerStore(tx, vault: core.vault).insert(partner, webhookSecret: secret)
        if let own { try own.clients.keep(own.secret, by: actor, in: tx) }
        try core.audit.append(
          "oneassist.partner.added", to: "oneassist-partner-\(partner.id)", by: actor,
          facts: ["tenant": partner.tenant, "code": "\(partner.code)"], in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "partner-exists", "There is a partner of that code.")
    }
    return Added(partner: partner, webhookSecret: secret)
  }

  /// A new secret of a webhook, which is shown this once.
  package struct RotatedSecret: Sendable {
    package let partner: Partner.ID
    package let secret: WebhookSecret
    /// Until when the secret before it signs beside it.
    package let formerUntil: Instant
  }

  /// Makes a new secret for the webhook that a partner was added with. The one before it goes on signing beside it
  /// until the overlap is over; no overlap ends it at once.
  /// - Throws: `Problem` not-found; validation, also for a partner without a webhook; conflict `secret-turning-over`
  ///   while the one before still signs.
  package func rotateWebhookSecret(
    of code: Int64, overlap: Duration, by actor: String
  ) async throws -> RotatedSecret {
    let secret = WebhookSecret(core.world)
    return try await core.database.write { [core] tx in
      let store = PartnerStore(tx, vault: core.vault)
      guard let partner = try store.find(code: code) else { throw Problem.missing(.partner) }
      guard let url = partner.webhookURL,
        let former = try store.webhookSecret(of: partner.id).flatMap({ WebhookSecret($0) })
      else { throw Problem.validation([.init("/webhookURL", "missing", "The partner was added without a webhook.")]) }
      let until = try Webhooks.rotateBound(
        partner.webhooks, at: url, from: former, to: secret, overlap: overlap, vault: core.vault, world: core.world,
        in: tx)
      try store.save(webhookSecret: secret, of: partner.id)
      try core.audit.append(
        "oneassist.partner.webhook-secret-rotated", to: "oneassist-partner-\(partner.id)", by: actor,
        facts: ["until": until.rfc3339], in: tx)
      return RotatedSecret(partner: partner.id, secret: secret, formerUntil: until)
    }
  }

  /// - Throws: `Problem` validation; not-found; conflict `plan-exists`.
  package func add(_ plan: Plan, toPartner code: Int64, tenant: String, by actor: String) async throws {
    try Self.check(plan)
    do {
      try await core.database.write { [core] tx in
        let store = PartnerStore(tx, vault: core.vault)
        guard let partner = try store.find(code: code), partner.tenant == tenant else {
          throw Problem.missing(.partner)
        }
        try store.insert(plan, of: partner.id)
        try core.audit.append(
          "oneassist.plan.added", to: "oneassist-partner-\(partner.id)", by: actor, facts: ["plan": "\(plan.code)"],
          in: tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "plan-exists", "The partner has a plan of that code.")
    }
  }

  package func list(tenant: String) async throws -> [Partner] {
    try await core.database.read { [core] in
      try PartnerStore($0, vault: core.vault).list(tenant: tenant, limit: Self.listMax)
    }
  }

  /// - Throws: `Problem` validation.
  package static func check(_ draft: Draft) throws {
    var fields: [Problem.Field] = []
    if draft.code <= 0 { fields.append(.init("/code", "range", "A number above 0.")) }
    if draft.units.isEmpty || draft.units.count > 1000 || draft.units.contains(where: { $0 <= 0 }) {
      fields.append(.init("/units", "range", "1 to 1000 numbers above 0."))
    }
    if !(1...128).contains(draft.name.utf8.count) { fields.append(.init("/name", "length", "1 to 128 bytes.")) }
    if let url = draft.webhookURL, !isWebhook(url) {
      fields.append(.init("/webhookURL", "format", "An https address, or http on this machine."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  private static func check(_ plan: Plan) throws {
    var fields: [Problem.Field] = []
    func require(_ holds: Bool, _ pointer: String, _ message: String) {
      if !holds { fields.append(.init(pointer, "range", message)) }
    }
    require(plan.code > 0, "/code", "A number above 0.")
    require((1...128).contains(plan.name.utf8.count), "/name", "1 to 128 bytes.")
    require((1...120).contains(plan.months), "/months", "1 to 120.")
    require((0...366).contains(plan.startsAfterDays), "/startsAfterDays", "0 to 366.")
    require((0...3660).contains(plan.invoiceDaysMax), "/invoiceDaysMax", "0 to 3660.")
    require(plan.price >= 0 && plan.tax >= 0 && plan.coverAmount > 0, "/price", "No negative amounts; some cover.")
    require(plan.invoiceValues.lowerBound >= 0, "/invoiceValues", "Not negative.")
    require(plan.productCode.wholeMatch(of: #/[A-Z0-9]{1,16}/#) != nil, "/productCode", "1 to 16 of A-Z, 0-9.")
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  private static func isWebhook(_ text: String) -> Bool {
    guard let address = WebAddress(text), !address.hasQuery, !address.hasFragment else { return false }
    return address.isSecure || address.host.isLoopbackHost
  }
}
