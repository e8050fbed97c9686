// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the same request twice")
struct IdempotencyTests {
  private let answer = StoredAnswer(status: 201, contentType: "application/json", body: Data(#"{"id":"7"}"#.utf8))

  @Test("an answered request gets its stored answer again", arguments: Engine.available)
  func replay(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    #expect(try await app.begin("k", "body") == .fresh)
    try await app.store(answer, "k", "body")
    #expect(try await app.begin("k", "body") == .replay(answer))
    #expect(try await app.begin("k", "body") == .replay(answer))
  }

  @Test("the same key with another body is a conflict, answered or not", arguments: Engine.available)
  func conflict(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    #expect(try await app.begin("k", "other") == .conflict)
    try await app.store(answer, "k", "body")
    #expect(try await app.begin("k", "other") == .conflict)
    #expect(try await app.begin("k", "body") == .replay(answer))
  }

  @Test("a key is the same key in upper and in lower case, whichever came first", arguments: Engine.available)
  func spellings(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    for (first, second) in [("AB-1", "ab-1"), ("cd-2", "CD-2"), ("Ef-3", "eF-3")] {
      #expect(try await app.begin(first, "body") == .fresh)
      #expect(try await app.begin(second, "body", claimant: "second") == .running)
      #expect(try await app.begin(second, "other") == .conflict)
      try await app.store(answer, first, "body")
      for key in [first, second] {
        #expect(try await app.begin(key, "body") == .replay(answer))
        #expect(try await app.begin(key, "other") == .conflict)
      }
    }
    // A claim that was never answered lapses for both.
    #expect(try await app.begin("GH-4", "body") == .fresh)
    app.clock.advance(by: Idempotency.claimLifetime)
    #expect(try await app.begin("gh-4", "body", claimant: "second") == .fresh)
    #expect(try await app.begin("GH-4", "body", claimant: "third") == .running)
  }

  @Test("an upgrade keeps what was answered, once for each key", arguments: Engine.available)
  func spellingsBefore(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine, Array(IdempotencyTestApp.migrations.dropLast()))
    for key in ["ab-1", "CD-2"] {
      _ = try await app.begin(key, "body")
      try await app.store(answer, key, "body")
    }
    try await app.database.write { tx in
      _ = try tx.execute(
        """
        INSERT INTO idempotency (scope, idempotency_key, body_digest, claimant, answer, expires_at)
        SELECT scope, 'AB-1', body_digest, claimant, answer, expires_at - 1 FROM idempotency
        WHERE idempotency_key = 'ab-1'
        """)
    }
    try await app.database.migrate(IdempotencyTestApp.migrations)
    for key in ["ab-1", "AB-1", "cd-2", "CD-2"] { #expect(try await app.begin(key, "body") == .replay(answer)) }
    #expect(try await app.digests().count == 2)
  }

  @Test("another owner, path or key is another request", arguments: Engine.available)
  func scopes(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    #expect(try await app.begin("k", "body") == .fresh)
    #expect(try await app.begin("k", "body", owner: "bob") == .fresh)
    #expect(try await app.begin("k", "body", path: "POST /b") == .fresh)
    #expect(try await app.begin("l", "body") == .fresh)
  }

  @Test("while a request is worked on its repetition is told so", arguments: Engine.available)
  func running(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    app.clock.advance(by: Idempotency.claimLifetime - .milliseconds(1))
    #expect(try await app.begin("k", "body", claimant: "second") == .running)
  }

  @Test("a claim whose commit was uncertain is found again by the caller who made it", arguments: Engine.available)
  func ownClaim(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    #expect(try await app.begin("k", "body") == .fresh)
    try await app.store(answer, "k", "body")
    #expect(try await app.begin("k", "body") == .replay(answer))
  }

  @Test(
    "a claim that was never answered lapses, also for another body", arguments: Engine.available, ["body", "other"])
  func lapsed(engine: Engine, body: String) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    app.clock.advance(by: Idempotency.claimLifetime)
    #expect(try await app.begin("k", body) == .fresh)
    #expect(try await app.begin("k", body, claimant: "second") == .running)
  }

  @Test("an answer is kept for its lifetime and forgotten after", arguments: Engine.available)
  func lifetime(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    try await app.store(answer, "k", "body")
    app.clock.advance(by: Idempotency.lifetime - .milliseconds(1))
    #expect(try await app.begin("k", "body") == .replay(answer))
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.begin("k", "body") == .fresh)
  }

