// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: what people and pages learn of them")
struct WebhookLogTests {
  @Test(
    "pages of a log follow each other without a gap, also among messages of one instant", arguments: Engine.available)
  func pages(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let endpoint = try await app.add().endpoint
    _ = try await app.add(url: "https://other.example/hooks")
    for number in 0..<25 {
      if number.isMultiple(of: 10) { app.clock.advance(by: .seconds(1)) }
      try await app.publish("e-\(number)")
    }
    var (names, cursor): ([String], WebhookLogStore.Cursor?) = ([], nil)
    repeat {
      let page = try await app.webhooks.log(of: endpoint.id, in: nil, before: cursor, limit: 4)
      names += page.map(\.name)
      // As a link carries it.
      cursor = page.last.flatMap { WebhookLogStore.Cursor(WebhookLogStore.Cursor($0).text) }
    } while cursor != nil
    #expect(Set(names) == Set((0..<25).map { "e-\($0)" }) && names.count == 25)
    #expect(Set(names.prefix(5)) == Set((20..<25).map { "e-\($0)" }))
    (names, cursor) = ([], nil)
    try await app.settle()
    repeat {
      let page = try await app.webhooks.log(of: endpoint.id, in: .delivered, before: cursor, limit: 4)
      names += page.map(\.name)
      cursor = page.last.map { WebhookLogStore.Cursor($0) }
    } while cursor != nil
    #expect(Set(names) == Set((0..<25).map { "e-\($0)" }) && names.count == 25)
    let failed = try await app.webhooks.log(of: endpoint.id, in: .failed, before: nil, limit: 100)
    #expect(failed.isEmpty)
  }

  @Test(
    "an invalid page token is refused", .storeless,
    arguments: ["", ".", "1", "1.", "-1.", "1.2.3", "99999999999999999999.", "x.", "1.none", " 1."])
  func cursors(text: String) {
    let id = "019c0000-0000-7000-8000-000000000000"
    #expect(WebhookLogStore.Cursor(text) == nil)
    #expect(WebhookLogStore.Cursor("1.\(id)") != nil)
    guard text.hasSuffix("."), text.utf8.count > 1, text != "1." else { return }
    #expect(WebhookLogStore.Cursor(text + id) == nil, "\(text)")
  }

  @Test(
    "a report counts what waits and what was given up, and says until when an endpoint rests",
    arguments: Engine.available)
  func reports(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine, [.answer(204), .answer(410)])
    let (well, gone) = (try await app.add().endpoint, try await app.add(tenant: TenantID("finaptic", "2")).endpoint)
    let slow = try await app.add(tenant: TenantID("finaptic", "3")).endpoint
    for tenant in [TenantID("finaptic", "1"), TenantID("finaptic", "2")] {
      try await app.publish("e-\(tenant)", tenant: tenant)
      try await app.settle()
    }
    app.then(.answer(503), .answer(503), .answer(503))
    for number in 1...3 { try await app.publish("s-\(number)", tenant: TenantID("finaptic", "3")) }
    try await app.settle()
    let all = try await app.webhooks.reports()
    #expect(all.map(\.endpoint.id) == [well.id, gone.id, slow.id])
    #expect(all.map(\.status.counts) == [[:], [.failed: 1], [.pending: 3]])
    #expect(all.map { $0.status.restsUntil == nil } == [true, true, false])
    #expect(all.map { $0.endpoint.disabledAt == nil } == [true, false, true])
    for one in all { #expect(try await app.webhooks.report(of: one.endpoint.id).status == one.status) }
    await #expect(throws: Problem.notFound) { _ = try await app.webhooks.report(of: .init(rawValue: "none")) }
    app.clock.advance(by: .seconds(5))
    #expect(try await app.webhooks.reports().allSatisfy { $0.status.restsUntil == nil })
  }

  /// Looks and sends again while it is being posted to.
  private final class Impatient: Sendable {
    let app = Mutex<WebhookTestApp?>(nil)
    let told = Mutex<[String]>([])

    var http: PeerHTTP {
      PeerHTTP { [self] _ in
        let app = app.withLock { $0 }
        let delivery = try await app?.log().first
        do { if let delivery { try await app?.webhooks.redeliver(delivery.id, by: "test") } } catch let problem
          as Problem
        { told.withLock { $0.append(problem.code) } }
        return .init(status: told.withLock { $0.count } == 1 ? 503 : 410)
      }
    }
  }

  @Test(
    "what is being posted, or waits for a disabled endpoint, is not sent again by hand", arguments: Engine.available)
  func underWay(engine: Engine) async throws {
    let impatient = Impatient()
    let app = try await WebhookTestApp(engine, http: impatient.http)
    impatient.app.withLock { $0 = app }
    defer { impatient.app.withLock { $0 = nil } }
    let endpoint = try await app.add().endpoint
    try await app.publish()
    try await app.settle()
    #expect(try await app.next())
    #expect(impatient.told.withLock { $0 } == ["delivery-under-way", "delivery-under-way"])
    let delivery = try #require(try await app.log().first)
    #expect(delivery.state == .failed && delivery.tries == 2, "both tries count as they ended")
    let problem = await #expect(throws: Problem.self) {
      try await app.webhooks.redeliver(delivery.id, at: delivery.turn, by: "test")
    }
    #expect(problem?.code == "endpoint-disabled")
    try await app.webhooks.enable(endpoint.id, by: "test")
    try await app.webhooks.redeliver(delivery.id, at: delivery.turn, by: "test")
    #expect(try await app.log(.pending).count == 1)
  }

  @Test("who decided on what has changed meanwhile sends nothing again", arguments: Engine.available)
  func changed(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let endpoint = try await app.add().endpoint
    try await app.publish()
    let before = try #require(try await app.log().first)
    try await app.settle()
    let after = try await app.webhooks.delivery(before.id, to: endpoint.id)
    await #expect(throws: Problem.deliveryChanged) {
      try await app.webhooks.redeliver(before.id, at: before.turn, by: "test")
    }
    try await app.webhooks.redeliver(after.id, at: after.turn, by: "test")
    await #expect(throws: Problem.deliveryChanged) {
      try await app.webhooks.redeliver(after.id, at: after.turn, by: "test")
    }
    try await app.settle()
    #expect(app.posted.count == 2)
    await #expect(throws: Problem.notFound) {
      _ = try await app.webhooks.delivery(after.id, to: .init(rawValue: "another"))
    }
    await #expect(throws: Problem.notFound) {
      try await app.webhooks.redeliver(.init(rawValue: "none"), at: 0, by: "test")
    }
  }
}
