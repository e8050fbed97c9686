// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import OneAssistCore
import Storage

/// The effects and scheduled jobs of this flow. Every effect may be repeated.
package struct OneAssistEffects: Sendable {
  let core: CoreDependencies
  let partnerClient: PartnerClient
  let links: LinkCommands
  let memberships: MembershipService
  let erasure: MembershipErasure

  package var handlers: [String: OutboxWorker.Handler] {
    [
      "oneassist.sendLink": links.deliver,
      "oneassist.\(MembershipEffect.tellPartner.rawValue)": tellPartner,
    ]
  }

  /// Jobs run independently: a failed one does not hold up the others.
  package var jobs: [ScheduledJob] {
    [
      ScheduledJob("lapsed-memberships") { try await memberships.sweepLate() },
      ScheduledJob("starting-memberships") { try await memberships.sweepStarting() },
      ScheduledJob("membership-retention") { try await erasure.sweep() },
      // For what began to wait under a release that knew no cases.
      ScheduledJob("membership-cases", every: .hours(6), retryAfter: .minutes(10)) {
        try await memberships.openCases()
      },
    ]
  }

  /// Deletes tokens that have expired.
  package func sweepMemory() async throws {
    let now = core.world.wall()
    try await core.database.sweep { try TokenStore.sweep(before: now, limit: $1, in: $0) }
  }

  /// One change of status, as it was then: several may be on their way at once.
  private func tellPartner(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard words.count == 4, let milliseconds = Int64(words[3]) else { throw Unreadable() }
    let found = try await core.database.read { [core] tx -> (Membership, Partner, String)? in
      let partners = PartnerStore(tx, vault: core.vault)
      // Nothing is told of a member who was erased, however long the event waited for an operator.
      guard let membership = try MembershipStore(tx, vault: core.vault).find(.init(rawValue: item.subject)),
        !membership.isErased, let partner = try partners.find(membership.partner),
        let secret = try partners.webhookSecret(of: partner.id)
      else { return nil }
      return (membership, partner, secret)
    }
    // A partner without a webhook queries the status itself.
    guard let (membership, partner, secret) = found, partner.webhookURL != nil else { return }
    try await partnerClient.tell(
      partner, secret,
      StatusEvent(
        id: "evt_\(membership.id)_\(words[0])", timestamp: Instant(milliseconds: milliseconds).rfc3339,
        data: .init(
          memUUID: membership.id.rawValue, orderUUID: membership.orderUUID,
          applicationNo: membership.applicationNumber, from: words[1], status: words[2])))
    // An erasure that ended meanwhile knew nothing of this event; one that goes on runs again and finds it.
    try await core.database.write { [core] tx in
      let store = MembershipStore(tx, vault: core.vault)
      if try store.touch(membership.id), try store.find(membership.id)?.isErased == false { return }
      try Webhooks.forget(about: membership.id.rawValue, in: tx)
    }
  }

  struct Unreadable: FinalFailure {}
}

/// A webhook's body (oneassist §9.4). The same event has the same id however often it is sent; events may overtake one
/// another, so that the number at the id's end says which is the later one.
package struct StatusEvent: Codable, Sendable, Equatable {
  package struct Change: Codable, Sendable, Equatable {
    package let memUUID: String
    package let orderUUID: String
    package let applicationNo: String
    package let from: String
    package let status: String
  }

  // What docs/reference/webhook-events.md tells of them.
  // webhook membership.status_changed: a membership is in another state

  package var type = "membership.status_changed"
  package let id: String
  /// RFC 3339 in UTC: when it happened.
  package let timestamp: String
  package let data: Change
}

/// Calls the servers of partners. Repetitions of an event carry the same id.
package struct PartnerClient: Sendable {
  /// To a partner with a webhook.
  /// - Throws: a `FinalFailure` when repeating cannot help, anything else when it may.
  package let tell: @Sendable (Partner, _ secret: String, _ event: StatusEvent) async throws -> Void

  package init(tell: @escaping @Sendable (Partner, String, StatusEvent) async throws -> Void) { self.tell = tell }
}

extension PartnerClient {
  /// To the address of the partner's record, signed as Standard Webhooks are, over a day if need be.
  package static func webhooks(_ webhooks: Webhooks, database: any SQLDatabase) -> PartnerClient {
    PartnerClient { partner, secret, event in
      guard let url = partner.webhookURL, let secret = WebhookSecret(secret) else { return }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let message = WebhookMessage(
        event.type, name: event.id, tenant: partner.webhooks, body: try encoder.encode(event),
        about: event.data.memUUID)
      try await database.write { tx in
        // The one that was read before may have been turned over meanwhile.
        let current = try PartnerStore(tx, vault: webhooks.vault).webhookSecret(of: partner.id)
        try webhooks.bind(url, secret: current.flatMap { WebhookSecret($0) } ?? secret, tenant: message.tenant, in: tx)
        try webhooks.publish(message, in: tx)
      }
    }
  }
}
