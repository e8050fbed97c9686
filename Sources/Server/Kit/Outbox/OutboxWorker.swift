// SPDX-License-Identifier: Apache-2.0

import Logging
import ServiceLifecycle
import Storage

/// Performs owed effects: leases due rows, runs their handlers side by side, retries with backoff and jitter, gives up
/// poison. Any number of workers share one outbox.
package struct OutboxWorker: Service {
  /// Performs one effect. Must be idempotent: a crash after it and before its row is deleted repeats it. It is
  /// cancelled when its time is up or its lease is lost.
  package typealias Handler = @Sendable (OutboxItem) async throws -> Void

  /// How often in a row an effect may take its process down.
  package static let takeoversMax = 12
  /// How long an effect that fails is tried before it becomes a dead letter: longer than a gateway that is away over
  /// night.
  package static let patience = Duration.hours(24)
  package static let backoffMax = Duration.minutes(30)
  /// How long a worker rests after a pass that the store refused.
  private static let failurePause = Duration.seconds(1)

  let database: any SQLDatabase
  let world: World
  let handlers: [String: Handler]
  let pace: OutboxPace
  let owner: String
  let logger: Logger
  /// The topics that it takes, in the order of their names.
  package let handled: [String]
  private let watch: LeaseWatch

  package init(
    database: any SQLDatabase, world: World, handlers: [String: Handler], pace: OutboxPace = OutboxPace(),
    logger: Logger
  ) {
    self.database = database
    self.world = world
    self.handlers = handlers
    handled = handlers.keys.sorted()
    self.pace = pace
    self.logger = logger
    owner = world.uuid()
    watch = LeaseWatch(pace)
  }

  /// Keeps its slots full until a graceful shutdown: a slow effect holds up only itself.
  package func run() async throws {
    let listener = SignalListener(database, Outbox.signal)
    let (notifier, slots) = (listener.notifier, OutboxSlots(pace))
    await withGracefulShutdownHandler {
      await withDiscardingTaskGroup { group in
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
          let (begun, pause) = await refill(slots)
          for (item, stop) in begun {
            group.addTask {
              await perform(item, until: stop)
              slots.end(item)
              notifier.notify()
            }
          }
          await notifier.wait(atMost: pause)
        }
        await drain(slots, notifier)
      }
    } onGracefulShutdown: {
      notifier.notify()
    }
  }

  /// One pass over what is due. Tests call it instead of running the service.
  /// - Returns: how many effects were begun.
  @discardableResult
  package func runDue() async throws -> Int {
    var items = try await takeLapsed(pace.concurrencyMax, besides: [])
    items += try await take(pace.concurrencyMax - items.count).items
    await withTaskGroup(of: Void.self) { group in
      for item in items { group.addTask { await perform(item, until: Notifier()) } }
    }
    return items.count
  }

  // MARK: Taking

  /// Takes what there is room for.
  /// - Returns: what was taken, and how long to sleep unless the notifier rings.
  private func refill(_ slots: OutboxSlots) async -> (begun: [(item: OutboxItem, stop: Notifier)], pause: Duration) {
    var begun: [(item: OutboxItem, stop: Notifier)] = []
    do {
      if let capacity = slots.capacity {
        begun += try await takeLapsed(capacity.limit, besides: slots.ids).map { ($0, slots.begin($0)) }
      }
      while let capacity = slots.capacity {
        let (items, nextDue) = try await take(capacity.limit, besides: capacity.saturated)
        begun += items.map { ($0, slots.begin($0)) }
        guard items.count < capacity.limit else { continue }
        guard let nextDue else { break }
        return (begun, min(pace.pollInterval, max(.milliseconds(1), nextDue - world.now())))
      }
    } catch is CancellationError {
      // The process ends: what was taken is given back, and nothing failed.
      return (begun, pace.pollInterval)
    } catch {
      logger.error("outbox pass failed", metadata: .error(error))
      // The signal for these rows is spent and does not come again.
      return (begun, min(pace.pollInterval, Self.failurePause))
    }
    return (begun, pace.pollInterval)
  }

  /// - Parameter saturated: a topic to leave alone. The others are then asked for by name, which costs the same
  ///   however many rows of that topic lie in front.
  private func take(
    _ limit: Int, besides saturated: String? = nil
  ) async throws -> (items: [OutboxItem], nextDue: Instant?) {
    guard limit > 0 else { return ([], nil) }
    let topics = saturated.map { saturated in rotated(handled.filter { $0 != saturated }) }
    return try await database.write(.readCommitted) { [owner, world, pace, handled] tx in
      let (store, now) = (OutboxStore(tx), world.now())
      let until = now + pace.leaseLifetime
      var items: [OutboxItem] = []
      if let topics {
        for topic in topics where items.count < limit {
          items += try store.lease(topic, by: owner, until: until, now: now, limit: limit - items.count)
        }
      } else {
        items = try store.lease(of: handled, by: owner, until: until, now: now, limit: limit)
      }
      return (items, items.count < limit ? try store.nextDue(after: now) : nil)
    }
  }

  /// Begins at any of them, so that none is always first.
  private func rotated(_ topics: [String]) -> [String] {
    guard topics.count > 1 else { return topics }
    let start = Int(world.number(below: UInt64(topics.count)))
    return Array(topics[start...] + topics[..<start])
  }

  /// Takes over rows whose leases are not extended any more.
  /// - Parameter own: what this worker has in hand itself.
  private func takeLapsed(_ limit: Int, besides own: Set<OutboxItem.ID>) async throws -> [OutboxItem] {
    guard watch.isDue(at: world.wall()) else { return [] }
    let leases = try await database.read { [handled] in try OutboxStore($0).leases(of: handled) }
      .filter { !own.contains($0.id) }
    let lapsed = watch.lapsed(among: leases, at: world.wall()).prefix(limit)
    guard !lapsed.isEmpty else { return [] }
    let taken = try await database.write(.readCommitted) { [owner, world, pace] tx in
      let (store, until) = (OutboxStore(tx), world.now() + pace.leaseLifetime)
      return try lapsed.compactMap { try store.takeOver($0, by: owner, until: until, now: world.now()) }
    }
    for item in taken {
      logger.warning("effect taken over", metadata: ["topic": "\(item.topic)", "id": "\(item.id)"])
    }
    return taken
  }

  /// Gives up effects that have been due for longer than a failing effect is tried and that no running program takes:
  /// their topic belongs to a program that is gone, or to a newer one that was taken back.
  package func deadLetterOrphans() async throws {
    let before = world.now() - Self.patience
    let count = try await database.write(.readCommitted) { [handled] in
      try OutboxStore($0).deadLetterOrphans(besides: handled, dueBefore: before)
    }
    if count > 0 { logger.error("effects without a handler became dead letters", metadata: ["count": "\(count)"]) }
  }

  // MARK: Leaving

  /// Lets what is in hand come to its end, interrupts what does not within the limit, gives the rest back.
  private func drain(_ slots: OutboxSlots, _ notifier: Notifier) async {
    await ended(slots, notifier, within: pace.drainMax)
    guard !slots.isEmpty else { return }
    slots.interruptAll()
    await ended(slots, notifier, within: pace.interruptMax)
    guard !slots.isEmpty, !Task.isCancelled else { return }
    do {
      let count = try await database.write(.readCommitted) { [owner] in try OutboxStore($0).giveBack(by: owner) }
      logger.warning("outbox leases given back while their handlers still run", metadata: ["count": "\(count)"])
    } catch {
      logger.error("outbox leases were kept", metadata: .error(error))
    }
  }

  private func ended(_ slots: OutboxSlots, _ notifier: Notifier, within limit: Duration) async {
    try? await Deadline.run(limit) {
      while !slots.isEmpty, !Task.isCancelled { await notifier.wait() }
    }
  }
}
