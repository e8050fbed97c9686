// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import Kit
import Storage
import Synchronization
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the issuer of cards of real customers")
struct IssuerConnectionTests {
  private static let tenant = AccountTestApp.otherTenant
  private static let number = "4111111111111111"

  /// An issuer that makes one card for one `Idempotency-Key`.
  private final class Issuer: Sendable {
    let calls = Mutex<[PeerHTTP.Call]>([])
    let status = Mutex(200)
    /// Of the next orders of a card, where that is another: it had them before.
    let orders = Mutex<[Int]>([])

    var peer: PeerHTTP {
      PeerHTTP { [self] call in
        calls.withLock { $0.append(call) }
        let early = call.url.hasSuffix("/cards") ? orders.withLock { $0.isEmpty ? nil : $0.removeFirst() } : nil
        let status = early ?? status.withLock(\.self)
        guard status == 200 else { return .init(status: status) }
        let json =
          call.url.contains("/cards")
          ? #"{"card_reference":"ref-1","number":"4111111111111111","expiry_year":2029,"expiry_month":2}"#
          : #"{"security_code":"987"}"#
        return .init(status: 200, body: Data(json.utf8))
      }
    }
  }

  @Test("the number and the security code are the issuer's, and what it refuses for now is asked for again")
  func whole() async throws {
    try await CardTestApp.run { app in
      let issuer = Issuer()
      var made = app.dependencies
      made.cardIssuer = .http(issuer.peer, database: app.database, vault: made.core.vault)
      let (dependencies, person) = (made, try await app.customer("kim", tenant: Self.tenant))
      let world = dependencies.core.world
      let order = ProductOpening.Order(
        application: .init(rawValue: "none"), tenant: Self.tenant, customer: person.customer,
        profile: ClientProfile(), products: [.account, .prepaidCard], ids: [world.randomUUID(), world.randomUUID()])
      func open() async throws {
        try await dependencies.core.database.write(retrying: .outdated) {
          try dependencies.opening.open(order, in: $0)
        }
      }
      await #expect(throws: CardOpening.noIssuer) { try await open() }
      let policy = dependencies.cardPolicy
      for url in ["http://issuer.example", "https://issuer.example/", "issuer", "https://issuer.example?a=b"] {
        await #expect(throws: Problem.self) {
          try await policy.setIssuer(url, token: "secret-token", of: Self.tenant, by: "test")
        }
      }
      try await policy.setIssuer("https://issuer.example/v1", token: "secret-token", of: Self.tenant, by: "test")
      try await open()
      let id = PaymentCard.ID(rawValue: order.ids[1])
      let item = OutboxItem(
        id: .init(rawValue: "1"), topic: CardOpening.topic, subject: id.rawValue, payload: "", attempts: 0,
        enqueuedAt: world.now(), origin: nil)
      issuer.status.withLock { $0 = 503 }
      await #expect(throws: CardIssuer.Unavailable.self) { try await dependencies.cardOpening.perform(item) }
      issuer.status.withLock { $0 = 422 }
      await #expect(throws: CardIssuer.Refused.self) { try await dependencies.cardOpening.perform(item) }
      // It works on the order still: neither order nor look-up answers, and that is not final.
      issuer.status.withLock { $0 = 404 }
      issuer.orders.withLock { $0 = [409] }
      await #expect(throws: CardIssuer.Unavailable.self) { try await dependencies.cardOpening.perform(item) }
      // Its answer was lost: what it made is found by our id.
      issuer.status.withLock { $0 = 200 }
      issuer.orders.withLock { $0 = [409] }
      for _ in 0..<2 { try await dependencies.cardOpening.perform(item) }
      let calls = issuer.calls.withLock(\.self)
      let urls = calls.map { "\($0.method) \($0.url.replacing("https://issuer.example/v1", with: ""))" }
      let (asks, looks) = ("POST /cards", "GET /cards/\(id)")
      #expect(urls == [asks, asks, asks, looks, asks, looks])
      #expect(calls.allSatisfy { $0.headers["Idempotency-Key"] == ($0.method == "POST" ? id.rawValue : nil) })
      #expect(calls.allSatisfy { $0.headers["Authorization"] == "Bearer secret-token" })

      // Shown with the issuer's code. A token is used up before the code is asked for, also where it is not told.
      let (spare, secret) = ("fnc_0000000000000000000000001", "fnc_0123456789abcdef0123456789")
      let vault = dependencies.core.vault
      let key = try await app.database.write { tx in
        _ = try dependencies.sessions.open(
          subject: person.user.rawValue, tenant: "finaptic-\(Self.tenant)", device: "test", in: tx)
        let session = try dependencies.sessions.records(of: person.user.rawValue, in: tx)[0].id
        let key = try TenantStore(tx).key(.init(rawValue: app.accounts.otherKey))
        for token in [spare, secret] {
          try CardTokenStore(tx).insert(
            .init(
              digest: vault.digest(token, for: "finaptic card token"), card: id, user: person.user,
              key: .init(rawValue: app.accounts.otherKey), session: session, expiresAt: world.now() + .minutes(5)))
        }
        return key
      }
      let found = try #require(key)
      let lost = FinapticAPI.ShowCardRequest(token: spare, cardRefNumber: "ref-1")
      issuer.status.withLock { $0 = 500 }
      await #expect(throws: Problem.unavailable) { try await dependencies.cardSignOn.show(lost, key: found) }
      issuer.status.withLock { $0 = 200 }
      await #expect(throws: Problem.notFound) { try await dependencies.cardSignOn.show(lost, key: found) }
      let asked = FinapticAPI.ShowCardRequest(token: secret, cardRefNumber: "ref-1")
      let before = issuer.calls.withLock(\.count)
      let seen = await withTaskGroup(of: FinapticAPI.ShowCardResponse?.self) { group in
        for _ in 0..<4 { group.addTask { try? await dependencies.cardSignOn.show(asked, key: found) } }
        return await group.reduce(into: [FinapticAPI.ShowCardResponse]()) { if let one = $1 { $0.append(one) } }
      }
      #expect(issuer.calls.withLock(\.count) == before + 1 && seen.count == 1)
      let shown = try #require(seen.first)
      #expect(shown.number == Self.number && shown.securityCode == "987" && shown.expiry == "02/29")
      let bytes = try await app.accounts.made.bytesOnDisk()
      for hidden in ["secret-token", Self.number] { #expect(bytes.range(of: Data(hidden.utf8)) == nil) }
      try await policy.setIssuer(nil, token: "", of: Self.tenant, by: "test")
      #expect(
        try await app.database.read { try !ConnectorStore($0, of: .cardIssuer, vault: vault).isSet(Self.tenant) })
    }
  }
}
