// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: what data keys sealed is sealed again under keys of persons")
struct SubjectResealTests {
  private static let table = Migration(
    "2027-01-01 letter",
    """
    CREATE TABLE letter (id TEXT PRIMARY KEY, owner TEXT, tenant_id TEXT NOT NULL, text BLOB, note BLOB);
    """)
  private static let columns = [
    SealedColumn("letter", "text", of: "owner", tenant: "tenant_id", system: "post"),
    SealedColumn("letter", "note", of: "owner"),
  ]

  private struct Post {
    let app: SubjectKeyTestApp
    let blobs: MemoryBlobs
    let core: CoreDependencies
    let reseal: SubjectReseal

    init(_ engine: Engine) async throws {
      app = try await SubjectKeyTestApp(engine, begun: false, more: [SubjectResealTests.table])
      let blobs = MemoryBlobs(app.clock.world)
      self.blobs = blobs
      core = CoreDependencies(database: app.database, world: app.clock.world, vault: app.vault, blobs: blobs.blobs)
      let references = BlobReferences(
        page: { after, limit, tx in
          try tx.query("SELECT id FROM letter WHERE id > \(after) ORDER BY id LIMIT \(limit)").map { try $0.get("id") }
        }, referenced: { keys, _ in Set(keys) },
        sealed: SealedObjects(
          "letter",
          subject: { id, tx in
            try tx.first("SELECT owner FROM letter WHERE id = \(id)")?.get("owner", as: String?.self).map {
              KeySubject($0)
            }
          }, context: { "letter:\($0)" }))
      reseal = SubjectReseal(core, columns: SubjectResealTests.columns, objects: [references])
    }

    /// A letter from before keys of persons, with an object.
    func letter(_ text: String, of owner: String?) async throws -> String {
      let (id, vault) = (app.clock.world.uuid(), app.vault)
      app.clock.advance(by: .milliseconds(1))
      try await core.blobs.put(id, vault.seal(Data("picture \(text)".utf8), context: "letter:\(id)"))
      try await app.database.write { tx in
        let text = try vault.seal(Data(text.utf8), context: "letter.text:\(id)")
        try tx.execute(
          """
          INSERT INTO letter (id, owner, tenant_id, text, note)
          VALUES (\(id), \(owner), 'one', \(text), \(try vault.seal(Data("n".utf8), context: "letter.note:\(id)")))
          """)
      }
      return id
    }

    func values(of id: String) async throws -> [Data] {
      try await app.database.read { tx in
        let row = try tx.first("SELECT text, note FROM letter WHERE id = \(id)")
        return [try row?.get("text") ?? Data(), try row?.get("note") ?? Data()]
      }
    }
  }