  @Test("a released claim can be taken again, and releasing an answer does nothing", arguments: Engine.available)
  func release(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    try await app.release("k", "body")
    #expect(try await app.begin("k", "body") == .fresh)
    try await app.store(answer, "k", "body")
    try await app.release("k", "body")
    #expect(try await app.begin("k", "body") == .replay(answer))
  }

  @Test(
    "a step that comes back after its claim lapsed cannot answer in place of the next", arguments: Engine.available,
    ["body", "other"])
  func late(engine: Engine, body: String) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    app.clock.advance(by: Idempotency.claimLifetime)
    _ = try await app.begin("k", body, claimant: "second")
    await #expect(throws: (any Error).self) { try await app.store(answer, "k", "body") }
    #expect(try await app.begin("k", body, claimant: "third") == .running)
  }

  @Test(
    "a step that comes back after its claim lapsed cannot free the next one's claim", arguments: Engine.available,
    ["body", "other"])
  func lateRelease(engine: Engine, body: String) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    app.clock.advance(by: Idempotency.claimLifetime)
    _ = try await app.begin("k", body, claimant: "second")
    try? await app.release("k", "body")
    #expect(try await app.begin("k", body, claimant: "third") == .running)
  }

  @Test("a claim may last longer; looking at it neither ends nor takes it", arguments: Engine.available)
  func long(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    let request = app.request("k", "body")
    func isRunning() async throws -> Bool {
      try await app.database.read { [app] in try app.idempotency.isRunning(request, in: $0) }
    }
    #expect(try await !isRunning())
    try await app.database.write { [app] in
      _ = try app.idempotency.begin(request, claiming: .minutes(5), in: $0)
    }
    for _ in 1...4 {
      app.clock.advance(by: .minutes(1))
      let now = app.clock.now
      try await app.database.write { _ = try IdempotencyStore($0).sweep(before: now) }
      #expect(try await isRunning())
      #expect(try await app.begin("k", "body", claimant: "second") == .running)
    }
    try await app.store(answer, "k", "body")
    #expect(try await !isRunning())
    #expect(try await app.begin("k", "body", claimant: "second") == .replay(answer))
    let other = app.request("l", "body")
    try await app.database.write { [app] in
      _ = try app.idempotency.begin(other, claiming: .minutes(5), in: $0)
    }
    app.clock.advance(by: .minutes(5))
    let lapsed = try await app.database.read { [app] in try !app.idempotency.isRunning(other, in: $0) }
    #expect(lapsed)
  }

  @Test("a step that rolls back leaves no claim", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct Refused: Error {}
    let app = try await IdempotencyTestApp(engine)
    try? await app.database.write { [app] tx in
      _ = try app.idempotency.begin(app.request("k", "body"), in: tx)
      throw Refused()
    }
    #expect(try await app.begin("k", "body") == .fresh)
  }

  @Test("of claims that race exactly one is fresh", arguments: Engine.available)
  func racing(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    let other = try app.made.reopened()
    let outcomes = try await withThrowingTaskGroup(of: IdempotencyTestApp.Outcome.self) { group in
      for index in 0..<24 {
        group.addTask {
          try await app.begin(
            "k", "body", claimant: "\(index)", on: index.isMultiple(of: 2) ? app.database : other)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count { $0 == .fresh } == 1)
    #expect(outcomes.count { $0 == .running } == 23)
    try other.close()
  }

  @Test("an answer is sealed: its text is not found on disk", arguments: Engine.available)
  func sealed(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "a body that nobody reads")
    let secret = StoredAnswer(status: 200, contentType: "application/json", body: Data("Ludmila Nováková".utf8))
    try await app.store(secret, "k", "a body that nobody reads")
    let bytes = try await app.made.bytesOnDisk()
    #expect(bytes.range(of: secret.body) == nil)
    #expect(bytes.range(of: Data(secret.body.base64EncodedString().utf8)) == nil)
    #expect(bytes.range(of: Data("a body that nobody reads".utf8)) == nil)
  }

  @Test("a claim takes the place of no record that counts, however old the look before it", arguments: Engine.available)
  func staleLook(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    try await app.store(answer, "k", "body")
    let (late, now) = (app.request("k", "body", claimant: "late"), app.clock.now)
    await #expect(throws: SQLError.self) {
      try await app.database.write {
        try IdempotencyStore($0).claim(late, digest: "", at: now, until: now + .minutes(1))
      }
    }
    #expect(try await app.begin("k", "body") == .replay(answer))
  }

  @Test(
    "of a body a keyed digest is stored, another one for every request (issue 24)", arguments: Engine.available)
  func keyed(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    for (key, owner) in [("k", "ann"), ("l", "ann"), ("k", "bob")] {
      _ = try await app.begin(key, "123456", owner: owner)
    }
    let digests = try await app.digests()
    #expect(Set(digests).count == 3 && digests.allSatisfy { $0.count == 64 })
    // A list of the plain digests of all codes of six digits has this one.
    #expect(!digests.contains(Data("123456".utf8).sha256Hex))
  }

  @Test("an answer from before digests were keyed is given again, to the same body only", arguments: Engine.available)
  func plainRows(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("k", "body")
    try await app.store(answer, "k", "body")
    let plain = Data("body".utf8).sha256Hex
    try await app.database.write { tx in _ = try tx.execute("UPDATE idempotency SET body_digest = \(plain)") }
    #expect(try await app.begin("k", "body") == .replay(answer))
    #expect(try await app.begin("k", "other") == .conflict)
  }

  @Test("a sweep removes what lapsed and nothing else", arguments: Engine.available)
  func sweep(engine: Engine) async throws {
    let app = try await IdempotencyTestApp(engine)
    _ = try await app.begin("old", "body")
    app.clock.advance(by: Idempotency.claimLifetime)
    _ = try await app.begin("new", "body")
    let now = app.clock.now
    #expect(try await app.database.write { try IdempotencyStore($0).sweep(before: now) } == 1)
    #expect(try await app.begin("new", "body", claimant: "second") == .running)
  }
}

