// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: whose account of an identity provider it is, and that it counts once")
struct StaffOpenIDAccountTests {
  @Test("the same subject is another account at another issuer, and another one at another institution")
  func namespaces() async throws {
    let bank = try await OpenIDTestApp()
    func account(_ subject: String, at issuer: String = PlayedProvider.issuer, of tenant: String = "bank") -> String {
      let provider = OpenIDProvider(
        tenant: tenant, name: "Bank", issuer: issuer, clientID: "gatehouse", clientSecret: nil, roles: [:])
      return bank.openID.account(subject, of: provider)
    }
    let accounts = [account("1"), account("2"), account("1", at: "https://other.example"), account("1", of: "other")]
    #expect(Set(accounts).count == accounts.count && account("1") == accounts[0])
  }

  @Test("an address of a provider has a host and a port of which every reader makes the same, and TLS")
  func addresses() {
    var provider = OpenIDProvider(
      tenant: "bank", name: "Bank", issuer: PlayedProvider.issuer, clientID: "gatehouse", clientSecret: nil, roles: [:])
    for text in [PlayedProvider.issuer, "https://login.bank.example:8443/a?b=c", "https://[2001:db8::1]/"] {
      #expect(provider.allows(text), "\(text)")
    }
    for text in [
      "https://[login.bank.example]/", "https://login.bank.example:18446744073709560059/", "https://a;b.example/",
      "https://login.bank.example/#a", "https://a@login.bank.example/", "http://login.bank.example/",
      "https://127.0.0.1/",
    ] {
      #expect(!provider.allows(text), "\(text)")
    }
    provider.allowsLoopback = true
    #expect(provider.allows("http://127.0.0.1:8080/") && provider.allows("https://[::1]/"))
    #expect(!provider.allows("http://login.bank.example/"))
  }

  @Test("a state counts once, also where a node whose clock is half a minute ahead forgets what is over")
  func clocksApart() async throws {
    let bank = try await OpenIDTestApp()
    let app = bank.app
    let (address, ticket) = try await bank.begin()
    let (code, state) = try bank.provider.authorize(address)
    #expect(try await bank.complete(code, state, ticket).member != nil)
    app.clock.advance(StaffOpenID.lifetime - .seconds(30))
    let ahead = World(now: { [clock = app.clock] in clock.world.now() + .seconds(30) }, random: app.clock.world.random)
    let other = Staff(
      core: CoreDependencies(database: app.database, world: ahead, vault: app.core.vault, blobs: app.core.blobs),
      threads: BlockingThreadPool("test", width: 1), cost: StaffTestApp.cheap)
    try await app.database.write { _ = try other.sweep(in: $0) }
    let (fresh, _) = try bank.provider.authorize(address)
    #expect(try await bank.complete(fresh, state, ticket) == .refused(.state))
  }
}
