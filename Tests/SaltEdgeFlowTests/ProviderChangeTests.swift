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
    try await SaltEdgeHouse.run { house in
      let before = try await house.clients.list(tenant: "default").count
      let draft = Providers.Draft(code: "hosted", name: "Again", kind: .hosted, supportEmail: "a@b.example")
      await #expect(throws: Problem.self) {
        try await Providers(house.service.core).add(draft, clients: house.clients, by: "test")
      }
      #expect(try await house.clients.list(tenant: "default").count == before)
      var other = draft
      other.code = "fresh"
      let (added, issued) = try await Providers(house.service.core).add(other, clients: house.clients, by: "test")
      #expect(issued.client.scopes == [.bank])
      #expect(try await house.api(.get, "", provider: added.provider.id, as: issued).status == 200)
    }
  }

  @Test("a key that others may have seen signs nothing any more once it is changed")
  func key() async throws {
    try await SaltEdgeHouse.run { house in
      let device = try await DeviceV2.connected(house)
      var change = Providers.Change()
      change.publicKey = try TestKeys.named("new bank").publicKey.pem
      _ = try await Providers(house.service.core).change("remote", change, clients: house.clients, by: "test")
      let path = "connections/\(device.connection)/revoke"
      #expect(try await house.bankCalls(.put, path, EmptyBody()).refusal == "400 InvalidSignature")
      let renewed = try await house.bankCalls(.put, path, EmptyBody()) { headers, body in
        headers[DetachedJWS.header] = try? DetachedJWS.sign(body, with: TestKeys.named("new bank"))
      }
      #expect(renewed.status == 200)
    }
  }

  @Test("new credentials are good at once, and the old ones no more; new addresses and secrets are used")
  func renewal() async throws {
    try await SaltEdgeHouse.run { house in
      var change = Providers.Change()
      (change.renewsClient, change.renewsWebhookSecret) = (true, true)
      change.webhookURL = "https://hosted.example/new-hook"
      let changed = try await Providers(house.service.core).change(
        "hosted", change, clients: house.clients, by: "test")
      #expect(changed.webhookSecret != nil && changed.webhookSecret != house.webhookSecret)
      #expect(try await house.api(.get, "").refusal == "401 credentials-invalid")
      let issued = try #require(changed.credentials)
      #expect(try await house.api(.get, "", as: issued).status == 200)
      _ = try await house.api(
        .post, "authorizations", #"{"reference":"r","user_id":"u-1","title":"Login"}"#, as: issued)
      house.clock.advance(by: .minutes(5))
      try await house.effects.jobs.runOnce()
      try await house.settle()
      #expect(house.bank.heard.map(\.url) == ["https://hosted.example/new-hook"])
      // What waits goes to the next address, too.
      var move = Providers.Change()
      move.webhookURL = "https://hosted.example/moved"
      _ = try await Providers(house.service.core).change("hosted", move, clients: house.clients, by: "test")
      #expect(try await house.webhooks.outlook().map(\.endpoint.url) == ["https://hosted.example/moved"])
    }
  }

  @Test("a bank without a server gets neither a server nor a key, and nobody's code changes nothing")
  func refused() async throws {
    try await SaltEdgeHouse.run { house in
      let providers = Providers(house.service.core)
      var change = Providers.Change()
      change.baseURL = "https://elsewhere.example"
      await #expect(throws: Problem.self) {
        try await providers.change("hosted", change, clients: house.clients, by: "test")
      }
      await #expect(throws: Problem.self) {
        try await providers.change("nobody", change, clients: house.clients, by: "test")
      }
      change.baseURL = "ftp://elsewhere.example"
      await #expect(throws: Problem.self) {
        try await providers.change("remote", change, clients: house.clients, by: "test")
      }
      _ = try await DeviceV2.connected(house)
      #expect(house.bank.heard.allSatisfy { $0.url.hasPrefix(FakeBank.address) })
    }
  }
}
