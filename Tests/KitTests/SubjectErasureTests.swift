// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the proof of an erasure")
struct SubjectErasureTests {
  private static let table = Migration(
    "2027-01-01 parcel",
    """
    CREATE TABLE parcel (id TEXT PRIMARY KEY, owner TEXT NOT NULL);
    CREATE TABLE parcel_page (id TEXT PRIMARY KEY, parcel_id TEXT NOT NULL, text BLOB NOT NULL);
    """)
  private static let columns = [
    SealedColumn("parcel_page", "text", of: "owner", through: .init("parcel", by: "parcel_id"))
  ]
  private static let reason = ErasureReason.ended

  private struct Depot {
    let app: SubjectKeyTestApp
    let core: CoreDependencies
    let erasures: SubjectErasures
    let log = LogRecorder()
    var returned: ReturnedKeys { ReturnedKeys(core: core, logger: log.logger) }

    init(_ engine: Engine) async throws {
      app = try await SubjectKeyTestApp(
        engine, more: (AuditStore.migrations + [ErasureProofStore.migration, SubjectErasureTests.table]))
      core = CoreDependencies(
        database: app.database, world: app.clock.world, vault: app.vault, blobs: MemoryBlobs(app.clock.world).blobs)
      erasures = SubjectErasures(core, columns: SubjectErasureTests.columns)
    }

    func parcel(of owner: KeySubject, pages: Int) async throws {
      let (id, world) = (app.clock.world.uuid(), app.clock.world)
      try await app.database.write { [vault = app.vault] tx in
        try tx.execute("INSERT INTO parcel (id, owner) VALUES (\(id), \(owner.id))")
        for _ in 0..<pages {
          let page = world.uuid()
          let text = try vault.seal(Data("x".utf8), context: "parcel_page.text:\(page)", of: owner, in: tx)
          try tx.execute("INSERT INTO parcel_page (id, parcel_id, text) VALUES (\(page), \(id), \(text))")
        }
      }
    }

    /// Sealed pages, by the context of each.
    func pages() async throws -> [String: Data] {
      try await app.database.read { tx in
        let rows = try tx.query("SELECT id, text FROM parcel_page")
        return try rows.reduce(into: [:]) { pages, row in
          pages["parcel_page.text:\(try row.get("id", as: String.self))"] = try row.get("text")
        }
      }
    }

    /// How many of them open, for a process that has opened none of them before.
    func readable(_ pages: [String: Data]) async throws -> Int {
      let vault = try await app.restarted()
      var count = 0
      for (context, sealed) in pages {
        do { _ = try await vault.open(sealed, context: context, in: app.database) } catch VaultError.erased { continue }
        count += 1
      }
      return count
    }

    func erase(_ subjects: [KeySubject], of person: String, objects: Int = 0) async throws -> ErasureProof {
      let document = try await app.database.write { tx in
        let parts = try subjects.map { try erasures.part(of: $0, objects: objects, in: tx) }
        for subject in subjects { try tx.execute("DELETE FROM parcel WHERE owner = \(subject.id)") }
        try erasures.destroy(parts, of: person, for: SubjectErasureTests.reason, chains: [], in: tx)
        return try erasures.proof(of: person, in: tx)
      }
      return try ErasureProof(try #require(document), by: app.vault)
    }

    func check(_ proof: ErasureProof) async throws -> ErasureCheck.Report {
      try await ErasureCheck(
        app.database, vault: app.vault, blobs: nil, columns: SubjectErasureTests.columns
      ).run(proof)
    }
  }

