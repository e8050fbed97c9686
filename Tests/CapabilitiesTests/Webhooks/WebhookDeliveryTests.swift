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
    let house = try await WebhookHouse(engine)
    let mine = try await house.add("CustomerOnboarded", "Canceled")
    _ = try await house.add("Rejected")
    _ = try await house.add(url: "https://other.example/", tenant: TenantID("finaptic", "2"))
    #expect(try await house.publish() == 1)
    #expect(try await house.publish() == 0, "the same event again is the same message")
    try await house.settle()
    let call = try #require(house.posted.first)
    #expect(house.posted.count == 1 && call.method == "POST" && call.url == WebhookHouse.url)
    #expect(call.body == Data(#"{"a":1}"#.utf8) && call.headers["webhook-id"] == "e-1")
    #expect(
      mine.secret.accepts(
        call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
        signatures: call.headers["webhook-signature"], at: house.clock.now))
    let delivery = try #require(try await house.log().first)
    #expect(delivery.state == .delivered && delivery.tries == 1 && delivery.lastStatus == 204)
    #expect(delivery.dueAt == nil && delivery.type == "CustomerOnboarded")
  }

  @Test("what rolls back is not sent", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct No: Error {}
    let house = try await WebhookHouse(engine)
    _ = try await house.add()
    await #expect(throws: No.self) {
      try await house.database.write { [webhooks = house.webhooks] tx in
        try webhooks.publish(WebhookMessage("X", name: "e", tenant: WebhookHouse.tenant, body: Data()), in: tx)
        throw No()
      }
    }
    try await house.settle()
    let log = try await house.log()
    #expect(house.posted.isEmpty && log.isEmpty)
  }

  @Test("a receiver that fails and hangs hears the same message again, later and later", arguments: Engine.available)
  func failing(engine: Engine) async throws {
    let house = try await WebhookHouse(
      engine, [.answer(500), .fail(.timedOut), .fail(.unreachable), .answer(302), .answer(404), .fail(.tls)])
    _ = try await house.add()
    try await house.publish()
    var seen: [(Int?, String?)] = []
    try await house.settle()
    repeat {
      let delivery = try #require(try await house.log().first)
      seen.append((delivery.lastStatus, delivery.lastError))
    } while try await house.next()
    #expect(seen.map(\.0) == [500, nil, nil, 302, 404, nil, 204])
    #expect(seen.map(\.1) == ["refused", "timed-out", "unreachable", "refused", "refused", "tls", nil])
    #expect(house.posted.count == 7)
    #expect(Set(house.posted.map(\.body)).count == 1)
    #expect(Set(house.posted.compactMap { $0.headers["webhook-id"] }) == ["e-1"])
    // Each try is of now, so that a receiver takes it.
    #expect(Set(house.posted.compactMap { $0.headers["webhook-timestamp"] }).count == 7)
  }

  @Test("who is away for more than a day is given up, and hears all when told to", arguments: Engine.available)
  func givenUp(engine: Engine) async throws {
    let house = try await WebhookHouse(engine, Array(repeating: .answer(503), count: 11))
    _ = try await house.add()
    let begun = house.clock.now
    try await house.publish()
    try await house.settle()
    while try await house.next() {}
    let delivery = try #require(try await house.log(.failed).first)
    #expect(delivery.tries == 11 && delivery.lastStatus == 503 && house.posted.count == 11)
    #expect(house.clock.now - begun > .hours(21) && house.clock.now - begun < .hours(30))
    try await house.webhooks.redeliver(delivery.id, by: "test")
    try await house.settle()
    #expect(try await house.log().first?.state == .delivered)
    #expect(house.posted.count == 12 && Set(house.posted.compactMap { $0.headers["webhook-id"] }).count == 1)
    try await house.webhooks.redeliver(delivery.id, by: "test")
    try await house.settle()
    #expect(house.posted.count == 13, "what was delivered can be sent again, too")
    await #expect(throws: Problem.notFound) { try await house.webhooks.redeliver(.init(rawValue: "none"), by: "test") }
  }

  @Test("a receiver that is gone is left alone until it is enabled again", arguments: Engine.available)
  func gone(engine: Engine) async throws {
    let house = try await WebhookHouse(engine, [.answer(410)])
    let endpoint = try await house.add().endpoint
    try await house.publish("e-1")
    try await house.settle()
    #expect(try await house.publish("e-2") == 0)
    #expect(try await house.log().map(\.lastError) == ["gone"])
    try await house.webhooks.enable(endpoint.id, by: "test")
    #expect(try await house.publish("e-3") == 1)
    try await house.settle()
    #expect(house.posted.count == 2)
  }

  @Test("a crash between the answer and the row sends again by the same id, and an old effect does nothing")
  func crash() async throws {
    struct Killed: Error {}
    let heard = Mutex<[String?]>([])
    let house = try await WebhookHouse(
      .current,
      http: PeerHTTP { call in
        let count = heard.withLock { heard in
          heard.append(call.headers["webhook-id"])
          return heard.count
        }
        if count == 1 { throw Killed() }
        return .init(status: 204)
      })
    _ = try await house.add()
    try await house.publish()
    let item = try #require(try await house.database.read { try OutboxStore($0).pending() }.first)
    await #expect(throws: Killed.self) { try await house.webhooks.deliver(item) }
    try await house.webhooks.deliver(item)
    try await house.webhooks.deliver(item)
    try await house.settle()
    #expect(heard.withLock { $0 } == ["e-1", "e-1"], "what is delivered is not owed any more")
  }

  @Test("what was in the hands of an effect that was set aside is found again, and sent", arguments: Engine.available)
  func setAside(engine: Engine) async throws {
    struct Killed: Error {}
    let isDown = Mutex(true)
    let house = try await WebhookHouse(
      engine,
      http: PeerHTTP { _ in
        if isDown.withLock({ $0 }) { throw Killed() }
        return .init(status: 204)
      })
    _ = try await house.add()
    try await house.publish()
    try await house.settle()
    while try await house.nextEffect() {}
    #expect(try await house.owed() == 0)
    #expect(try await house.log().map(\.state) == [.pending])
    isDown.withLock { $0 = false }
    try await house.webhooks.sweep()
    try await house.settle()
    #expect(try await house.log().map(\.state) == [.delivered])
    try await house.webhooks.sweep()
    #expect(try await house.owed() == 0)
  }

  @Test("an erasure takes what was said of a customer, also what is on its way", arguments: Engine.available)
  func erased(engine: Engine) async throws {
    let house = try await WebhookHouse(engine)
    _ = try await house.add()
    try await house.publish("e-1", body: #"{"name":"Tremblay"}"#, about: "c-1")
    try await house.publish("e-2", about: "c-2")
    #expect(try await house.made.bytesOnDisk().range(of: Data("Tremblay".utf8)) == nil, "sealed")
    try await house.database.write { try Webhooks.forget(about: "c-1", in: $0) }
    try await house.settle()
    #expect(house.posted.compactMap { $0.headers["webhook-id"] } == ["e-2"])
  }

  @Test("messages go when they are old, but none that is still owed", arguments: Engine.available)
  func swept(engine: Engine) async throws {
    let house = try await WebhookHouse(engine, [.answer(204), .answer(500)])
    _ = try await house.add()
    try await house.publish("e-1")
    try await house.settle()
    try await house.publish("e-2")
    try await house.settle()
    house.clock.advance(by: .days(31))
    try await house.webhooks.sweep()
    #expect(try await house.log().map(\.name) == ["e-2"])
  }
}
