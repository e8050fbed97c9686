import Kit
import Logging
import Storage
import Synchronization
import TestSupport

/// An outbox over a real store, with workers that share it.
struct OutboxHouse {
  let made: TestDatabase
  let clock = TestWorld()
  let bell = WorkBell()
  let effects = Effects()

  init(_ engine: Engine) async throws { made = try await TestDatabase.make(engine, [OutboxStore.migration]) }

  var database: any SQLDatabase { made.database }
  var outbox: Outbox { Outbox(world: clock.world, bell: bell) }

  /// - Parameter perform: what the only handler, of topic `test.do`, does after it was noted.
  func worker(
    on other: (any SQLDatabase)? = nil, perform: @escaping @Sendable (OutboxItem) async throws -> Void = { _ in }
  ) -> OutboxWorker {
    OutboxWorker(
      database: other ?? database, bell: bell, world: clock.world,
      handlers: [
        "test.do": { [effects] item in
          effects.begin(item)
          try await perform(item)
        }
      ], logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
  }

  func enqueue(_ subject: String, topic: String = "test.do", dueAt: Instant? = nil) async throws {
    try await database.write { [outbox] in try outbox.enqueue(topic, subject: subject, dueAt: dueAt, in: $0) }
  }

  func pending() async throws -> [OutboxItem] { try await database.read { try OutboxStore($0).pending() } }

  func parked() async throws -> [String] {
    try await database.read { try OutboxStore($0).parked().map { "\($0.item.subject): \($0.reason)" } }
  }
}

/// What handlers were called for.
final class Effects: Sendable {
  private let begun = Mutex<[OutboxItem]>([])
  func begin(_ item: OutboxItem) { begun.withLock { $0.append(item) } }
  var subjects: [String] { begun.withLock { $0.map(\.subject) } }
  var attempts: [Int] { begun.withLock { $0.map(\.attempts) } }
}