  @Test("names every key of a person, in as many erasures as it takes", arguments: Engine.available)
  func several(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let (one, two, other) = (
      KeySubject("process 1", of: TenantID("post", "one")), KeySubject("process 2", of: TenantID("post", "one")),
      KeySubject("process 3", of: TenantID("post", "one"))
    )
    for (subject, pages) in [(one, 2), (two, 3), (other, 4)] { try await depot.parcel(of: subject, pages: pages) }
    let first = try await depot.erase([one], of: "ann", objects: 5)
    #expect(first.values == ["parcel_page.text": 2] && first.objects == 5 && first.keys.count == 1)
    depot.app.clock.advance(by: .hours(1))
    let whole = try await depot.erase([two], of: "ann", objects: 1)
    #expect(whole.parts.map { $0.values["parcel_page.text"] } == [2, 3])
    #expect(whole.objects == 6 && Set(whole.keys.map(\.id)).count == 2 && whole.erasedAt > first.erasedAt)
    let ends = try (#require(first.unreadableFrom), #require(whole.unreadableFrom))
    #expect(ends.0 < ends.1)
    let theirs = try await depot.erase([other], of: "bob")
    #expect(theirs.values == ["parcel_page.text": 4], "a proof is of one person")
    #expect(Set(theirs.keys.map(\.id)).isDisjoint(with: whole.keys.map(\.id)))
  }

  @Test("counts once what was restored and erased again, and keeps the key that it named", arguments: Engine.available)
  func again(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let ann = KeySubject("ann", of: TenantID("post", "one"))
    try await depot.parcel(of: ann, pages: 2)
    let keys = try await depot.app.rows()
    let first = try await depot.erase([ann], of: "ann")
    try await depot.app.restore(keys)
    let second = try await depot.erase([ann], of: "ann")
    #expect(second.parts.count == 1 && second.keys == first.keys)
    // Also what was restored without its key.
    let third = try await depot.erase([ann], of: "ann")
    #expect(third.parts.count == 1 && third.keys == first.keys && third.unreadableFrom == second.unreadableFrom)
    // Nothing was left to count, and the proof still says what was destroyed.
    #expect([first, second, third].allSatisfy { $0.values == ["parcel_page.text": 2] })
    // Who came back under the same name had another key, and the proof is of both.
    try await depot.parcel(of: ann, pages: 1)
    let fourth = try await depot.erase([ann], of: "ann")
    #expect(fourth.parts.count == 2 && Set(fourth.keys.map(\.id)).count == 2)
    #expect(fourth.keys.first == first.keys.first)
    #expect(try await depot.app.database.read { try depot.erasures.proof(of: "eve", in: $0) } == nil)
  }

  @Test("a key that came back out of a backup is destroyed once more, and no other one", arguments: Engine.available)
  func returned(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let (ann, bob) = (KeySubject("ann", of: TenantID("post", "one")), KeySubject("bob", of: TenantID("post", "one")))
    for subject in [ann, bob] { try await depot.parcel(of: subject, pages: 1) }
    let (copied, sealed) = (try await depot.app.rows(), try await depot.pages())
    let proof = try await depot.erase([ann], of: "ann")
    let returned = depot.returned
    #expect(try await returned.destroy() == 0)
    try await depot.app.restore(copied)
    #expect(try await depot.readable(sealed) == 2, "the copied rows open")
    #expect(depot.log.records.isEmpty)
    #expect(try await returned.destroy() == 1)
    #expect(depot.log.records.count == 1)
    #expect(try await depot.readable(sealed) == 1)
    #expect(try await depot.app.rows().map(\.id) == copied.map(\.id).filter { $0 != proof.keys[0].id })
    #expect(try await returned.destroy() == 0)
    let lines = try await depot.app.database.read { try AuditStore($0).lines(of: Audit.ownChain) }
    let line = try #require(lines.last { $0.action == "erasure.key_returned" })
    #expect(line.facts == ["key": proof.keys[0].id, "tenant": proof.keys[0].tenant] && line.actor == "system")
    // Who came back as a customer has another key.
    try await depot.parcel(of: ann, pages: 1)
    #expect(try await returned.destroy() == 0)
    #expect(try await depot.app.rows().count == 2)
  }

  @Test("what was destroyed is told also where a later key fails")
  func partlyReturned() async throws {
    let depot = try await Depot(.sqlite)
    let subjects = ["ann", "bob"].map { KeySubject($0, of: TenantID("post", "one")) }
    for subject in subjects { try await depot.parcel(of: subject, pages: 1) }
    let copied = try await depot.app.rows()
    for subject in subjects { _ = try await depot.erase([subject], of: subject.id) }
    try await depot.app.restore(copied)
    _ = try await depot.app.database.write { tx in
      try tx.execute(
        """
        CREATE TRIGGER last_key BEFORE DELETE ON subject_key WHEN (SELECT COUNT(*) FROM subject_key) = 1
        BEGIN SELECT RAISE(ABORT, 'not this one'); END
        """)
    }
    await #expect(throws: (any Error).self) { try await depot.returned.destroy() }
    #expect(try await depot.app.rows().count == 1)
    #expect(depot.log.records.contains { $0.contains("destroyed once more") && $0.hasSuffix("count=1") })
  }

  @Test("a proof may name more keys than a statement binds values", arguments: Engine.available)
  func manyKeys(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let ann = KeySubject("ann", of: TenantID("post", "one"))
    try await depot.parcel(of: ann, pages: 1)
    let copied = try await depot.app.rows()
    let proof = try await depot.erase([ann], of: "ann")
    try await depot.app.restore(copied)
    let others = (0..<33_000).map { number in
      ErasureProof.Part(
        subject: "", tenant: "", key: DestroyedKey(id: "\(number)", tenant: "", epoch: 1), values: [:], objects: 0)
    }
    let signing = try depot.app.vault.erasureProofKey()
    let longer = ErasureProof(
      format: ErasureProof.format, reason: proof.reason, erasedAt: proof.erasedAt, unreadableFrom: proof.unreadableFrom,
      parts: others + proof.parts, heads: [], unverified: nil, keyVersion: signing.version,
      publicKey: signing.key.publicKey.rawRepresentation
    )
    let document = try SignedLines.document(of: longer, by: signing.key)
    _ = try await depot.app.database.write { tx in try tx.execute("UPDATE erasure_proof SET document = \(document)") }
    #expect(try await depot.returned.destroy() == 1)
    #expect(try await depot.app.rows().isEmpty)
  }

  @Test("a proof that this installation did not sign destroys no key", arguments: Engine.available)
  func forged(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let ann = KeySubject("ann", of: TenantID("post", "one"))
    try await depot.parcel(of: ann, pages: 1)
    let copied = try await depot.app.rows()
    _ = try await depot.erase([ann], of: "ann")
    try await depot.app.restore(copied)
    try await depot.app.database.write { tx in
      let document: Data = try #require(try tx.first("SELECT document FROM erasure_proof")?.get("document"))
      let end = try #require(document.firstIndex(of: UInt8(ascii: "\n")))
      let body = document[..<end]
      let signature = try Curve25519.Signing.PrivateKey().signature(for: body).base64EncodedString()
      try tx.execute("UPDATE erasure_proof SET document = \(body + Data("\n\(signature)\n".utf8))")
    }
    #expect(try await depot.returned.destroy() == 0)
    #expect(try await depot.app.rows().map(\.id) == copied.map(\.id))
  }

  @Test("shows what of several keys is left, and what data keys seal", arguments: Engine.available)
  func left(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let (one, two) = (
      KeySubject("process 1", of: TenantID("post", "one")), KeySubject("process 2", of: TenantID("post", "one"))
    )
    for subject in [one, two] { try await depot.parcel(of: subject, pages: 2) }
    let keys = try await depot.app.rows()
    let proof = try await depot.erase([one, two], of: "ann")
    // The pages stayed: they are what a copy holds.
    var report = ErasureCheck.Report()
    report.values = 4
    #expect(try await depot.check(proof) == report)
    #expect(!report.isReadable)
    try await depot.app.restore([keys[1]])
    (report.hasKey, report.keyOpens) = (true, true)
    #expect(try await depot.check(proof) == report)
    _ = try await depot.app.erase("process 1")
    _ = try await depot.app.erase("process 2")
    try await depot.app.database.write { [vault = depot.app.vault] tx in
      try tx.execute("INSERT INTO parcel (id, owner) VALUES ('p', 'process 2'), ('q', 'process 9')")
      for (page, parcel) in [("1", "p"), ("2", "q")] {
        let text = try vault.seal(Data("x".utf8), context: "parcel_page.text:\(page)")
        try tx.execute("INSERT INTO parcel_page (id, parcel_id, text) VALUES (\(page), \(parcel), \(text))")
      }
    }
    report = .init()
    (report.values, report.valuesUnderDataKeys) = (4, 1)
    #expect(try await depot.check(proof) == report)
    #expect(report.isReadable)
  }

  @Test(
    "an earlier proof that cannot be verified is named and kept, and the erasure goes on", arguments: Engine.available)
  func unverified(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let ann = KeySubject("ann", of: TenantID("post", "one"))
    try await depot.parcel(of: ann, pages: 2)
    _ = try await depot.erase([ann], of: "ann")
    let (vault, now) = (depot.app.vault, depot.app.clock.now)
    let digest = vault.subjectDigest("ann")
    // As it is when the table was written to, or the data key that signed it is not there.
    let broken = try await depot.app.database.write { tx in
      let store = ErasureProofStore(tx)
      var document = try #require(try store.find(digest))
      document[2] ^= 1
      try store.insert(document, of: digest, at: now)
      return document
    }
    try await depot.parcel(of: ann, pages: 1)
    let next = try await depot.erase([ann], of: "ann")
    #expect(next.unverified == [broken.sha256Hex])
    #expect(next.parts.count == 1 && next.values == ["parcel_page.text": 1])
    let aside = try await depot.app.database.read { try ErasureProofStore($0).find(digest, digest: broken.sha256Hex) }
    #expect(aside == broken)
    // The next one still names it.
    try await depot.parcel(of: ann, pages: 1)
    let last = try await depot.erase([ann], of: "ann")
    #expect(last.unverified == [broken.sha256Hex] && last.parts.count == 2)
  }

  @Test("of the first format, with one key, reads as it did", arguments: Engine.available)
  func firstFormat(engine: Engine) async throws {
    let depot = try await Depot(engine)
    let signing = try depot.app.vault.erasureProofKey()
    let body = Data(
      """
      {"erasedAt":"2026-11-24T10:00:00Z","format":"gatehouse-erasure-proof/1","heads":[],\
      "key":{"epoch":1,"id":"k","tenant":"rubix/one"},"keyVersion":"\(signing.version)","objects":2,\
      "publicKey":"\(signing.key.publicKey.rawRepresentation.base64EncodedString())","reason":"ended",\
      "subject":"s","tenant":"rubix/one","unreadableFrom":"2026-12-22T10:00:00Z","values":{"t.c":3}}
      """.utf8)
    func signed(_ body: Data) throws -> Data {
      try body + Data("\n\(signing.key.signature(for: body).base64EncodedString())\n".utf8)
    }
    let proof = try ErasureProof(signed(body), by: depot.app.vault)
    let part = ErasureProof.Part(
      subject: "s", tenant: "rubix/one", key: .init(id: "k", tenant: "rubix/one", epoch: 1), values: ["t.c": 3],
      objects: 2)
    #expect(proof.parts == [part])
    #expect(proof.values == ["t.c": 3] && proof.objects == 2 && proof.reason == "ended")
    let unknown = try signed(Data(String(decoding: body, as: UTF8.self).replacing("proof/1", with: "proof/9").utf8))
    #expect(throws: Problem.self) { try ErasureProof(unknown, by: depot.app.vault) }
  }
}
