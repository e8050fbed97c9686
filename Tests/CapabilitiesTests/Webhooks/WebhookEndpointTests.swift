// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite("Webhooks: endpoints and their secrets")
struct WebhookEndpointTests {
  @Test("while a secret is turned over both sign, and then only the new one", arguments: Engine.available)
  func rotation(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let old = try await app.add()
    let new = try await app.webhooks.rotate(old.endpoint.id, overlap: .hours(24), by: "test")
    #expect(old.secret.text != new.secret.text)
    func accepts(_ name: String) async throws -> [Bool] {
      try await app.publish(name)
      try await app.settle()
      let call = try #require(app.posted.last)
      return [old.secret, new.secret].map {
        $0.accepts(
          call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
          signatures: call.headers["webhook-signature"], at: app.clock.now)
      }
    }
    #expect(try await accepts("e-1") == [true, true])
    app.clock.advance(by: .hours(24))
    #expect(try await accepts("e-2") == [false, true])
  }

  @Test("the secret before stays good for as long as was said, unless every one is ended at once")
  func twice() async throws {
    let app = try await WebhookTestApp(.current)
    let first = try await app.add()
    let second = try await app.webhooks.rotate(first.endpoint.id, overlap: .hours(24), by: "test")
    do {
      _ = try await app.webhooks.rotate(first.endpoint.id, overlap: .hours(1), by: "test")
      Issue.record("the first secret was dropped")
    } catch let problem as Problem { #expect(problem.code == "secret-turning-over") }
    let third = try await app.webhooks.rotate(first.endpoint.id, overlap: .zero, by: "test")
    try await app.publish()
    try await app.settle()
    let call = try #require(app.posted.last)
    let taken = [first, second, third].map {
      $0.secret.accepts(
        call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
        signatures: call.headers["webhook-signature"], at: app.clock.now)
    }
    #expect(taken == [false, false, true])
    _ = try await app.webhooks.rotate(first.endpoint.id, overlap: .hours(24), by: "test")
    app.clock.advance(by: .hours(24))
    _ = try await app.webhooks.rotate(first.endpoint.id, overlap: .hours(24), by: "test")
  }

  @Test("a tenant that has all endpoints that it may have, and one of its record, is heard by every one of them")
  func all() async throws {
    let app = try await WebhookTestApp(.current)
    for _ in 1..<WebhookPolicy.endpointsMax { _ = try await app.add() }
    let secret = WebhookSecret(app.clock.world)
    try await app.database.write { [webhooks = app.webhooks] in
      try webhooks.bind("https://bound.example/", secret: secret, tenant: WebhookTestApp.tenant, in: $0)
    }
    _ = try await app.add(url: "https://last.example/")
    await #expect(throws: Problem.self) { try await app.add() }
    #expect(try await app.publish() == WebhookPolicy.endpointsMax + 1)
    try await app.settle()
    #expect(Set(app.posted.map(\.url)).isSuperset(of: ["https://bound.example/", "https://last.example/"]))
  }

  @Test("a bound endpoint is as its record says, and changed there only", arguments: Engine.available)
  func bound(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    func bind(_ url: String, _ secret: WebhookSecret) async throws {
      try await app.database.write { [webhooks = app.webhooks] in
        try webhooks.bind(url, secret: secret, tenant: WebhookTestApp.tenant, in: $0)
      }
    }
    let (one, two) = (WebhookSecret(app.clock.world), WebhookSecret(app.clock.world))
    for (url, secret) in [("https://a.example/", one), ("https://a.example/", one), ("https://b.example/", two)] {
      try await bind(url, secret)
    }
    let endpoint = try #require(try await app.webhooks.reports().first?.endpoint)
    #expect(try await app.webhooks.reports().count == 1 && endpoint.isBound && endpoint.url == "https://b.example/")
    try await app.publish()
    try await app.settle()
    let call = try #require(app.posted.first)
    #expect(
      two.accepts(
        call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
        signatures: call.headers["webhook-signature"], at: app.clock.now))
    await #expect(throws: Problem.self) { _ = try await app.webhooks.rotate(endpoint.id, by: "test") }
    await #expect(throws: Problem.self) { try await app.webhooks.remove(endpoint.id, by: "test") }
  }

  @Test(
    "a record's new secret signs alone, also while one was turned over; its new address ends none",
    arguments: Engine.available)
  func boundWhileTurnedOver(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let (tenant, vault, world) = (WebhookTestApp.tenant, app.webhooks.vault, app.clock.world)
    let (one, two, three) = (WebhookSecret(world), WebhookSecret(world), WebhookSecret(world))
    func bind(_ url: String, _ secret: WebhookSecret) async throws {
      try await app.database.write { [webhooks = app.webhooks] in
        try webhooks.bind(url, secret: secret, tenant: tenant, in: $0)
      }
    }
    func signing(_ name: String) async throws -> [Bool] {
      try await app.publish(name)
      try await app.settle()
      let call = try #require(app.posted.last)
      return [one, two, three].map {
        $0.accepts(
          call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
          signatures: call.headers["webhook-signature"], at: app.clock.now)
      }
    }
    try await bind("https://a.example/", one)
    _ = try await app.database.write {
      try Webhooks.rotateBound(
        tenant, at: "https://a.example/", from: one, to: two, overlap: .hours(24), vault: vault, world: world, in: $0)
    }
    try await bind("https://b.example/", two)
    #expect(try await signing("e-1") == [true, true, false])
    #expect(app.posted.last?.url == "https://b.example/")
    try await bind("https://c.example/", three)
    #expect(try await signing("e-2") == [false, false, true])
    #expect(try await app.webhooks.reports().map(\.endpoint.formerUntil) == [nil])
  }

