// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: a key for each person")
struct SubjectKeyTests {
  static let ann = KeySubject("ann", of: TenantID("rubix", "one"))
  static let bob = KeySubject("bob", of: TenantID("rubix", "two"))

  @Test("what is sealed for a person opens, under a key that names no person", arguments: Engine.available)
  func roundTrip(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let plain = Data("Ludmila".utf8)
    let (one, two, other) = try await (app.seal(plain, Self.ann), app.seal(plain, Self.ann), app.seal(plain, Self.bob))
    #expect(one != two)
    #expect(one.count == 1 + 36 + 12 + plain.count + 16)
    #expect(Vault.subjectKeyID(of: one) == Vault.subjectKeyID(of: two))
    #expect(Vault.subjectKeyID(of: one) != Vault.subjectKeyID(of: other))
    for sealed in [one, two, other] { #expect(try await app.open(sealed) == plain) }
    #expect(try await app.vault.open(one, context: "t.c:1", in: app.database) == plain)
    let row = try #require(try await app.rows().first)
    #expect(!row.subject.contains("ann") && row.wrapped.range(of: Data("ann".utf8)) == nil)
  }

  @Test("a value that was moved, changed or cut does not open", arguments: Engine.available)
  func tampered(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await app.seal(Data("secret".utf8), Self.ann)
    await #expect(throws: (any Error).self) { try await app.open(sealed, context: "t.c:2") }
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      let (whole, cut) = (changed, sealed.prefix(index))
      await #expect(throws: (any Error).self) { try await app.open(whole) }
      await #expect(throws: (any Error).self) { try await app.open(cut) }
    }
  }

  @Test("before subject keys have begun the data key seals, which every release opens", arguments: Engine.available)
  func before(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine, begun: false)
    let sealed = try await app.seal(Data("x".utf8), Self.ann)
    #expect(Vault.subjectKeyID(of: sealed) == nil)
    #expect(try app.vault.open(sealed, context: "t.c:1") == Data("x".utf8))
    let begun = (try await app.begin(), try await app.begin())
    #expect(begun == (true, false))
    #expect(try await app.open(sealed) == Data("x".utf8))
    #expect(try await Vault.subjectKeyID(of: app.seal(Data("x".utf8), Self.ann)) != nil)
  }

  @Test("code that does not know the tenant seals under the key that is there", arguments: Engine.available)
  func withoutTenant(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let alone = try await app.seal(Data("x".utf8), KeySubject("ann"))
    #expect(Vault.subjectKeyID(of: alone) == nil)
    let known = try await app.seal(Data("x".utf8), Self.ann)
    let later = try await app.seal(Data("x".utf8), KeySubject("ann"))
    #expect(Vault.subjectKeyID(of: known) == Vault.subjectKeyID(of: later))
  }

  @Test("a key that is made in a transaction which is rolled back leaves no trace", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct Refused: Error {}
    let app = try await SubjectKeyTestApp(engine)
    await #expect(throws: Refused.self) {
      try await app.database.write { tx in
        _ = try app.vault.seal(Data("x".utf8), context: "t.c:1", of: Self.ann, in: tx)
        throw Refused()
      }
    }
    #expect(try await app.rows().isEmpty)
    let sealed = try await app.seal(Data("y".utf8), Self.ann)
    #expect(try await app.restarted().open(sealed, context: "t.c:1", in: app.database) == Data("y".utf8))
  }

  @Test("of many transactions that seal for a person first, all use one key", arguments: Engine.available)
  func racingMakers(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await app.database.write(retrying: .outdatedOrDuplicate) {
            try app.vault.seal(Data("x".utf8), context: "t.c:1", of: Self.ann, in: $0)
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(sealed.map { Vault.subjectKeyID(of: $0) }).count == 1)
    for value in sealed { #expect(try await app.open(value) == Data("x".utf8)) }
  }

  @Test("an erasure leaves everybody else's data as it is", arguments: Engine.available)
  func destroyed(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let (ann, bob) = try await (app.seal(Data("a".utf8), Self.ann), app.seal(Data("b".utf8), Self.bob))
    let destroyed = try #require(try await app.erase("ann"))
    #expect(destroyed == DestroyedKey(id: Vault.subjectKeyID(of: ann) ?? "", tenant: "rubix/one", epoch: 1))
    await #expect(throws: VaultError.erased) { try await app.open(ann) }
    #expect(try await app.open(bob) == Data("b".utf8))
    #expect(try await app.erase("ann") == nil)
  }

  @Test("what holds a key that an erasure destroys at that moment is run again", arguments: Engine.available)
  func heldMeanwhile(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    _ = try await app.seal(Data("a".utf8), Self.ann)
    await #expect(throws: SQLError.outdated) {
      try await app.database.write { tx in
        try app.vault.holdSubjectKey(of: Self.ann, in: ErasingTransaction(tx))
      }
    }
    try await app.database.write { tx in try app.vault.holdSubjectKey(of: Self.ann, in: tx) }
    #expect(try await app.rows().count == 1)
  }

  @Test("a node that had opened the key forgets it within a minute", arguments: Engine.available)
  func otherNode(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await app.seal(Data("a".utf8), Self.ann)
    let node = try await app.restarted()
    #expect(try await node.open(sealed, context: "t.c:1", in: app.database) == Data("a".utf8))
    _ = try await app.erase("ann")
    app.clock.advance(by: SubjectKeys.remembered)
    await #expect(throws: VaultError.erased) { try await node.open(sealed, context: "t.c:1", in: app.database) }
  }
}

