// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: what is of two persons opens while both are there")
struct SharedSealTests {
  private static let post = TenantID("post", "one")
  private static let (ann, bob) = (KeySubject("ann", of: post), KeySubject("bob", of: post))
  private static let context = "note.text:1"
  private static let plain = Data("rent for May".utf8)

  private static let table = Migration(
    "2027-01-01 note",
    """
    CREATE TABLE note (id TEXT PRIMARY KEY, payer TEXT NOT NULL, payee TEXT, text BLOB NOT NULL);
    CREATE INDEX note_payer ON note (payer);
    CREATE INDEX note_payee ON note (payee);
    """)
  private static let column = SealedColumn(
    "note", "text", of: "payer", and: "payee", by: .init("id", in: "note", "id", of: "payer"))

  private func seal(_ one: KeySubject?, _ other: KeySubject?, _ app: SubjectKeyTestApp) async throws -> Data {
    try await app.database.write { [vault = app.vault] tx in
      try vault.seal(Self.plain, context: Self.context, of: one, and: other, in: tx)
    }
  }

  @Test("the key of either one is enough to end it", arguments: Engine.available, ["ann", "bob"])
  func either(engine: Engine, erased: String) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await seal(Self.ann, Self.bob, app)
    let ids = try await app.rows().map(\.id)
    #expect(Set(Vault.subjectKeyIDs(of: sealed)) == Set(ids) && ids.count == 2)
    #expect(Vault.subjectKeyID(of: sealed) == nil, "no key alone")
    #expect(try await app.open(sealed, context: Self.context) == Self.plain)
    #expect(try await app.vault.open(sealed, context: Self.context, in: app.database) == Self.plain)
    await #expect(throws: (any Error).self) { try await app.open(sealed, context: "note.text:2") }
    var swapped = sealed
    swapped.replaceSubrange(1..<73, with: sealed[37..<73] + sealed[1..<37])
    await #expect(throws: (any Error).self) { try await app.open(swapped, context: Self.context) }
    _ = try await app.erase(erased)
    await #expect(throws: VaultError.erased) { try await app.open(sealed, context: Self.context) }
  }

  @Test("with one key it is sealed under that one, without any under a data key", arguments: Engine.available)
  func fewer(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let alone = try await seal(Self.ann, KeySubject("unknown"), app)
    let id = try #require(Vault.subjectKeyID(of: alone))
    #expect(try await app.rows().map(\.id) == [id])
    #expect(try await Vault.subjectKeyID(of: seal(Self.ann, Self.ann, app)) == id)
    #expect(try await Vault.subjectKeyID(of: seal(nil, Self.ann, app)) == id)
    let none = try await seal(nil, KeySubject("unknown"), app)
    #expect(Vault.subjectKeyIDs(of: none).isEmpty)
    for sealed in [alone, none] { #expect(try await app.open(sealed, context: Self.context) == Self.plain) }
  }

  @Test("several keys are found in one statement", arguments: Engine.available)
  func several(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    _ = try await seal(Self.ann, Self.bob, app)
    let keys = try await app.database.read { [vault = app.vault] in
      try vault.subjectKeys(of: ["ann", "eve", "bob"], in: $0)
    }
    #expect(Set(keys.keys) == ["ann", "bob"])
    #expect(try await Set(app.rows().map(\.id)) == Set(keys.values.map(\.id)))
  }

  @Test("what was there is sealed again under both keys, and a proof counts it for each", arguments: Engine.available)
  func migration(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine, more: [Self.table])
    let core = CoreDependencies(
      database: app.database, world: app.clock.world, vault: app.vault, blobs: MemoryBlobs(app.clock.world).blobs)
    try await app.database.write { [vault = app.vault] tx in
      for subject in [Self.ann, Self.bob] { _ = try vault.subjectKey(of: subject, in: tx) }
      let notes: [(String, String, String?)] = [("1", "ann", "bob"), ("2", "ann", nil), ("3", "eve", "bob")]
      for (id, payer, payee) in notes {
        let text = try vault.seal(Self.plain, context: "note.text:\(id)")
        try tx.execute("INSERT INTO note (id, payer, payee, text) VALUES (\(id), \(payer), \(payee), \(text))")
      }
    }
    let reseal = SubjectReseal(core, columns: [Self.column], objects: [])
    #expect(try await reseal.run() == .init(values: 3))
    #expect(try await reseal.run() == .init())
    let rows = try await app.database.read { tx in
      try tx.query("SELECT id, text FROM note ORDER BY id").map {
        (id: try $0.get("id", as: String.self), text: try $0.get("text", as: Data.self))
      }
    }
    #expect(rows.map { Vault.subjectKeyIDs(of: $0.text).count } == [2, 1, 1])
    for row in rows { #expect(try await app.open(row.text, context: "note.text:\(row.id)") == Self.plain) }
    let keys = try await app.database.read { [vault = app.vault] in
      try vault.subjectKeys(of: ["ann", "bob"], in: $0)
    }
    let (ann, bob) = try (#require(keys["ann"]), #require(keys["bob"]))
    let counts = try await app.database.read { tx in
      let store = SealedColumnStore(tx)
      return try [
        store.count(Self.column, sealedBy: ann.id), store.count(Self.column, sealedBy: bob.id),
        store.count(Self.column, of: "ann"),
      ]
    }
    #expect(counts == [2, 2, 2])
  }
}
