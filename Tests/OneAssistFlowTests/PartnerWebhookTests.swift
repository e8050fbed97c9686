// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import OneAssistFlow

@Suite("OneAssist: partners hear of changes by webhooks")
struct PartnerWebhookTests {
  private let event = StatusEvent(
    id: "evt_1_2", timestamp: "2026-11-21T06:00:00.000Z",
    data: .init(memUUID: "m", orderUUID: "o", applicationNo: "a", from: "DETAILS_PENDING", status: "CANCELLED"))

  private func partner(_ url: String?) -> Partner {
    Partner(
      id: .init(rawValue: "p-1"), tenant: "default", client: .init(rawValue: "c-1"), code: 853, units: [1552],
      name: "Shop", isInternational: false, webhookURL: url, createdAt: Instant(milliseconds: 0))
  }

  @Test("at the address of the partner's record, once, signed with its secret, also when both change")
  func told() async throws {
    let clock = TestWorld()
    let heard = Mutex<[PeerHTTP.Call]>([])
    let made = try await TestDatabase.make(.current, OneAssistTestApp.migrations)
    let webhooks = Webhooks(
      database: made.database, vault: try await TestVault.open(made.database, clock.world), world: clock.world,
      http: PeerHTTP { call in
        heard.withLock { $0.append(call) }
        return .init(status: 200)
      })
    let line = PartnerClient.webhooks(webhooks, database: made.database)
    let worker = OutboxWorker(
      database: made.database, world: clock.world, handlers: webhooks.handlers, logger: LogRecorder().logger)
    let (one, two) = (WebhookSecret(clock.world), WebhookSecret(clock.world))
    for _ in 1...2 { try await line.tell(partner("https://shop.example/hooks"), one.text, event) }
    try await line.tell(partner(nil), one.text, event)
    while try await worker.runDue() > 0 {}
    let later = StatusEvent(id: "evt_1_3", timestamp: event.timestamp, data: event.data)
    try await line.tell(partner("https://shop.example/new"), two.text, later)
    while try await worker.runDue() > 0 {}
    let calls = heard.withLock { $0 }
    #expect(calls.map(\.url) == ["https://shop.example/hooks", "https://shop.example/new"])
    for (call, secret) in zip(calls, [one, two]) {
      #expect(
        secret.accepts(
          call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
          signatures: call.headers["webhook-signature"], at: clock.now))
    }
    #expect(try JSONDecoder().decode(StatusEvent.self, from: #require(calls.first).body) == event)
  }

  @Test("a new secret signs beside the one before until the overlap is over, or alone; one read before is not used")
  func rotated() async throws {
    try await OneAssistTestApp.run { app in
      let (partners, code) = (app.service.partners, app.partner.code)
      let heard = Mutex<[PeerHTTP.Call]>([])
      let webhooks = Webhooks(
        database: app.database, vault: app.vault, world: app.clock.world,
        http: PeerHTTP { call in
          heard.withLock { $0.append(call) }
          return .init(status: 200)
        })
      let line = PartnerClient.webhooks(webhooks, database: app.database)
      let worker = OutboxWorker(
        database: app.database, world: app.clock.world, handlers: webhooks.handlers, logger: app.log.logger)
      let text = try await app.database.read {
        try PartnerStore($0, vault: app.vault).webhookSecret(of: app.partner.id)
      }
      let first = try #require(text.flatMap { WebhookSecret($0) })
      /// Which secrets a receiver may know to take the next call; the caller read the first one.
      func signing(_ secrets: WebhookSecret...) async throws -> [Bool] {
        let count = heard.withLock { $0.count }
        let next = StatusEvent(id: "evt_\(count)", timestamp: event.timestamp, data: event.data)
        try await line.tell(app.partner, first.text, next)
        while try await worker.runDue() > 0 {}
        let calls = heard.withLock { $0 }
        #expect(calls.count == count + 1)
        let call = try #require(calls.last)
        return secrets.map {
          $0.accepts(
            call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
            signatures: call.headers["webhook-signature"], at: app.clock.now)
        }
      }
      // Before anything was told.
      let second = try await partners.rotateWebhookSecret(of: code, overlap: .hours(24), by: "test").secret
      #expect(try await signing(first, second) == [true, true])
      await #expect { try await partners.rotateWebhookSecret(of: code, overlap: .hours(1), by: "test") } throws: {
        ($0 as? Problem)?.code == "secret-turning-over"
      }
      app.clock.advance(by: .hours(24))
      #expect(try await signing(first, second) == [false, true])
      let third = try await partners.rotateWebhookSecret(of: code, overlap: .zero, by: "test").secret
      #expect(try await signing(first, second, third) == [false, false, true])
      await #expect { try await partners.rotateWebhookSecret(of: 999, overlap: .zero, by: "test") } throws: {
        ($0 as? Problem)?.code == "not-found"
      }
      // Added without a webhook.
      await #expect { try await partners.rotateWebhookSecret(of: 854, overlap: .zero, by: "test") } throws: {
        ($0 as? Problem)?.code == "validation-failed"
      }
    }
  }
}