/// The memory of answered writes over a real store.
struct IdempotencyTestApp: Sendable {
  let made: TestDatabase
  let clock = TestWorld()
  let idempotency: Idempotency
  var database: any SQLDatabase { made.database }

  /// `Idempotency.Outcome` that can be compared.
  enum Outcome: Equatable, Sendable { case fresh, replay(StoredAnswer), conflict, running }

  static let migrations = [DataKeyStore.migration, IdempotencyStore.migration, IdempotencyStore.caseMigration]

  init(_ engine: Engine, _ migrations: [Migration] = Self.migrations) async throws {
    made = try await TestDatabase.make(engine, migrations)
    idempotency = Idempotency(world: clock.world, vault: try await TestVault.open(made.database, clock.world))
  }

  /// What is stored of the bodies.
  func digests() async throws -> [String] {
    try await database.read { try $0.query("SELECT body_digest FROM idempotency").map { try $0.get("body_digest") } }
  }

  func request(
    _ key: String, _ body: String, owner: String = "ann", path: String = "POST /a", claimant: String = "first"
  ) -> Idempotency.Request {
    Idempotency.Request(owner: owner, path: path, key: key, body: Data(body.utf8), claimant: claimant)
  }

  func begin(
    _ key: String, _ body: String, owner: String = "ann", path: String = "POST /a", claimant: String = "first",
    on other: (any SQLDatabase)? = nil
  ) async throws -> Outcome {
    let request = request(key, body, owner: owner, path: path, claimant: claimant)
    return try await (other ?? database).write { [idempotency] in
      switch try idempotency.begin(request, in: $0) {
      case .fresh: .fresh
      case .replay(let answer): .replay(answer)
      case .conflict: .conflict
      case .running: .running
      }
    }
  }

  func store(_ answer: StoredAnswer, _ key: String, _ body: String) async throws {
    let request = request(key, body)
    try await database.write { [idempotency] in try idempotency.store(answer, for: request, in: $0) }
  }

  func release(_ key: String, _ body: String) async throws {
    let request = request(key, body)
    try await database.write { [idempotency] in try idempotency.release(request, in: $0) }
  }
}
