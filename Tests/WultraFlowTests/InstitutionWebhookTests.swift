// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the institution hears how far a process has come")
struct InstitutionWebhookTests {
  @Test("at the address of the settings, once, signed, and again while it is away")
  func told() async throws {
    let clock = TestWorld()
    let made = try await TestDatabase.make(.current, WultraTestApp.migrations)
    let heard = Mutex<[PeerHTTP.Call]>([])
    let statuses = Mutex([500])
    let webhooks = Webhooks(
      database: made.database, vault: try await TestVault.open(made.database, clock.world), world: clock.world,
      http: PeerHTTP { _ in
        Issue.record("not by the line for others' addresses")
        return .init(status: 500)
      },
      ownHTTP: PeerHTTP { call in
        heard.withLock { $0.append(call) }
        return .init(status: statuses.withLock { $0.isEmpty ? 204 : $0.removeFirst() })
      })
    let secret = WebhookSecret(clock.world)
    let hook = try SignedWebhook(
      base: "https://bank.internal/adapter/", secret: secret.text, threads: BlockingThreadPool("adapter", width: 1),
      world: clock.world)
    let adapter = OnboardingAdapter.webhook(hook, through: webhooks, database: made.database)
    let worker = OutboxWorker(
      database: made.database, world: clock.world, handlers: webhooks.handlers, logger: LogRecorder().logger)
    let notice = ProcessStatusNotice(processId: "p-1", userId: "u-1", status: "FINISHED", reason: nil)
    for _ in 1...2 { try await adapter.tell(notice, "id-1") }
    while try await worker.runDue() > 0 {}
    clock.advance(by: .seconds(5))
    while try await worker.runDue() > 0 {}
    let calls = heard.withLock { $0 }
    #expect(calls.map(\.url) == Array(repeating: "https://bank.internal/adapter/process/event", count: 2))
    for call in calls {
      #expect(call.body == Data(#"{"processId":"p-1","status":"FINISHED","userId":"u-1"}"#.utf8))
      #expect(call.headers["webhook-id"] == "id-1" && call.headers["Content-Type"] == "application/json")
    }
    let last = try #require(calls.last)
    #expect(
      secret.accepts(
        last.body, id: "id-1", timestamp: last.headers["webhook-timestamp"],
        signatures: last.headers["webhook-signature"], at: clock.now))
    let delivery = try #require(try await webhooks.log(.init()).first)
    #expect(delivery.type == "process.finished" && delivery.state == .delivered && delivery.tries == 2)
    #expect("\(delivery.tenant)" == "wultra/institution")
  }
}
