import Kit
import TestSupport
import Testing

@testable import Capabilities

@Suite("Webhooks: what people and pages learn of them")
struct WebhookLogTests {
  @Test(
    "pages of a log follow each other without a gap, also among messages of one instant", arguments: Engine.available)
  func pages(engine: Engine) async throws {
    let house = try await WebhookHouse(engine)
    let endpoint = try await house.add().endpoint
    _ = try await house.add(url: "https://other.example/hooks")
    for number in 0..<25 {
      if number.isMultiple(of: 10) { house.clock.advance(by: .seconds(1)) }
      try await house.publish("e-\(number)")
    }
    var (names, cursor): ([String], WebhookLogStore.Cursor?) = ([], nil)
    repeat {
      let page = try await house.webhooks.log(of: endpoint.id, in: nil, before: cursor, limit: 4)
      names += page.map(\.name)
      // As a link carries it.
      cursor = page.last.flatMap { WebhookLogStore.Cursor(WebhookLogStore.Cursor($0).text) }
    } while cursor != nil
    #expect(Set(names) == Set((0..<25).map { "e-\($0)" }) && names.count == 25)
    #expect(Set(names.prefix(5)) == Set((20..<25).map { "e-\($0)" }))
    let failed = try await house.webhooks.log(of: endpoint.id, in: .failed, before: nil, limit: 100)
    #expect(failed.isEmpty)
  }

  @Test(
    "what is no end of a page is none",
    arguments: ["", ".", "1", "1.", "-1.", "1.2.3", "99999999999999999999.", "x.", "1.none", " 1."])
  func cursors(text: String) {
    let id = "019c0000-0000-7000-8000-000000000000"
    #expect(WebhookLogStore.Cursor(text) == nil)
    #expect(WebhookLogStore.Cursor("1.\(id)") != nil)
    guard text.hasSuffix("."), text.utf8.count > 1, text != "1." else { return }
    #expect(WebhookLogStore.Cursor(text + id) == nil, "\(text)")
  }

  @Test(
    "an outlook counts what waits and what was given up, and says until when an endpoint rests",
    arguments: Engine.available)
  func outlook(engine: Engine) async throws {
    let house = try await WebhookHouse(engine, [.answer(204), .answer(410)])
    let (well, gone) = (try await house.add().endpoint, try await house.add(tenant: "finaptic/2").endpoint)
    let slow = try await house.add(tenant: "finaptic/3").endpoint
    for tenant in ["finaptic/1", "finaptic/2"] {
      try await house.publish("e-\(tenant)", tenant: tenant)
      try await house.settle()
    }
    house.then(.answer(503), .answer(503), .answer(503))
    for number in 1...3 { try await house.publish("s-\(number)", tenant: "finaptic/3") }
    try await house.settle()
    let all = try await house.webhooks.outlook()
    #expect(all.map(\.endpoint.id) == [well.id, gone.id, slow.id])
    #expect(all.map(\.standing.counts) == [[:], [.failed: 1], [.pending: 3]])
    #expect(all.map { $0.standing.restsUntil == nil } == [true, true, false])
    #expect(all.map { $0.endpoint.disabledAt == nil } == [true, false, true])
    for one in all { #expect(try await house.webhooks.outlook(of: one.endpoint.id).standing == one.standing) }
    await #expect(throws: Problem.notFound) { _ = try await house.webhooks.outlook(of: .init(rawValue: "none")) }
    house.clock.advance(by: .seconds(5))
    #expect(try await house.webhooks.outlook().allSatisfy { $0.standing.restsUntil == nil })
  }

  @Test("who decided on what has changed meanwhile sends nothing again", arguments: Engine.available)
  func changed(engine: Engine) async throws {
    let house = try await WebhookHouse(engine)
    let endpoint = try await house.add().endpoint
    try await house.publish()
    let before = try #require(try await house.log().first)
    try await house.settle()
    let after = try await house.webhooks.delivery(before.id, to: endpoint.id)
    await #expect(throws: Problem.deliveryChanged) {
      try await house.webhooks.redeliver(before.id, at: before.turn, by: "test")
    }
    try await house.webhooks.redeliver(after.id, at: after.turn, by: "test")
    await #expect(throws: Problem.deliveryChanged) {
      try await house.webhooks.redeliver(after.id, at: after.turn, by: "test")
    }
    try await house.settle()
    #expect(house.posted.count == 2)
    await #expect(throws: Problem.notFound) {
      _ = try await house.webhooks.delivery(after.id, to: .init(rawValue: "another"))
    }
    await #expect(throws: Problem.notFound) {
      try await house.webhooks.redeliver(.init(rawValue: "none"), at: 0, by: "test")
    }
  }
}