  @Test("one that is not disabled is told from one that is not there", arguments: Engine.available)
  func enabled(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let id = try await app.add().endpoint.id
    let problem = await #expect(throws: Problem.self) { try await app.webhooks.enable(id, by: "test") }
    #expect(problem?.code == "endpoint-enabled")
    await #expect(throws: Problem.notFound) { try await app.webhooks.enable(.init(rawValue: "none"), by: "test") }
  }

  @Test("secrets are nowhere on disk, and only shown once", arguments: Engine.available)
  func hidden(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    let issued = try await app.add()
    let bytes = try await app.made.bytesOnDisk()
    #expect(bytes.range(of: Data(issued.secret.text.dropFirst(6).utf8)) == nil)
    #expect(try await app.webhooks.reports(tenant: WebhookTestApp.tenant).map(\.endpoint) == [issued.endpoint])
  }

  @Test("addresses that are not of the public Internet, or not HTTPS, are refused")
  func refused() async throws {
    let app = try await WebhookTestApp(.current)
    let addresses = [
      "http://bank.example/", "https://localhost/", "https://a.localhost", "https://127.0.0.1/", "https://[::1]/",
      "https://10.1.2.3/", "https://172.16.0.1", "https://192.168.0.1", "https://169.254.169.254/latest/meta-data",
      "https://[fd00::1]/", "https://[fe80::1]/", "https://[::ffff:127.0.0.1]/", "https://0.0.0.0/",
      "https://2130706433/", "https://metadata.google.internal/", "https://user:word@bank.example/",
      "https://bank.example/#x", "ftp://a.example", "https://", "", "https://bank.example/\r\nX: y",
      "https://bank.example:0/", "https://a.example;127.0.0.1/", "https://a.example,127.0.0.1/", "https://a'b.example/",
      "https://a.example&b/", "https://127%2e0%2e0%2e1/", "https://a%00.example/", "https://a..example/",
      "https://localhost./", "https://a.internal./", "https://0x7f.1/", "https://0x7f000001/", "https://017700000001/",
      "https://1.2.3/", "https://[v1.a]/", "https://ip6-localhost/", "https://-a.example/",
      "https://bank.example:18446744073709560059/", "https://[bank.example]/",
    ]
    for url in addresses {
      await #expect(throws: Problem.self, "\(url)") { try await app.add(url: url) }
      #expect(try await app.webhooks.reports().isEmpty, "\(url)")
    }
  }

  @Test("addresses of the public Internet are taken in every form of a name and of an address")
  func taken() async throws {
    let app = try await WebhookTestApp(.current)
    let addresses = [
      "https://bank.example/", "https://hooks_1.bank.example:8443/in?tenant=a;b", "https://xn--bnk-qla.example",
      "https://bank.example./", "https://8.8.8.8/", "https://[2606:4700:4700::1111]/", "https://1password.example/",
    ]
    for url in addresses { _ = try await app.add(url: url) }
    #expect(try await Set(app.webhooks.reports().map(\.endpoint.url)) == Set(addresses))
  }

  @Test(
    "a name that no type has is told with the nearest; endpoints that are stored may have others",
    arguments: Engine.available)
  func types(engine: Engine) async throws {
    for name in WebhookEvents.published + ["*"] { #expect(WebhookEvents.fault(of: name) == nil, "\(name)") }
    for (name, nearest) in [
      ("customerOnboarded", "CustomerOnboarded"), ("TransactionCreate", "TransactionCreated"),
      ("membership.status-changed", "membership.status_changed"), ("CardUpdate", "CardUpdated"),
    ] {
      #expect(WebhookEvents.fault(of: name) == "no type of event is called \(name); the nearest is \(nearest)")
    }
    for name in ["", "no name", "a\u{1b}[2J"] {
      #expect(WebhookEvents.fault(of: name) == "no type of event has such a name")
    }
    let app = try await WebhookTestApp(engine)
    _ = try await app.add("OfAnEarlierRelease")
    #expect(try await app.webhooks.reports().map(\.endpoint.events.text) == ["OfAnEarlierRelease"])
  }

  @Test("tenants and types have a form, and a tenant has only so many endpoints", arguments: Engine.available)
  func limits(engine: Engine) async throws {
    let app = try await WebhookTestApp(engine)
    for tenant in ["", "finaptic", "finaptic/", "Finaptic/1", "finaptic/a b"] { #expect(TenantID(tenant) == nil) }
    await #expect(throws: Problem.self) { try await app.add("no name") }
    for _ in 0..<WebhookPolicy.endpointsMax { _ = try await app.add() }
    await #expect(throws: Problem.self) { try await app.add() }
    let first = try #require(try await app.webhooks.reports().first?.endpoint)
    try await app.webhooks.remove(first.id, by: "test")
    _ = try await app.add()
    await #expect(throws: Problem.notFound) { try await app.webhooks.remove(first.id, by: "test") }
    await #expect(throws: Problem.notFound) { _ = try await app.webhooks.rotate(first.id, by: "test") }
  }
}
