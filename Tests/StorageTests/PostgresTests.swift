// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import Storage
import Testing
import TestSupport

/// What only the engine for many nodes has to bear: races that run again, servers that go away, waits that end.
@Suite(
  "Storage: PostgreSQL under stress", .enabled(if: Engine.current == .postgres, "PostgreSQL was not offered"),
  .timeLimit(.minutes(1)))
struct PostgresTests {
  private static let counter = Migration(
    "2026-01-01 counter",
    "CREATE TABLE counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL); INSERT INTO counter VALUES (1, 0);")

  @Test("bodies that race for one row each count once, however often they ran")
  func runsAgain() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await made.database.write { tx in
            let n = try tx.first("SELECT n FROM counter WHERE id = 1")?.get("n", as: Int.self) ?? 0
            try tx.execute("UPDATE counter SET n = \(n + 1) WHERE id = 1")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.value(made.database) == 8)
  }

  @Test("of two that decide on rows that are not there, a serializable one sees the other")
  func writeSkew() async throws {
    let made = try await TestDatabase.make(.postgres, [Migration("2026-01-01 only", "CREATE TABLE only_one (id TEXT)")])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          try await made.database.write(.serializable) { tx in
            guard try tx.query("SELECT id FROM only_one").isEmpty else { return }
            try tx.execute("INSERT INTO only_one (id) VALUES (\("row \(index)"))")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await made.database.read { try $0.query("SELECT id FROM only_one").count } == 1)
  }

  @Test("rows that one worker holds are passed over by the next")
  func skipLocked() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let other = try made.reopened()
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let first: Int = made.database.write(.readCommitted) { tx in
      let count = try tx.query("SELECT id FROM counter \(.forUpdateSkipLocked)").count
      held.signal()
      release.wait()
      return count
    }
    let second = try await other.write(.readCommitted) { tx in
      held.wait()
      defer { release.signal() }
      return try tx.query("SELECT id FROM counter \(.forUpdateSkipLocked)").count
    }
    #expect(try await first == 1)
    #expect(second == 0)
    try other.close()
  }

  @Test("a connection that is cut inside a transaction is a pause: the body runs again and counts once")
  func cutInside() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let killer = try made.reopened()
    let runs = Steps()
    try await made.database.write { tx in
      runs.add("run")
      let isFirst = runs.all.count == 1
      try tx.execute("UPDATE counter SET n = n + 1 WHERE id = 1")
      if isFirst {
        let own: Int = try tx.first("SELECT pg_backend_pid() AS pid")?.get("pid") ?? 0
        try Self.terminate(own, through: killer)
        _ = try tx.query("SELECT n FROM counter")
      }
    }
    #expect(runs.all.count == 2)
    #expect(try await Self.value(made.database) == 1)
    try killer.close()
  }

  @Test("connections that died while idle are replaced")
  func cutOutside() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let killer = try made.reopened()
    for round in 1...3 {
      let own: Int = try await made.database.write { tx in
        try tx.execute("UPDATE counter SET n = n + 1 WHERE id = 1")
        return try tx.first("SELECT pg_backend_pid() AS pid")?.get("pid") ?? 0
      }
      _ = try await killer.write(.readCommitted) { try $0.query("SELECT pg_terminate_backend(\(own)::int)") }
      #expect(try await Self.value(made.database) == round)
    }
    try killer.close()
  }

  @Test("a statement that runs too long ends, and so does a wait for a row that another holds")
  func timeouts() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    var settings = PostgresSettings(url: try #require(Engine.postgresURL), connectionsMax: 2)
    settings.statementTimeout = .milliseconds(50)
    let quick = Postgres(settings)
    let error = await #expect(throws: SQLError.self) { try await quick.read { try $0.query("SELECT pg_sleep(5)") } }
    #expect(error == .busy)
    try quick.close()

    let impatient = try made.reopened(changing: { $0.lockTimeout = .milliseconds(50) })
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let holder: Void = made.database.write { tx in
      try tx.execute("UPDATE counter SET n = 5 WHERE id = 1")
      held.signal()
      release.wait()
    }
    let refusal = await #expect(throws: SQLError.self) {
      try await impatient.write { tx in
        held.wait()
        defer { release.signal() }
        try tx.execute("UPDATE counter SET n = 6 WHERE id = 1")
      }
    }
    #expect(refusal == .locked)
    try await holder
    #expect(try await Self.value(made.database) == 5)
    try impatient.close()
  }

  @Test("a step of the schema that finds its table in use lets everybody else pass, and is made when the table is free")
  func politeMigration() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let upgrading = try made.reopened(changing: { $0.schemaLockTimeout = .milliseconds(200) })
    let (held, holds) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    // As a dump does, for as long as it lasts.
    async let dump: Void = made.database.read { tx in
      _ = try tx.query("SELECT n FROM counter")
      holds.yield()
      _ = release.wait(timeout: .now() + 30)
    }
    for await _ in held { break }
    let step = Migration("2999-01-01 wider", "ALTER TABLE counter ADD COLUMN more BIGINT;")
    async let upgrade: Void = upgrading.migrate([Self.counter, step])
    let reader = try made.reopened(changing: { $0.lockTimeout = .seconds(2) })
    // Until some have stood behind the step for a moment. Without its patience the first of them would wait for the dump.
    var (round, delayed) = (0, 0)
    while delayed < 3 {
      round += 1
      let (value, start) = (round, ContinuousClock.now)
      try await reader.write { try $0.execute("UPDATE counter SET n = \(value) WHERE id = 1") }
      if start.duration(to: .now) > .milliseconds(50) { delayed += 1 }
    }
    var refused = false
    let hurried = try made.reopened(changing: {
      ($0.schemaLockTimeout, $0.schemaPatience) = (.milliseconds(10), .milliseconds(1))
    })
    do { try await hurried.migrate([Self.counter, step]) } catch SQLError.unreachable { refused = true }
    #expect(refused)
    release.signal()
    _ = try await (dump, upgrade)
    #expect(try await reader.read { try $0.first("SELECT more FROM counter") } != nil)
    for database in [upgrading, reader, hurried] { try database.close() }
  }

  @Test("a refusal that a body swallows voids the transaction all the same")
  func swallowed() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let error = await #expect(throws: SQLError.self) {
      try await made.database.write { tx in
        try tx.execute("UPDATE counter SET n = 9 WHERE id = 1")
        _ = try? tx.execute("INSERT INTO counter (id, n) VALUES (2, NULL)")
      }
    }
    if case .constraint = error {} else { Issue.record("\(String(describing: error))") }
    #expect(try await Self.value(made.database) == 0)
  }

  @Test("a server that is not there is unreachable, after patience, with a reason that holds no password")
  func unreachable() async throws {
    var settings = PostgresSettings(url: "postgres://someone:hunter2@127.0.0.1:1/none", connectionsMax: 1)
    settings.patience = .milliseconds(100)
    let database = Postgres(settings)
    let error = await #expect(throws: SQLError.self) { try await database.read { try $0.query("SELECT 1 AS one") } }
    guard case .unreachable(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(!reason.isEmpty && !reason.contains("hunter2"))
    try database.close()
  }

  @Test(
    "what ails the server itself is a pause and then unreachable; what is wrong with a statement or the data is neither",
    arguments: [
      ("53100", true), ("53200", true), ("53300", true), ("57P01", true), ("57P04", true), ("58000", true),
      ("58030", true), ("08006", true), ("XX001", false), ("22012", false), ("42P01", false),
    ])
  func states(state: String, isOfTheServer: Bool) async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let database = try made.reopened(changing: { $0.patience = .seconds(1) })
    let runs = Steps()
    let error = await #expect(throws: SQLError.self) {
      try await database.write { tx in
        runs.add("run")
        try tx.execute(SQL(stringLiteral: "DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '\(state)'; END $$"))
      }
    }
    if isOfTheServer {
      #expect(error == .unreachable(state) && runs.all.count > 1)
    } else {
      guard case .engine = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(runs.all.count == 1)
    }
    try database.close()
  }

  @Test("more transactions than connections all come to pass")
  func queued() async throws {
    var settings = PostgresSettings(url: try #require(Engine.postgresURL), connectionsMax: 2)
    settings.waitingMax = 500
    let database = Postgres(settings)
    let answers = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<300 {
        group.addTask { try await database.read { try $0.first("SELECT \(number) AS n")?.get("n") ?? -1 } }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(answers.count == 300)
    #expect(database.use.open <= 2 && database.use.waiting == 0)
    try database.close()
    await #expect(throws: SQLError.self) { try await database.read { try $0.query("SELECT 1 AS one") } }
  }

  @Test("more than may wait are refused at once")
  func full() async throws {
    var settings = PostgresSettings(url: try #require(Engine.postgresURL), connectionsMax: 1)
    settings.waitingMax = 1
    let database = Postgres(settings)
    let refused = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask {
          do { _ = try await database.read { try $0.query("SELECT 1 AS one FROM pg_sleep(0.02)") } } catch {
            return true
          }
          return false
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(refused > 0 && refused < 20)
    try database.close()
  }

  @Test("a caller that waits for a connection is refused when the time is up, also while none is returned")
  func overdue() async throws {
    var settings = PostgresSettings(url: try #require(Engine.postgresURL), connectionsMax: 1)
    settings.waitMax = .milliseconds(50)
    let database = Postgres(settings)
    let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let holder: Int = database.read { tx in
      held.signal()
      release.wait()
      return try tx.first("SELECT 1 AS one")?.get("one") ?? 0
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        held.wait()
        continuation.resume()
      }
    }
    let refusals = await withTaskGroup(of: SQLError?.self) { group in
      for _ in 0..<5 {
        group.addTask {
          do { _ = try await database.read { try $0.query("SELECT 1 AS one") } } catch { return error as? SQLError }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals == Array(repeating: .busy, count: 5))
    #expect(database.use.waiting == 0 && database.use.busy == 1)
    release.signal()
    #expect(try await holder == 1)
    // The thread that was hung up serves the next one.
    #expect(try await database.read { try $0.first("SELECT 2 AS two")?.get("two") } == 2)
    try database.close()
  }

  private static func value(_ database: any SQLDatabase) async throws -> Int {
    try await database.read { try $0.first("SELECT n FROM counter WHERE id = 1")?.get("n") ?? -1 }
  }

  /// Ends a connection from another one and waits until it has.
  private static func terminate(_ pid: Int, through killer: any SQLDatabase) throws {
    let done = DispatchSemaphore(value: 0)
    Task {
      _ = try? await killer.write(.readCommitted) { try $0.query("SELECT pg_terminate_backend(\(pid)::int, 5000)") }
      done.signal()
    }
    done.wait()
  }
}

@Suite("Storage: where PostgreSQL is")
struct PostgresSettingsTests {
  @Test(
    "a server elsewhere must prove who it is unless the URL says otherwise; one on this machine need not",
    arguments: [
      ("postgres://u@db.example/bank", "verify-full"), ("postgres://u@db.example,127.0.0.1/bank", "verify-full"),
      ("postgres://u@db.example/bank?sslmode=require", "require"), ("postgres://u@10.0.0.7/bank", "verify-full"),
      ("postgres://u@127.0.0.1:5433/bank", nil), ("postgres:///bank?host=/run/postgresql", nil),
      ("postgres://u@localhost/bank", nil), ("postgres://u@[::1]/bank", nil), ("host=db.example user=u", "verify-full"),
    ] as [(String, String?)])
  func transport(url: String, mode: String?) throws {
    let parameters = try PostgresSettings(url: url).parameters(application: "test")
    #expect(parameters.last { $0.name == "sslmode" }?.value == mode)
  }

  @Test("what the URL says wins over what we would say")
  func precedence() throws {
    let parameters = try PostgresSettings(
      url: "postgres://u@127.0.0.1/bank?application_name=mine&connect_timeout=20&target_session_attrs=any"
    ).parameters(application: "test")
    for (name, value) in [("application_name", "mine"), ("connect_timeout", "20"), ("target_session_attrs", "any")] {
      #expect(parameters.last { $0.name == name }?.value == value)
    }
  }

  @Test(
    "what is no URL of PostgreSQL is refused and not quoted",
    arguments: ["postgres://u:hunter2@[", "hunter2", "postgres://%zz"])
  func refused(url: String) {
    let error = #expect(throws: SQLError.self) { try PostgresSettings(url: url).parameters(application: "test") }
    #expect(!"\(String(describing: error))".contains("hunter2"))
  }
}
