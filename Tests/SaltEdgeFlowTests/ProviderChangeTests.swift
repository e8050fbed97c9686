// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import TestSupport
import Testing

@Suite("Salt Edge: banks are added whole, and changed")
struct ProviderChangeTests {
  @Test("a bank whose code is taken leaves no credentials behind")
  func whole() async throws {
    try await SaltEdgeTestApp.run { app in
      let before = try await app.clients.list(tenant: "default").count
      let draft = Providers.Draft(code: "hosted", name: "Again", kind: .hosted, supportEmail: "a@b.example")
      await #expect(throws: Problem.self) {
        try await app.service.providers.add(draft, clients: app.clients, by: "test")
      }
      #expect(try await app.clients.list(tenant: "default").count == before)
      var other = draft
      other.code = "fresh"
      let (added, issued) = try await app.service.providers.add(other, clients: app.clients, by: "test")
      #expect(issued.client.scopes == [.bank])
      #expect(try await app.api(.get, "", provider: added.provider.id, as: issued).status == 200)
    }
  }

  @Test("a key that others may have seen signs nothing any more once it is changed")
  func key() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.connected(app)
      var change = Providers.Change()
      change.publicKey = try TestKeys.named("new bank").publicKey.pem
      _ = try await app.service.providers.change("remote", change, clients: app.clients, by: "test")
      let path = "connections/\(device.connection)/revoke"
      #expect(try await app.bankCalls(.put, path, EmptyBody()).refusal == "400 InvalidSignature")
      let renewed = try await app.bankCalls(.put, path, EmptyBody()) { headers, body in
        headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: TestKeys.named("new bank"))
      }
      #expect(renewed.status == 200)
    }
  }

  @Test("new credentials are good at once, and the old ones no more; new addresses and secrets are used")
  func renewal() async throws {
    try await SaltEdgeTestApp.run { app in
      var change = Providers.Change()
      (change.renewsClient, change.webhookSecretOverlap) = (true, .zero)
      change.webhookURL = "https://hosted.example/new-hook"
      let changed = try await app.service.providers.change(
        "hosted", change, clients: app.clients, by: "test")
      #expect(changed.webhookSecret != nil && changed.webhookSecret != app.webhookSecret)
      #expect(try await app.api(.get, "").refusal == "401 credentials-invalid")
      let issued = try #require(changed.credentials)
      #expect(try await app.api(.get, "", as: issued).status == 200)
      _ = try await app.api(
        .post, "authorizations", #"{"reference":"r","user_id":"u-1","title":"Login"}"#, as: issued)
      app.clock.advance(by: .minutes(5))
      try await app.effects.jobs.runOnce()
      try await app.settle()
      #expect(app.bank.heard.map(\.url) == ["https://hosted.example/new-hook"])
      // What waits goes to the next address, too.
      var move = Providers.Change()
      move.webhookURL = "https://hosted.example/moved"
      _ = try await app.service.providers.change("hosted", move, clients: app.clients, by: "test")
      #expect(try await app.webhooks.reports().map(\.endpoint.url) == ["https://hosted.example/moved"])
    }
  }

  @Test("a new webhook secret signs beside the one before until the overlap is over, or alone")
  func overlap() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      let first = try #require(WebhookSecret(app.webhookSecret))
      func renew(_ overlap: Duration, _ url: String? = nil) async throws -> Providers.Changed {
        var change = Providers.Change()
        (change.webhookSecretOverlap, change.webhookURL) = (overlap, url)
        return try await providers.change("hosted", change, clients: app.clients, by: "test")
      }
      /// Which secrets a receiver may know to take the next event.
      func signing(_ secrets: WebhookSecret...) async throws -> [Bool] {
        let count = app.bank.heard.count
        _ = try await app.api(
          .post, "authorizations", #"{"reference":"r\#(count)","user_id":"u-1","title":"Login"}"#)
        app.clock.advance(by: .minutes(5))
        try await app.effects.jobs.runOnce()
        try await app.settle()
        #expect(app.bank.heard.count == count + 1)
        let call = try #require(app.bank.heard.last)
        return secrets.map {
          $0.accepts(
            call.body, id: call.headers["webhook-id"], timestamp: call.headers["webhook-timestamp"],
            signatures: call.headers["webhook-signature"], at: app.clock.now)
        }
      }
      // Before anything was told, and to another address at once.
      let renewed = try await renew(.hours(24), "https://hosted.example/new-hook")
      let second = try #require(renewed.webhookSecret.flatMap { WebhookSecret($0) })
      #expect(renewed.formerUntil == app.clock.now + .hours(24))
      #expect(try await signing(first, second) == [true, true])
      #expect(app.bank.heard.last?.url == "https://hosted.example/new-hook")
      await #expect { try await renew(.hours(1)) } throws: { ($0 as? Problem)?.code == "secret-turning-over" }
      app.clock.advance(by: .hours(24))
      #expect(try await signing(first, second) == [false, true])
      let third = try #require(try await renew(.zero).webhookSecret.flatMap { WebhookSecret($0) })
      #expect(try await signing(first, second, third) == [false, false, true])
    }
  }

  @Test("of two changes at once that name a bank's first webhook, one makes the secret")
  func first() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      let draft = Providers.Draft(code: "silent", name: "Silent", kind: .hosted, supportEmail: "a@b.example")
      _ = try await providers.add(draft, clients: app.clients, by: "test")
      // A secret of nothing is no change.
      var change = Providers.Change()
      change.webhookSecretOverlap = .zero
      let problem = await #expect(throws: Problem.self) {
        try await providers.change("silent", change, clients: app.clients, by: "test")
      }
      #expect(problem?.code == "validation-failed")
      (change.webhookSecretOverlap, change.webhookURL) = (nil, "https://silent.example/hook")
      let both = try await withThrowingTaskGroup(of: String?.self) { [change] group in
        for _ in 0..<2 {
          group.addTask {
            try await providers.change("silent", change, clients: app.clients, by: "test").webhookSecret
          }
        }
        return try await group.reduce(into: [String?]()) { $0.append($1) }
      }
      #expect(both.compactMap(\.self).count == 1, "one of them made it, and the other one left it")
    }
  }

  @Test("a bank without a server gets neither a server nor a key, and an unknown code changes nothing")
  func refused() async throws {
    try await SaltEdgeTestApp.run { app in
      let providers = app.service.providers
      var change = Providers.Change()
      change.baseURL = "https://elsewhere.example"
      await #expect(throws: Problem.self) {
        try await providers.change("hosted", change, clients: app.clients, by: "test")
      }
      await #expect(throws: Problem.self) {
        try await providers.change("nobody", change, clients: app.clients, by: "test")
      }
      change.baseURL = "ftp://elsewhere.example"
      await #expect(throws: Problem.self) {
        try await providers.change("remote", change, clients: app.clients, by: "test")
      }
      _ = try await DeviceV2.connected(app)
      #expect(app.bank.heard.allSatisfy { $0.url.hasPrefix(FakeBank.address) })
    }
  }
}
