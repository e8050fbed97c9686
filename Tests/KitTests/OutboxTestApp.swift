// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import ServiceLifecycleTestKit
import Storage
import Synchronization
import TestSupport

@testable import Kit

/// An outbox over a real store, with workers that share it.
struct OutboxTestApp {
  let made: TestDatabase
  let clock = TestWorld()
  let world: World
  let effects = Effects()

  /// - Parameter isLive: with the machine's clock, for what takes real time.
  init(_ engine: Engine, isLive: Bool = false) async throws {
    made = try await TestDatabase.make(
      engine,
      [
        OutboxStore.migration, OutboxStore.leaseMigration, OutboxStore.originMigration, OutboxStore.patienceMigration,
        OutboxStore.readyMigration,
      ])
    world = isLive ? .live : clock.world
  }

  var database: any SQLDatabase { made.database }
  var outbox: Outbox { Outbox(world: world) }

  /// - Parameters:
  ///   - clock: another node's.
  ///   - topics: which it handles, all alike.
  ///   - perform: what a handler does after its effect was noted.
  func worker(
    on other: (any SQLDatabase)? = nil, by clock: TestWorld? = nil, pace: OutboxPace = OutboxPace(),
    topics: [String] = ["test.do"],
    perform: @escaping @Sendable (OutboxItem) async throws -> Void = { _ in }
  ) -> OutboxWorker {
    let handler: OutboxWorker.Handler = { [effects] item in
      effects.begin(item)
      try await perform(item)
    }
    return OutboxWorker(
      database: other ?? database, world: clock?.world ?? world,
      handlers: Dictionary(uniqueKeysWithValues: topics.map { ($0, handler) }), pace: pace,
      logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  /// Workers that run while a test plays; then they are asked to leave.
  func run(_ workers: OutboxWorker..., play: @escaping @Sendable () async throws -> Void) async throws {
    try await testGracefulShutdown { trigger in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in workers { group.addTask { try await worker.run() } }
        try await play()
        trigger.triggerGracefulShutdown()
        try await group.waitForAll()
      }
    }
  }

  func enqueue(_ subject: String, topic: String = "test.do", dueAt: Instant? = nil) async throws {
    try await database.write { [outbox] in try outbox.enqueue(topic, subject: subject, dueAt: dueAt, in: $0) }
  }

  func pending() async throws -> [OutboxItem] { try await database.read { try OutboxStore($0).pending() } }

  func leases(of topic: String = "test.do") async throws -> [OutboxLease] {
    try await database.read { try OutboxStore($0).leases(of: [topic]) }
  }

  func deadLetters() async throws -> [String] {
    try await database.read { try OutboxStore($0).deadLetters().map { "\($0.subject): \($0.reason)" } }
  }

  /// Takes what is due as a worker of that name would, and does nothing about it.
  func lease(by owner: String, of topic: String = "test.do", limit: Int = 10) async throws -> [OutboxItem] {
    let now = world.now()
    return try await database.write(.readCommitted) { tx in
      try OutboxStore(tx).lease(
        of: [topic], by: owner, until: now + OutboxPace().leaseLifetime, now: now, limit: limit)
    }
  }
}

/// What handlers were called for.
final class Effects: Sendable {
  private let begun = Mutex<[OutboxItem]>([])
  func begin(_ item: OutboxItem) { begun.withLock { $0.append(item) } }
  var subjects: [String] { begun.withLock { $0.map(\.subject) } }
  var attempts: [Int] { begun.withLock { $0.map(\.attempts) } }
}

/// A store that goes away for as long as a test says, as one that restarts.
struct FlakyDatabase: SQLDatabase {
  let base: any SQLDatabase
  private let away = Away()

  private final class Away: Sendable {
    let writes = Mutex(0)
  }

  init(_ base: any SQLDatabase) { self.base = base }

  /// Refuses the next writes.
  func refuse(_ count: Int) { away.writes.withLock { $0 = count } }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.read(body) }

  func query(_ statement: SQL) async throws -> [SQLRow] { try await base.query(statement) }
  var queryIsTrip: Bool { base.queryIsTrip }

  func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let isRefused = away.writes.withLock { count in
      defer { count = max(0, count - 1) }
      return count > 0
    }
    guard !isRefused else { throw SQLError.unreachable("away") }
    return try await base.write(isolation, body)
  }

  func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  func close() throws { try base.close() }
}
