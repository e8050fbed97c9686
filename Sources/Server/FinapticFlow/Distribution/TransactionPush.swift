// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage

/// A transaction as pushes tell of it: one flat object of texts (finaptic §8.9).
enum TransactionPush {
  static func data(_ transaction: BankTransaction) -> [String: PushMessage.Datum] {
    func money(_ minorUnits: Int64) -> String { Money(minorUnits, transaction.amount.currency).decimal }
    let texts = [
      "eventType": "TransactionCreatedEvent", "transactionId": transaction.id.rawValue,
      "amount": transaction.amount.decimal, "availableBalance": money(transaction.available),
      "actualBalance": money(transaction.actual), "transactionTime": time(transaction.at),
    ]
    return texts.mapValues { .text($0) }
  }

  /// `2021-12-17 12:34:56.793213 +0000 UTC`.
  static func time(_ time: LedgerTime) -> String {
    let seconds = time.instant.rfc3339.prefix("2021-12-17T12:34:56".count).replacing("T", with: " ")
    let fraction = String(((time.microseconds % 1_000_000) + 1_000_000) % 1_000_000)
    return "\(seconds).\(String(repeating: "0", count: 6 - fraction.count))\(fraction) +0000 UTC"
  }
}

extension TransactionAudience {
  /// Customers' devices, and the tenant's endpoints for webhooks. Nothing is told for a customer who was erased.
  package static func outside(
    database: any SQLDatabase, vault: Vault, world: World, webhooks: Webhooks
  ) -> TransactionAudience {
    let outbox = Outbox(world: world)
    return TransactionAudience { all in
      // One that is of an account with a device may be of others who have none: for them nothing is written. Who
      // begins to listen between this look and the commit hears of the next transaction.
      let events = try await database.look { try Self.heard(all, vault, webhooks, in: $0) }
      guard !events.isEmpty else { return }
      let bodies = try events.map { try WireJSON.encode(TransactionNotice($0)) }
      try await database.write { tx in
        let customers = Set(events.map(\.customer)).sorted()
        let users = try FinapticUserStore.ids(ofCustomers: customers, in: tx)
        // Who was erased stays a party of the ledger: of an account with another owner, or since the event was read.
        // An erasure deletes what was told before it, and would not see what is written beside it.
        let kept = try FinapticUserStore.takeReachable(customers, in: tx)
        for (event, body) in zip(events, bodies) where users[event.customer] == nil || kept.contains(event.customer) {
          let transaction = event.transaction
          try PushNotices.owe(
            .transaction(transaction.id, on: transaction.account, event: event.id), to: event.customer,
            tenant: transaction.tenant, vault: vault, outbox: outbox, in: tx)
          try webhooks.publish(
            WebhookMessage(
              "TransactionCreated", name: event.id, tenant: FinapticTenant.webhooks(transaction.tenant), body: body,
              about: event.customer, keySubject: users[event.customer]?.rawValue), in: tx)
        }
      }
    }
  }

  /// Events that have a device or an endpoint to go to.
  private static func heard(
    _ events: [TransactionCreatedEvent], _ vault: Vault, _ webhooks: Webhooks, in tx: any SQLTransaction
  ) throws -> [TransactionCreatedEvent] {
    try Dictionary(grouping: events, by: \.transaction.tenant).flatMap { tenant, events in
      if try webhooks.isHeard("TransactionCreated", by: FinapticTenant.webhooks(tenant), in: tx) { return events }
      let carriers = try PushChannelStore(tx, vault: vault).carriers(
        among: Set(events.map(\.customer)).sorted(), tenant: tenant)
      return events.filter { carriers.contains($0.customer) }
    }
  }
}

/// The webhook about a transaction (finaptic §12): ids and the time; the details are asked for.
private struct TransactionNotice: Encodable, Sendable {
  let eventId: String
  // What docs/reference/webhook-events.md tells of them.
  // webhook TransactionCreated: a transaction of an account, told for each customer on it

  let eventType = "TransactionCreated"
  let eventTime: FinapticAPI.Instant
  let tenantId: Int
  let customerId: String
  let accountId: String
  let transactionId: String

  init(_ event: TransactionCreatedEvent) {
    let transaction = event.transaction
    eventTime = .init(millisecondsSince1970: transaction.at.instant.milliseconds)
    (eventId, tenantId, customerId) = (event.id, transaction.tenant, event.customer)
    (accountId, transactionId) = (transaction.account.rawValue, transaction.id.rawValue)
  }

  enum CodingKeys: String, CodingKey {
    case eventId = "event_id"
    case eventType = "event_type"
    case eventTime = "event_time"
    case tenantId = "tenant_id"
    case customerId = "customer_id"
    case accountId = "account_id"
    case transactionId = "transaction_id"
  }
}