/// Deletes all keys of persons before anything is written, as an erasure does that commits between two statements under
/// READ COMMITTED.
private final class ErasingTransaction: SQLTransaction {
  private let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  var origin: String? { tx.origin }

  func query(_ statement: SQL) throws -> [SQLRow] { try tx.query(statement) }

  func execute(_ statement: SQL) throws -> Int {
    try tx.execute("DELETE FROM subject_key")
    return try tx.execute(statement)
  }

  func signal(_ name: String) { tx.signal(name) }
  func afterCommit(_ action: @escaping @Sendable () -> Void) { tx.afterCommit(action) }
}

/// A vault with keys of persons over a real store.
struct SubjectKeyTestApp {
  let made: TestDatabase
  let clock = TestWorld()
  let keyring: Keyring
  let folder: TestFolder
  let vault: Vault
  let epochs: SubjectKeyEpochs
  var database: any SQLDatabase { made.database }
  var file: EpochKeyFile { EpochKeyFile(folder.file("epoch-key.json")) }

  init(_ engine: Engine, begun: Bool = true, more: [Migration] = []) async throws {
    made = try await TestDatabase.make(
      engine, ([DataKeyStore.migration, SubjectKeyStore.migration] + more).sorted { $0.id < $1.id })
    folder = try TestFolder()
    keyring = Keyring(world: clock.world)
    let keys = try #require(
      try await SubjectKeys.open(
        made.database, file: EpochKeyFile(folder.file("epoch-key.json")), making: true, world: clock.world))
    vault = try await Vault.open(made.database, keyring: keyring, subjectKeys: keys, world: clock.world)
    epochs = try #require(SubjectKeyEpochs(made.database, vault: vault, world: clock.world))
    if begun { try await begin() }
  }

  @discardableResult
  func begin() async throws -> Bool { try await epochs.keys.begin(in: database, at: clock.now) }

  /// What another process, or the same one after a restart, opens with.
  func restarted(_ file: EpochKeyFile? = nil) async throws -> Vault {
    let keys = try await SubjectKeys.open(database, file: file ?? self.file, world: clock.world)
    return try await Vault.open(database, keyring: keyring, subjectKeys: keys, world: clock.world)
  }

  func seal(_ plain: Data, _ subject: KeySubject) async throws -> Data {
    try await database.write { try vault.seal(plain, context: "t.c:1", of: subject, in: $0) }
  }

  func open(_ sealed: Data, context: String = "t.c:1") async throws -> Data {
    try await database.read { try vault.open(sealed, context: context, in: $0) }
  }

  func erase(_ id: String) async throws -> DestroyedKey? {
    try await database.write { try vault.destroySubjectKey(of: id, in: $0) }
  }

  /// Every key, as a copy of the database holds it.
  func rows() async throws -> [SubjectKeyRow] {
    try await database.read { try SubjectKeyStore($0).wrapped(in: 0..<1000, limit: 1000) }
  }

  /// Puts keys of an older copy back.
  func restore(_ rows: [SubjectKeyRow]) async throws {
    try await database.write { tx in for row in rows { try SubjectKeyStore(tx).insert(row) } }
  }
}
