// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: every message reaches its endpoints at least once")
struct WebhookDeliveryTests {
  @Test("a message goes to the endpoints of its tenant that take its type, signed, once", arguments: Engine.available)
  func posted(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let mine = try await app.add("CustomerOnboarded", "Canceled")
    _ = try await app.add("Rejected")
    _ = try await app.add(url: "https://other.example/", tenant: TenantID("finaptic", "2"))
    #expect(try await app.publish() == 1)
    #expect(try await app.publish() == 0, "the same event again is the same message")
    try await app.settle()
    let call = try #require(app.posted.first)
    #expect(app.posted.count == 1 && call.method == "POST" && call.url == WebhookTestApp.url)
    #expect(call.body == Data(#"{"a":1}"#.utf8) && call.headers["webhook-id"] == "e-1")
    #expect(
      mine.secret.accepts(
        call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
        signatures: call.headers["webhook-signature"], at: app.clock.now))
    let delivery = try #require(try await app.log().first)
    #expect(delivery.state == .delivered && delivery.tries == 1 && delivery.lastStatus == 204)
    #expect(delivery.dueAt == nil && delivery.type == "CustomerOnboarded")
  }

  @Test("what rolls back is not sent", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct No: Error {}
    let app = try await WebhookTestApp(engine)
    _ = try await app.add()
    await #expect(throws: No.self) {
      try await app.database.write { [webhooks = app.webhooks] tx in
        try webhooks.publish(WebhookMessage("X", name: "e", tenant: WebhookTestApp.tenant, body: Data()), in: tx)
        throw No()
      }
    }
    try await app.settle()
    let log = try await app.log()
    #expect(app.posted.isEmpty && log.isEmpty)
  }

  @Test("a receiver that fails and hangs hears the same message again, later and later", arguments: Engine.available)
  func failing(engine: Engine) async throws {
    let app = try await WebhookTestApp(
      engine, [.answer(500), .fail(.timedOut), .fail(.unreachable), .answer(302), .answer(404), .fail(.tls)])
    _ = try await app.add()
    try await app.publish()
    var seen: [(Int?, String?)] = []
    try await app.settle()
    repeat {
      let delivery = try #require(try await app.log().first)
      seen.append((delivery.lastStatus, delivery.lastError))
    } while try await app.next()
    #expect(seen.map(\.0) == [500, nil, nil, 302, 404, nil, 204])
    #expect(seen.map(\.1) == ["refused", "timed-out", "unreachable", "refused", "refused", "tls", nil])
    #expect(app.posted.count == 7)
    #expect(Set(app.posted.map(\.body)).count == 1)
    #expect(Set(app.posted.compactMap { $0.headers["webhook-id"] }) == ["e-1"])
    // Each try is of now, so that a receiver takes it.
    #expect(Set(app.posted.compactMap { $0.headers["webhook-timestamp"] }).count == 7)
  }

  @Test("who is away for more than a day is given up, and hears all when told to", arguments: Engine.available)
  func givenUp(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine, Array(repeating: .answer(503), count: 11))
    _ = try await app.add()
    let begun = app.clock.now
    try await app.publish()
    try await app.settle()
    while try await app.next() {}
    let delivery = try #require(try await app.log(.failed).first)
    #expect(delivery.tries == 11 && delivery.lastStatus == 503 && app.posted.count == 11)
    #expect(app.clock.now - begun > .hours(21) && app.clock.now - begun < .hours(30))
    try await app.webhooks.redeliver(delivery.id, by: "test")
    try await app.settle()
    #expect(try await app.log().first?.state == .delivered)
    #expect(app.posted.count == 12 && Set(app.posted.compactMap { $0.headers["webhook-id"] }).count == 1)
    try await app.webhooks.redeliver(delivery.id, by: "test")
    try await app.settle()
    #expect(app.posted.count == 13, "what was delivered can be sent again, too")
    await #expect(throws: Problem.notFound) { try await app.webhooks.redeliver(.init(rawValue: "none"), by: "test") }
  }

  @Test("a receiver that is gone is left alone until it is enabled again", arguments: Engine.available)
  func gone(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine, [.answer(410)])
    let endpoint = try await app.add().endpoint
    try await app.publish("e-1")
    try await app.settle()
    #expect(try await app.publish("e-2") == 0)
    #expect(try await app.log().map(\.lastError) == ["gone"])
    try await app.webhooks.enable(endpoint.id, by: "test")
    #expect(try await app.publish("e-3") == 1)
    try await app.settle()
    #expect(app.posted.count == 2)
  }

  @Test("a crash between the answer and the row sends again by the same id, and an old effect does nothing")
  func crash() async throws {
    struct Killed: Error {}
    let heard = Mutex<[String?]>([])
    let app = try await WebhookTestApp(
      .current,
      http: PeerHTTP { call in
        let count = heard.withLock { heard in
          heard.append(call.headers["webhook-id"])
          return heard.count
        }
        if count == 1 { throw Killed() }
        return .init(status: 204)
      })
    _ = try await app.add()
    try await app.publish()
    let item = try #require(try await app.database.read { try OutboxStore($0).pending() }.first)
    await #expect(throws: Killed.self) { try await app.webhooks.deliver(item) }
    try await app.webhooks.deliver(item)
    try await app.webhooks.deliver(item)
    try await app.settle()
    #expect(heard.withLock { $0 } == ["e-1", "e-1"], "what is delivered is not owed any more")
  }

  @Test("what was in the hands of an effect that was set aside is found again, and sent", arguments: Engine.available)
  func setAside(engine: Engine) async throws {
    struct Killed: Error {}
    let isDown = Mutex(true)
    let app = try await WebhookTestApp(
      engine,
      http: PeerHTTP { _ in
        if isDown.withLock({ $0 }) { throw Killed() }
        return .init(status: 204)
      })
    _ = try await app.add()
    try await app.publish()
    try await app.settle()
    while try await app.nextEffect() {}
    #expect(try await app.owed() == 0)
    #expect(try await app.log().map(\.state) == [.pending])
    isDown.withLock { $0 = false }
    try await app.webhooks.sweep()
    try await app.settle()
    #expect(try await app.log().map(\.state) == [.delivered])
    try await app.webhooks.sweep()
    #expect(try await app.owed() == 0)
  }

  @Test("an erasure takes what was said of a customer, also what is on its way", arguments: Engine.available)
  func erased(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    _ = try await app.add()
    try await app.publish("e-1", body: #"{"name":"Tremblay"}"#, about: "c-1")
    try await app.publish("e-2", about: "c-2")
    #expect(try await app.made.bytesOnDisk().range(of: Data("Tremblay".utf8)) == nil, "sealed")
    try await app.database.write { try Webhooks.forget(about: "c-1", in: $0) }
    try await app.settle()
    #expect(app.posted.compactMap { $0.headers["webhook-id"] } == ["e-2"])
  }

  @Test("messages go when they are old, but none that is still owed", arguments: Engine.available)
  func swept(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine, [.answer(204), .answer(500)])
    _ = try await app.add()
    try await app.publish("e-1")
    try await app.settle()
    try await app.publish("e-2")
    try await app.settle()
    app.clock.advance(by: .days(31))
    try await app.webhooks.sweep()
    #expect(try await app.log().map(\.name) == ["e-2"])
  }
}