  @Test("rows and objects of before open as they did, and an erasure takes them along", arguments: Engine.available)
  func whole(engine: Engine) async throws {
    let post = try await Post(engine)
    var ids: [String] = []
    for number in 0..<250 { ids.append(try await post.letter("\(number)", of: "owner \(number % 7)")) }
    let orphan = try await post.letter("x", of: nil)
    #expect(try await post.reseal.run() == .init())

    try await post.app.begin()
    #expect(try await post.reseal.run() == .init(values: 500))
    // The objects wait until a backup that copied the rows of before is done with them.
    post.app.clock.advance(by: SubjectReseal.grace)
    #expect(try await post.reseal.run() == .init(objects: 250))
    #expect(try await post.reseal.run() == .init())

    let (vault, database) = (post.app.vault, post.app.database)
    for (number, id) in ids.enumerated() {
      let values = try await post.values(of: id)
      let object = try #require(try await post.core.blobs.get(id))
      #expect(Set((values + [object]).map { Vault.subjectKeyID(of: $0) }).count == 1)
      #expect(try await vault.open(values[0], context: "letter.text:\(id)", in: database) == Data("\(number)".utf8))
      #expect(try await vault.open(object, context: "letter:\(id)", in: database) == Data("picture \(number)".utf8))
    }
    #expect(try await post.values(of: orphan).allSatisfy { Vault.subjectKeyID(of: $0) == nil })

    let destroyed = try #require(try await post.app.erase("owner 3"))
    let count = try await database.read { tx in
      try Self.columns.map { try SealedColumnStore(tx).count($0, sealedBy: destroyed.id) }
    }
    #expect(count == [36, 36])
    let (values, object) = try await (post.values(of: ids[3]), post.core.blobs.get(ids[3]))
    await #expect(throws: VaultError.erased) {
      try await vault.open(values[0], context: "letter.text:\(ids[3])", in: database)
    }
    await #expect(throws: VaultError.erased) {
      try await vault.open(object ?? Data(), context: "letter:\(ids[3])", in: database)
    }
  }

  @Test("an erasure between the reading of a page and its sealing gets no new key", arguments: Engine.available)
  func erasedMeanwhile(engine: Engine) async throws {
    let post = try await Post(engine)
    let (gone, emptied, stays) = try await (
      post.letter("a", of: "ann"), post.letter("b", of: "bob"), post.letter("c", of: "eve")
    )
    try await post.app.begin()
    let column = Self.columns[0]
    let count = try await post.app.database.write { tx in
      let page = try SealedColumnStore(tx).underDataKeys(column, after: "", limit: 10)
      try tx.execute("DELETE FROM letter WHERE id = \(gone)")
      try tx.execute("UPDATE letter SET text = \(Data()) WHERE id = \(emptied)")
      return try post.reseal.reseal(page, of: column, in: tx)
    }
    #expect(count == .init(values: 1))
    let keys = try await post.app.rows()
    #expect(keys.map(\.subject) == [post.app.vault.subjectDigest("eve")])
    #expect(try await post.values(of: stays).first.flatMap { Vault.subjectKeyID(of: $0) } == keys.first?.id)
  }

  @Test("a run that was ended half-way is gone on with, and two at once do no harm", arguments: Engine.available)
  func interrupted(engine: Engine) async throws {
    let post = try await Post(engine)
    var ids: [String] = []
    for number in 0..<120 { ids.append(try await post.letter("\(number)", of: "owner \(number)")) }
    try await post.app.begin()
    let ended = Task { try await post.reseal.run() }
    ended.cancel()
    _ = try? await ended.value
    async let (one, two) = (post.reseal.run(), post.reseal.run())
    _ = try await (one, two)
    post.app.clock.advance(by: SubjectReseal.grace)
    try await post.reseal.run()
    for (number, id) in ids.enumerated() {
      let values = try await post.values(of: id)
      #expect(values.allSatisfy { Vault.subjectKeyID(of: $0) != nil })
      let text = try await post.app.vault.open(values[0], context: "letter.text:\(id)", in: post.app.database)
      #expect(text == Data("\(number)".utf8))
    }
  }

  @Test(
    "objects whose person has no key, or that no key opens, keep none of the rest away", arguments: Engine.available)
  func passedOver(engine: Engine) async throws {
    let post = try await Post(engine)
    let (gone, broken, last) = try await (
      post.letter("a", of: "ann"), post.letter("b", of: "bob"), post.letter("c", of: "eve")
    )
    try await post.app.begin()
    #expect(try await post.reseal.run() == .init(values: 6))
    _ = try await post.app.erase("ann")
    // Under a data key that this installation does not have.
    let foreign = Data([1]) + Data(repeating: 65, count: 80)
    try await post.core.blobs.put(broken, foreign)
    post.app.clock.advance(by: SubjectReseal.grace)
    #expect(try await post.reseal.run() == .init(objects: 1, unreadable: 1))
    #expect(Vault.subjectKeyID(of: try #require(try await post.core.blobs.get(last))) != nil)
    #expect(Vault.subjectKeyID(of: try #require(try await post.core.blobs.get(gone))) == nil)
    #expect(try await post.core.blobs.get(broken) == foreign)
    #expect(try await post.reseal.run() == .init())
  }

  @Test("values that no key opens keep none of the rest away", arguments: Engine.available)
  func unreadableValues(engine: Engine) async throws {
    let post = try await Post(engine)
    let (first, second) = try await (post.letter("a", of: "ann"), post.letter("b", of: "ann"))
    let foreign = Data([1]) + Data(repeating: 65, count: 80)
    try await post.app.database.write { tx in
      _ = try tx.execute("UPDATE letter SET text = \(foreign) WHERE id = \(first)")
    }
    try await post.app.begin()
    #expect(try await post.reseal.run() == .init(values: 3, unreadable: 1))
    #expect(try await post.values(of: second).allSatisfy { Vault.subjectKeyID(of: $0) != nil })
    #expect(try await post.values(of: first).first == foreign)
  }

  @Test("what is of a person whose key cannot be unwrapped keeps none of the rest away", arguments: Engine.available)
  func lostKeys(engine: Engine) async throws {
    let post = try await Post(engine)
    let (lost, last) = try await (post.letter("a", of: "ann"), post.letter("b", of: "bob"))
    try await post.app.begin()
    _ = try await post.app.seal(Data("x".utf8), KeySubject("ann", of: TenantID("post", "one")))
    let keys = try await post.app.rows()
    _ = try await post.app.erase("ann")
    post.app.clock.advance(by: SubjectKeys.epochLength)
    _ = try await post.app.epochs.run()
    post.app.clock.advance(by: SubjectKeys.epochKept)
    _ = try await post.app.epochs.run()
    // A copy that was restored late has the row of a key that was wrapped in an epoch which is destroyed.
    try await post.app.restore(keys)
    #expect(try await post.reseal.run() == .init(values: 2, unreadable: 3))
    post.app.clock.advance(by: SubjectReseal.grace)
    #expect(try await post.reseal.run() == .init(objects: 1, unreadable: 2))
    #expect(try await post.values(of: lost).allSatisfy { Vault.subjectKeyID(of: $0) == nil })
    #expect(try await post.values(of: last).allSatisfy { Vault.subjectKeyID(of: $0) != nil })
    #expect(Vault.subjectKeyID(of: try #require(try await post.core.blobs.get(last))) != nil)
  }

  @Test("a row that changes meanwhile is not written over", arguments: Engine.available)
  func changed(engine: Engine) async throws {
    let post = try await Post(engine)
    let id = try await post.letter("old", of: "ann")
    let read = try await post.app.database.read {
      try SealedColumnStore($0).underDataKeys(Self.columns[0], after: "", limit: 1)
    }
    let vault = post.app.vault
    try await post.app.database.write { tx in
      let text = try vault.seal(Data("new".utf8), context: "letter.text:\(id)")
      _ = try tx.execute("UPDATE letter SET text = \(text) WHERE id = \(id)")
      #expect(try !SealedColumnStore(tx).replace(read[0], by: Data([2]), in: Self.columns[0]))
    }
  }
}
