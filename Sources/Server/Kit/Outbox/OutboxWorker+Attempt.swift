// SPDX-License-Identifier: Apache-2.0

import Logging
import Storage

/// One attempt at one effect, from its lease to the row that says how it ended.
extension OutboxWorker {
  private enum Ending: Sendable {
    case performed
    case failed(any Error)
    /// Interrupted: the lease is lost, so this worker must not change the row any more.
    case leaseLost
    case interrupted
  }

  private enum Event: Sendable {
    case ended(Ending)
    /// A third of a lease's life is over.
    case beat
    /// Whether the lease is still ours.
    case extended(Bool)
  }

  /// - Parameter stop: interrupts the attempt; its row is given back.
  func perform(_ item: OutboxItem, until stop: Notifier) async {
    let ending = await attempt(item, until: stop)
    let about: Logger.Metadata = ["topic": "\(item.topic)", "id": "\(item.id)"]
    switch ending {
    case .performed:
      await settle(item) { try $0.finish(item, by: $1) }
    case .leaseLost:
      logger.warning("effect lost its lease", metadata: about)
    case .interrupted:
      logger.notice("effect interrupted", metadata: about)
      let dueAt = world.now()
      await settle(item) { try $0.giveBack(item, by: $1, dueAt: dueAt) }
    case .failed(let error):
      // The type only: a provider's message may quote what we sent it.
      let reason = "\(type(of: error))"
      logger.warning("effect failed", metadata: about.merging(.error(error)) { $1 })
      if error is any FinalFailure || item.triedSince.map({ world.now() - $0 >= Self.patience }) == true {
        await settle(item) { try $0.deadLetter(item, by: $1, reason: reason) }
      } else {
        let dueAt = world.now() + Self.backoff(attempt: item.attempts + 1, world: world)
        await settle(item) { try $0.retry(item, by: $1, dueAt: dueAt) }
      }
    }
  }

  /// Runs the handler and extends its lease at every beat, until the attempt has had its time. An extension that was
  /// not heard of by the next beat counts as lost: the last third of the lease is the handler's, to end before anybody
  /// else begins.
  private func attempt(_ item: OutboxItem, until stop: Notifier) async -> Ending {
    // An effect that crashes its process never settles: the count of takeovers makes it a dead letter.
    guard item.takeovers < Self.takeoversMax else { return .failed(AttemptsSpent()) }
    // Not leased at all, or left to another worker once the lease expires.
    guard let handler = handlers[item.topic] else { return .leaseLost }
    return await withTaskGroup(of: Event.self) { group in
      group.addTask {
        do {
          try await handler(item)
          return .ended(.performed)
        } catch { return .ended(.failed(error)) }
      }
      group.addTask {
        await stop.wait()
        return .ended(.interrupted)
      }
      group.addTask { await nextBeat() }
      var (beatsLeft, isExtended, ending) = (max(1, Int(pace.attemptLifetimeMax / pace.beat)), true, Ending?.none)
      while ending == nil, let event = await group.next() {
        switch event {
        case .ended(let how): ending = how
        case .extended(let isOurs):
          if isOurs { isExtended = true } else { ending = .leaseLost }
        case .beat:
          beatsLeft -= 1
          if !isExtended {
            ending = .leaseLost
          } else if beatsLeft == 0 {
            ending = .failed(Overdue())
          } else {
            isExtended = false
            group.addTask { .extended(await extend(item)) }
            group.addTask { await nextBeat() }
          }
        }
      }
      group.cancelAll()
      // A handler that came to its end all the same has performed its effect.
      for await case .ended(.performed) in group { ending = .performed }
      return ending ?? .interrupted
    }
  }

  private func nextBeat() async -> Event {
    do { try await Task.sleep(for: pace.beat) } catch { return .ended(.interrupted) }
    return .beat
  }

  /// Goes on trying while the store does not answer, until the caller cancels it.
  private func extend(_ item: OutboxItem) async -> Bool {
    while !Task.isCancelled {
      do {
        return try await database.write(.readCommitted) { [owner, world, pace] tx in
          try OutboxStore(tx).extend(item, by: owner, until: world.now() + pace.leaseLifetime)
        }
      } catch { try? await Task.sleep(for: pace.beat / 20) }
    }
    return false
  }

  /// Writes how an attempt ended, patiently: an effect that was performed and not crossed off is performed again.
  private func settle(_ item: OutboxItem, _ write: @escaping @Sendable (OutboxStore, String) throws -> Bool) async {
    do {
      try await Deadline.run(pace.settleMax) {
        while true {
          do {
            // False: the lease was lost, or an earlier try of this loop did commit.
            _ = try await database.write(.readCommitted) { [owner] in try write(OutboxStore($0), owner) }
            return
          } catch is SQLError { try await Task.sleep(for: .milliseconds(250)) }
        }
      }
    } catch {
      // The lease is not extended any more: it is taken over.
      logger.error("outbox row kept its lease", metadata: ["topic": "\(item.topic)", "id": "\(item.id)"])
    }
  }

  /// 1 s, 2 s, 4 s … up to the maximum, each shortened by up to a quarter so that failures do not march in step.
  static func backoff(attempt: Int, world: World) -> Duration {
    let whole = min(Duration.seconds(1 << min(attempt - 1, 20)), backoffMax)
    return whole - whole * Int(world.number(below: 250)) / 1000
  }

  struct AttemptsSpent: FinalFailure {}
  /// The attempt took longer than `OutboxPace.attemptLifetimeMax`.
  struct Overdue: Error {}
}

/// An error that no repetition will cure: the effect becomes a dead letter at once.
package protocol FinalFailure: Error {}
