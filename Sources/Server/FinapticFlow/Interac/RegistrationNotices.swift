// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Storage

/// What holders of registrations are written: that they confirm the alias, and that it ends soon (finaptic §8.8).
struct RegistrationNotices: Sendable {
  static let topic = "finaptic.autodepositNotice"

  enum Kind: String, Sendable {
    case confirm
    case renew
  }

  let core: CoreDependencies
  let messenger: Messenger
  let policy: FinapticPolicy

  func promise(_ kind: Kind, _ registration: Registration, in tx: any SQLTransaction) throws {
    try core.outbox.enqueue(Self.topic, subject: registration.id.rawValue, payload: kind.rawValue, in: tx)
  }

  /// Nothing for a registration that is gone, or confirmed meanwhile.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    guard let kind = Kind(rawValue: item.payload) else { throw Unreadable() }
    let due = try await core.database.read { [core] tx -> Message? in
      let store = RegistrationStore(tx, vault: core.vault)
      guard let registration = try store.find(.init(rawValue: item.subject)),
        let tenant = try TenantStore(tx).find(registration.tenant),
        let user = try FinapticUserStore(tx, vault: core.vault)
          .find(customer: registration.customer, tenant: tenant.id)?.user
      else { return nil }
      let body: String
      switch kind {
      case .confirm:
        guard registration.confirmedAt == nil, let token = try store.token(of: registration.id) else { return nil }
        body = confirmation(tenant, token: token)
      case .renew:
        body = renewal(tenant, until: registration.expiresAt)
      }
      var message = Message(
        registration.alias.isEmail ? .email : .sms, to: registration.alias.destination,
        subject: registration.alias.isEmail ? subject(kind, tenant) : nil, body: body, locale: "en")
      // Each end is told of once.
      message.id = "\(item.subject)-\(kind.rawValue)-\(registration.expiresAt.milliseconds)"
      (message.about, message.template) = (user.id.rawValue, "autodeposit-\(kind.rawValue)")
      message.tenant = TenantID("finaptic", "\(tenant.id)")
      return message
    }
    if let due { try await messenger.send(due) }
  }

  private func subject(_ kind: Kind, _ tenant: FinapticTenant) -> String {
    switch kind {
    case .confirm: "\(tenant.name): confirm your autodeposit registration"
    case .renew: "\(tenant.name): your autodeposit registration ends soon"
    }
  }

  private func confirmation(_ tenant: FinapticTenant, token: String) -> String {
    """
    A customer of \(tenant.name) asked that money sent to you here goes straight to an account. If it was you, confirm \
    it within \(policy.interac.confirmLifetime.wholeSeconds / 86_400) days:

    \(policy.publicURL)/finaptic/pages/confirm-autodeposit/\(token)

    If it was not you, do nothing.
    """
  }

  private func renewal(_ tenant: FinapticTenant, until end: Instant) -> String {
    """
    Your autodeposit registration at \(tenant.name) ends on \(end.rfc3339.prefix(10)), as no money came by it for a \
    long time. To keep it, delete it in the app and make it again.
    """
  }

  struct Unreadable: FinalFailure {}
}
