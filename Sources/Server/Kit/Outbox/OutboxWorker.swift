import Logging
import ServiceLifecycle
import Storage

/// Performs owed effects: leases due rows, runs their handlers side by side, retries with backoff and jitter, parks poison.
package struct OutboxWorker: Service {
  /// Performs one effect. Must bear repetition: a crash after it and before its row is deleted repeats it.
  package typealias Handler = @Sendable (OutboxItem) async throws -> Void

  package static let attemptsMax = 12
  package static let leaseLifetime = Duration.minutes(1)
  package static let batchMax = 16
  /// How long a worker sleeps when nobody rings.
  package static let pollInterval = Duration.seconds(1)
  package static let backoffMax = Duration.minutes(30)

  let database: any SQLDatabase
  let bell: WorkBell
  let world: World
  let handlers: [String: Handler]
  let owner: String
  let logger: Logger

  package init(
    database: any SQLDatabase, bell: WorkBell, world: World, handlers: [String: Handler], logger: Logger
  ) {
    self.database = database
    self.bell = bell
    self.world = world
    self.handlers = handlers
    self.logger = logger
    owner = world.uuid()
  }

  package func run() async throws {
    // A pass in flight is finished, not cancelled: an effect that was performed must also be crossed off.
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
      do {
        if try await runDue() > 0 { continue }
      } catch {
        logger.error("outbox pass failed", metadata: ["error": "\(type(of: error))"])
      }
      await cancelWhenGracefulShutdown { await sleepUntilRung() }
    }
  }

  /// One pass over what is due. Tests call it instead of running the service.
  /// - Returns: how many effects were begun.
  @discardableResult
  package func runDue() async throws -> Int {
    let now = world.now()
    let items = try await database.write { [owner] tx in
      try OutboxStore(tx).lease(by: owner, until: now + Self.leaseLifetime, now: now, limit: Self.batchMax)
    }
    await withTaskGroup(of: Void.self) { group in
      for item in items { group.addTask { await perform(item) } }
    }
    return items.count
  }

  private func perform(_ item: OutboxItem) async {
    do {
      // An effect that takes its process down never settles: its begun attempts are what parks it.
      guard item.attempts < Self.attemptsMax else { throw AttemptsSpent() }
      guard let handler = handlers[item.topic] else { throw NoHandler() }
      try await handler(item)
      try await database.write { [owner] tx in _ = try OutboxStore(tx).finish(item.id, by: owner) }
    } catch {
      // The type only: a provider's message may quote what we sent it.
      let reason = "\(type(of: error))"
      logger.warning("effect failed", metadata: ["topic": "\(item.topic)", "id": "\(item.id)", "error": "\(reason)"])
      await settle(item, after: reason, final: error is any FinalFailure)
    }
  }

  private func settle(_ item: OutboxItem, after reason: String, final: Bool) async {
    let attempt = item.attempts + 1
    let dueAt = world.now() + Self.backoff(attempt: attempt, world: world)
    do {
      try await database.write { [owner] tx in
        if final || attempt >= Self.attemptsMax {
          try OutboxStore(tx).park(item.id, by: owner, reason: reason)
        } else {
          try OutboxStore(tx).retry(item.id, by: owner, dueAt: dueAt)
        }
      }
    } catch {
      // The lease runs out and another pass takes the row again.
      logger.error("outbox row kept its lease", metadata: ["id": "\(item.id)", "error": "\(type(of: error))"])
    }
  }

  /// 1 s, 2 s, 4 s … up to the maximum, each shortened by up to a quarter so that failures do not march in step.
  static func backoff(attempt: Int, world: World) -> Duration {
    let whole = min(Duration.seconds(1 << min(attempt - 1, 20)), backoffMax)
    return whole - whole * Int(world.number(below: 250)) / 1000
  }

  private func sleepUntilRung() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await bell.wait() }
      group.addTask { try? await Task.sleep(for: Self.pollInterval) }
      await group.next()
      group.cancelAll()
    }
  }

  struct NoHandler: FinalFailure {}
  struct AttemptsSpent: FinalFailure {}
}

/// An error that no repetition will cure: the row is parked at once.
package protocol FinalFailure: Error {}
