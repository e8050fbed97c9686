// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// The connections and their threads. libpq blocks, so each connection has a thread of its own that takes one piece of
/// work after the other from a common queue; Swift's cooperative pool never waits for the network.
final class PostgresPool: Sendable {
  /// What runs on a connection's thread; it gets the reason when no connection could be made.
  private typealias Work = @Sendable (Result<PostgresConnection, PostgresFailure>) -> Void

  private struct Waiting: Sendable {
    let since: ContinuousClock.Instant
    let work: Work
    /// Told instead when the wait was too long or the pool closes.
    let refuse: @Sendable (PostgresFailure) -> Void
  }

  private struct State {
    var waiting: [Waiting] = []
    var threads = 0
    var idle = 0
    var open = 0
    var isClosed = false
    /// Whether a thread watches the deadline of the first waiting caller.
    var isWatched = false
  }

  private let settings: PostgresSettings
  private let application: String
  private let state = Mutex(State())
  /// One signal for each piece of work, and one for each thread at the end.
  private let arrivals = DispatchSemaphore(value: 0)
  /// Threads that have not ended.
  private let living = DispatchGroup()

  init(_ settings: PostgresSettings, application: String) {
    self.settings = settings
    self.application = application
  }

  var use: PoolUse {
    state.withLock {
      PoolUse(max: settings.connectionsMax, open: $0.open, busy: $0.threads - $0.idle, waiting: $0.waiting.count)
    }
  }

  /// Runs `body` on a connection, on its thread.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      enqueue(
        Waiting(
          since: .now,
          work: { connection in continuation.resume(with: Result { try body(connection.get()) }) },
          refuse: { continuation.resume(throwing: $0) }))
    }
  }

  /// Lets running work end and waits for its threads, for a while: a thread that is still in libpq when the process
  /// exits ends it by an abort. What waits for a connection is refused.
  func close(patience: Duration) {
    let (refused, threads) = state.withLock { state in
      defer { (state.waiting, state.isClosed) = ([], true) }
      return (state.waiting, state.threads)
    }
    for waiting in refused { waiting.refuse(.refused(.engine("the database was closed"))) }
    for _ in 0..<threads { arrivals.signal() }
    _ = living.wait(timeout: .now() + patience.inSeconds)
  }

  // MARK: Waiting

  /// Refuses each waiting caller at its deadline, also while every thread hangs on a server that does not
  /// answer. All wait equally long, so the first to come is the first to go.
  private func watchDeadlines() {
    let first: ContinuousClock.Instant? = state.withLock { state in
      guard !state.isWatched, let first = state.waiting.first else { return nil }
      state.isWatched = true
      return first.since
    }
    guard let first else { return }
    let rest = ContinuousClock.now.duration(to: first + settings.waitMax)
    // Holds on to the pool: those who wait in it must hear of their end.
    DispatchQueue.global().asyncAfter(deadline: .now() + max(0, rest.inSeconds)) { [self] in
      refuseOverdue()
      watchDeadlines()
    }
  }

  private func refuseOverdue() {
    let overdue = state.withLock { state in
      state.isWatched = false
      let now = ContinuousClock.now
      let overdue = Array(state.waiting.prefix { $0.since + settings.waitMax <= now })
      state.waiting.removeFirst(overdue.count)
      return overdue
    }
    for waiting in overdue { waiting.refuse(.refused(.busy)) }
  }

  // MARK: Threads

  private func enqueue(_ waiting: Waiting) {
    enum Answer { case refused(PostgresFailure), queued(newThread: Bool) }
    let answer: Answer = state.withLock { state in
      guard !state.isClosed else { return .refused(.refused(.engine("the database was closed"))) }
      guard state.waiting.count < settings.waitingMax else { return .refused(.refused(.busy)) }
      state.waiting.append(waiting)
      // Each idle thread takes one; a thread is made when more wait than can be taken at once.
      guard state.waiting.count > state.idle, state.threads < settings.connectionsMax else {
        return .queued(newThread: false)
      }
      state.threads += 1
      state.idle += 1
      return .queued(newThread: true)
    }
    switch answer {
    case .refused(let failure): waiting.refuse(failure)
    case .queued(let newThread):
      watchDeadlines()
      if newThread {
        living.enter()
        Thread.start("postgres") { [self] in
          serve()
          living.leave()
        }
      }
      arrivals.signal()
    }
  }

  /// The life of one thread: it ends when it had nothing to do for the idle time, or the pool closes.
  private func serve() {
    var connection: PostgresConnection?
    defer {
      if connection != nil { state.withLock { $0.open -= 1 } }
      connection?.close()
    }
    while true {
      let timedOut = arrivals.wait(timeout: .now() + settings.idleTimeout.inSeconds) == .timedOut
      let next: Waiting? = state.withLock { state in
        guard !state.waiting.isEmpty else {
          if timedOut || state.isClosed {
            state.threads -= 1
            state.idle -= 1
          }
          return nil
        }
        state.idle -= 1
        return state.waiting.removeFirst()
      }
      guard let next else {
        // A signal without work was meant for a caller who does not wait any more, for a thread that went idle at the
        // same moment, or for the end.
        if timedOut || state.withLock({ $0.isClosed }) { return }
        continue
      }
      next.work(usable(&connection))
      state.withLock { $0.idle += 1 }
    }
  }

  private func usable(_ connection: inout PostgresConnection?) -> Result<PostgresConnection, PostgresFailure> {
    if let connection, connection.isUsable, connection.isIdle { return .success(connection) }
    if let old = connection {
      old.close()
      connection = nil
      state.withLock { $0.open -= 1 }
    }
    do {
      let made = try PostgresConnection(settings, application: application)
      connection = made
      state.withLock { $0.open += 1 }
      return .success(made)
    } catch { return .failure(error as? PostgresFailure ?? .lost("\(type(of: error))")) }
  }
}

/// How much of a pool is in use.
package struct PoolUse: Sendable {
  /// Connections that may be open.
  package let max: Int
  package let open: Int
  /// Connections that have work.
  package let busy: Int
  /// Transactions that wait for one.
  package let waiting: Int
}
