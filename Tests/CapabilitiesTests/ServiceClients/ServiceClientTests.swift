// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Identity

@Suite("Service clients: who another server is")
struct ServiceClientTests {
  private struct TestApp {
    let made: TestDatabase
    let clock = TestWorld()
    let clients: ServiceClients

    init(_ engine: Engine) async throws {
      made = try await TestDatabase.make(
        engine,
        [
          DataKeyStore.migration, AuditStore.migration, AuditStore.contentMigration, AuditStore.keyMigration,
          ServiceClientStore.migration,
        ])
      let vault = try await TestVault.open(made.database, clock.world)
      clients = ServiceClients(
        database: made.database, vault: vault, audit: Audit(world: clock.world, vault: vault), world: clock.world)
    }
  }

  @Test("a secret proves its client, and neither another's nor a changed one does", arguments: Engine.available)
  func authenticate(engine: Engine) async throws {
    let app = try await TestApp(engine)
    let issued = try await app.clients.add("core", tenant: "acme", scopes: [.verify], by: "operator")
    let other = try await app.clients.add("other", tenant: "acme", scopes: [.manage], by: "operator")
    let id = issued.client.id.rawValue
    #expect(issued.secret.wholeMatch(of: /ghc_[A-Za-z0-9_-]{43}/) != nil)
    #expect(try await app.clients.authenticate(id, secret: issued.secret) == issued.client)
    for (id, secret) in [
      (id, other.secret), (other.client.id.rawValue, issued.secret), (id, ""), ("", issued.secret),
      (id.uppercased(), issued.secret), (id, String(issued.secret.dropLast())), (id, issued.secret + "x"),
      (id, String(repeating: "x", count: 10_000)),
    ] {
      #expect(try await app.clients.authenticate(id, secret: secret) == nil)
    }
  }

  @Test("the secret is nowhere on disk", arguments: Engine.available)
  func hidden(engine: Engine) async throws {
    let app = try await TestApp(engine)
    let issued = try await app.clients.add("core", tenant: "acme", scopes: [.verify], by: "operator")
    let bytes = try await app.made.bytesOnDisk()
    #expect(bytes.range(of: Data(issued.secret.utf8)) == nil)
    #expect(bytes.range(of: Data(issued.secret.dropFirst(4).utf8)) == nil)
  }

  @Test("after a rotation both secrets count until the overlap ends, and then the new one", arguments: Engine.available)
  func rotation(engine: Engine) async throws {
    let app = try await TestApp(engine)
    let first = try await app.clients.add("core", tenant: "acme", scopes: [.verify], by: "operator")
    let second = try await app.clients.rotate(first.client.id, overlap: .hours(1), by: "operator")
    #expect(second.earlierUntil == app.clock.now + .hours(1) && second.secret != first.secret)
    func counts(_ issued: IssuedSecret) async throws -> Bool {
      try await app.clients.authenticate(issued.client.id.rawValue, secret: issued.secret) != nil
    }
    #expect(try await [counts(first), counts(second)] == [true, true])
    // A second rotation must not let the first secret live longer.
    let third = try await app.clients.rotate(first.client.id, overlap: .days(1), by: "operator")
    app.clock.advance(by: .hours(1))
    #expect(try await [counts(first), counts(second), counts(third)] == [false, true, true])
    let now = try await app.clients.rotate(first.client.id, overlap: .zero, by: "operator")
    #expect(try await [counts(second), counts(third), counts(now)] == [false, false, true])
    let clients = app.clients
    try await app.made.database.write { try clients.sweep(limit: 10, in: $0) }
    #expect(try await counts(now))
    let count = try await app.made.database.read {
      try ServiceClientStore($0).secrets(of: first.client.id, at: Instant(milliseconds: 0)).count
    }
    #expect(count == 1)
  }

  @Test("a revoked client is one no more, whatever its secrets", arguments: Engine.available)
  func revocation(engine: Engine) async throws {
    let app = try await TestApp(engine)
    let issued = try await app.clients.add("core", tenant: "acme", scopes: [.verify], by: "operator")
    try await app.clients.revoke(issued.client.id, by: "operator")
    #expect(try await app.clients.authenticate(issued.client.id.rawValue, secret: issued.secret) == nil)
    await #expect(throws: Problem.notFound) { try await app.clients.rotate(issued.client.id, by: "operator") }
    await #expect(throws: Problem.notFound) { try await app.clients.revoke(issued.client.id, by: "operator") }
    let listed = try await app.clients.list(tenant: "acme")
    #expect(listed.map(\.id) == [issued.client.id] && listed[0].revokedAt == app.clock.now)
    #expect(try await app.clients.list(tenant: "other").isEmpty)
  }

  @Test("a name is one client's in its tenant, and every change is a line of the audit", arguments: Engine.available)
  func names(engine: Engine) async throws {
    let app = try await TestApp(engine)
    let issued = try await app.clients.add("core", tenant: "acme", scopes: [.verify, .manage], by: "operator")
    _ = try await app.clients.add("core", tenant: "other", scopes: [.verify], by: "operator")
    await #expect(throws: Problem.self) {
      try await app.clients.add("core", tenant: "acme", scopes: [.verify], by: "operator")
    }
    // Of the last, each letter that a reader sees is three of a schema's characters.
    let syllables = String(repeating: "\u{1100}\u{1161}\u{11a8}", count: 22)
    for name in ["", String(repeating: "x", count: 65), "a\nb", syllables] {
      await #expect(throws: Problem.self) {
        try await app.clients.add(name, tenant: "acme", scopes: [.verify], by: "operator")
      }
    }
    await #expect(throws: Problem.self) {
      try await app.clients.add("none", tenant: "acme", scopes: [], by: "operator")
    }
    _ = try await app.clients.rotate(issued.client.id, by: "operator")
    try await app.clients.revoke(issued.client.id, by: "operator")
    let actions = try await app.made.database.auditActions(of: issued.client.id.rawValue)
    #expect(actions == ["client.added", "client.rotated", "client.revoked"])
  }
}
