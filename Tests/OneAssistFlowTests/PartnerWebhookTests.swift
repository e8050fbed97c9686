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
    let made = try await TestDatabase.make(.current, TestDatabase.migrations(of: DeliveryModule.self))
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
}
