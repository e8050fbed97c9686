// SPDX-License-Identifier: Apache-2.0

import CPostgres
import Foundation
import Synchronization

/// Carries signals between nodes over one connection and one thread: it listens, and it tells the others.
///
/// A NOTIFY inside a transaction takes a lock that all notifying commits of the database queue for, so signals are sent
/// after the commit, from here, each name once however often it was signalled meanwhile. What is lost with a crash in
/// between is found by polling.
final class PostgresSignals: Sendable {
  private static let channel = "gatehouse"
  /// How long the thread waits before it looks whether its connection still stands.
  private static let pulse: Int32 = 30_000
  private static let pauses: [UInt32] = [50_000, 100_000, 200_000, 500_000, 1_000_000]

  private struct State {
    var outgoing: Set<String> = []
    var listenings = 0
    var isRunning = false
    var isClosed = false
  }

  let hub = SignalHub()
  private let settings: PostgresSettings
  private let application: String
  private let state = Mutex(State())
  /// A byte written here interrupts the thread's wait.
  private let wake = Pipe()
  /// The thread, while it has not ended.
  private let living = DispatchGroup()

  init(_ settings: PostgresSettings, application: String) {
    self.settings = settings
    self.application = application
  }

  /// Connections that have listened so far.
  var listenings: Int { state.withLock { $0.listenings } }

  /// Whether there is no thread, or none any more.
  var hasEnded: Bool { living.wait(timeout: .now()) == .success }

  func signals(_ name: String) -> AsyncStream<Void> {
    start()
    return hub.signals(name)
  }

  /// Rings here at once and on the other nodes as soon as the thread has told them.
  func send(_ names: Set<String>) {
    guard !names.isEmpty else { return }
    for name in names { hub.ring(name) }
    state.withLock { $0.outgoing.formUnion(names) }
    start()
    interrupt()
  }

  /// Lets the thread tell the others what was signalled, and waits for its end, for a while: a thread that is still in
  /// libpq when the process exits ends it by an abort.
  func close(patience: Duration) {
    let wasRunning = state.withLock { state in
      state.isClosed = true
      return state.isRunning
    }
    hub.close()
    guard wasRunning else { return }
    interrupt()
    _ = living.wait(timeout: .now() + patience.inSeconds)
  }

  private func start() {
    let starts = state.withLock { state in
      guard !state.isRunning, !state.isClosed else { return false }
      state.isRunning = true
      return true
    }
    guard starts else { return }
    _ = fcntl(wake.fileHandleForReading.fileDescriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(wake.fileHandleForWriting.fileDescriptor, F_SETFL, O_NONBLOCK)
    living.enter()
    Thread.start("pg-signals") { [self] in
      serve()
      living.leave()
    }
  }

  private func interrupt() {
    // A full pipe already holds a wake-up.
    _ = [UInt8(1)].withUnsafeBytes { write(wake.fileHandleForWriting.fileDescriptor, $0.baseAddress, 1) }
  }

  // MARK: The thread

  private func serve() {
    var failures = 0
    while true {
      do {
        let connection = try PostgresConnection(settings, application: "\(application) signals")
        defer { connection.close() }
        try connection.command("LISTEN \(Self.channel)")
        state.withLock { $0.listenings += 1 }
        // Signals may have been missed while no connection listened.
        hub.ringAll()
        while try exchange(on: connection) { failures = 0 }
        return
      } catch {
        // What could not be told waits for the next connection.
        if state.withLock({ $0.isClosed }) { return }
        usleep(Self.pauses[min(failures, Self.pauses.count - 1)])
        failures += 1
      }
    }
  }

  /// One turn: wait for a signal from either side, tell the others, hear them.
  /// - Returns: false at the end.
  private func exchange(on connection: PostgresConnection) throws -> Bool {
    let (outgoing, closed) = state.withLock { state in
      defer { state.outgoing = [] }
      return (state.outgoing, state.isClosed)
    }
    if !outgoing.isEmpty {
      // All that gathered while the last ones were told, in one trip and one of the server's queue.
      var names = SQLRows(.text("name"))
      for name in outgoing.sorted() { names.append(name) }
      // As a text, since an answer without a type could not be read.
      do { _ = try connection.run("SELECT pg_notify(\(Self.channel), n.name)::text AS told FROM \(names) AS n") } catch
      {
        // With the connection lost they are told over the next one; what the server refuses it would refuse again.
        if !connection.isUsable { state.withLock { $0.outgoing.formUnion(outgoing) } }
        throw error
      }
    }
    if closed { return false }
    guard PQconsumeInput(connection.handle) == 1, connection.isUsable else { throw PostgresFailure.lost("no answer") }
    let own = PQbackendPID(connection.handle)
    while let notice = PQnotifies(connection.handle) {
      if notice.pointee.be_pid != own { hub.ring(String(cString: notice.pointee.extra)) }
      PQfreemem(notice)
    }
    var sources = [
      pollfd(fd: PQsocket(connection.handle), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&sources, nfds_t(sources.count), Self.pulse) == 0 { try connection.command("SELECT 1") }
    if sources[1].revents != 0 {
      var drained = [UInt8](repeating: 0, count: 256)
      while read(sources[1].fd, &drained, drained.count) == drained.count {}
    }
    return true
  }
}
