// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Storage

/// What a tenant's server is told of accounts, their people and their cards (finaptic §12). An event has a kind, ids
/// and a time; the server asks for everything else.
package struct BankEvent: Encodable, Sendable {
  /// The names of the published interface. Where such a name leaves out what it is about, that stands in front of it.
  package enum Kind: String, Sendable, CaseIterable, Encodable {
    case accountCreated = "AccountCreated"
    case accountStatusChanged = "AccountStatusChanged"
    case ownerAdded = "OwnerAdded"
    case authorizedUserAdded = "AuthorizedUserAdded"
    case authorizedUserRemoved = "AuthorizedUserRemoved"
    case invitationIssued = "InvitationIssued"
    case invitationAnswered = "InvitationAcceptedOrDeclined"
    case invitationConfirmed = "InvitationConfirmed"
    case cardCreated = "CardCreated"
    /// Made by its issuer, locked or unlocked.
    case cardUpdated = "CardUpdated"
  }

  // What docs/reference/webhook-events.md tells of them.
  // webhook AccountCreated: an account was opened
  // webhook AccountStatusChanged: an account is in another state
  // webhook OwnerAdded: an account has another owner
  // webhook AuthorizedUserAdded: someone may use an account of another
  // webhook AuthorizedUserRemoved: an authorized user may use it no more
  // webhook InvitationIssued: an owner invited someone to an account
  // webhook InvitationAcceptedOrDeclined: the invited answered
  // webhook InvitationConfirmed: the owner confirmed whom they invited
  // webhook CardCreated: a card was ordered
  // webhook CardUpdated: a card was made by its issuer, locked or unlocked

  let eventId: String
  let eventType: Kind
  let eventTime: FinapticAPI.Instant
  let tenantId: Int
  let accountId: String
  /// The person whom it is about: an owner, an authorized user, the invited person or the holder of the card.
  var customerId: String?
  var cardId: String?
  var invitationId: String?
  var issuerCustomerId: String?
  /// Of the account, the invitation or the card after it, in the words of the wire.
  var status: String?
  /// Of an issued invitation: whether the identifier belongs to no customer, so that `customer_id` is made up.
  var isMadeUp: Bool?

  enum CodingKeys: String, CodingKey {
    case status
    case eventId = "event_id"
    case eventType = "event_type"
    case eventTime = "event_time"
    case tenantId = "tenant_id"
    case accountId = "account_id"
    case customerId = "customer_id"
    case cardId = "card_id"
    case invitationId = "invitation_id"
    case issuerCustomerId = "issuer_customer_id"
    case isMadeUp = "is_made_up"
  }
}

/// Publishes events to tenants' servers: they are due once the transaction that publishes them commits.
package struct BankEventPublisher: Sendable {
  let owe: @Sendable (WebhookMessage, any SQLTransaction) throws -> Void

  /// Publishes nothing.
  package static let none = BankEventPublisher { _, _ in }

  package static func webhooks(_ webhooks: Webhooks) -> BankEventPublisher {
    BankEventPublisher { _ = try webhooks.publish($0, in: $1) }
  }
}

extension BankEventPublisher {
  /// Tells a tenant's server, once this transaction commits.
  func tell(
    _ kind: BankEvent.Kind, on account: String, of tenant: Int, about customer: String?, world: World,
    _ fill: (inout BankEvent) -> Void = { _ in }, in tx: any SQLTransaction
  ) throws {
    var event = BankEvent(
      eventId: world.randomUUID(), eventType: kind,
      eventTime: .init(millisecondsSince1970: world.now().milliseconds), tenantId: tenant, accountId: account)
    event.customerId = customer
    fill(&event)
    let user = try KeySubject.customer(customer, in: tx)
    try owe(
      WebhookMessage(
        kind.rawValue, name: event.eventId, tenant: FinapticTenant.webhooks(tenant), body: try WireJSON.encode(event),
        about: customer, keySubject: user?.id), tx)
  }
}
