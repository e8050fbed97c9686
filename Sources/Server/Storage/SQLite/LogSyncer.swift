// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Puts SQLite's write-ahead log on the disk, for commits that wait for that outside their transaction. By itself SQLite
/// waits for the disk inside a commit, and with it every other writer; here the next transaction is carried
/// out meanwhile, and what is committed while the disk is busy shares the next sync.
///
/// A commit can be seen before it is on the disk, so a reader waits too when one is on its way: no caller
/// hears of anything that a power loss could take back.
final class LogSyncer: Sendable {
  /// Puts what was written to a file on its disk; 0, or the error's number when the disk refuses.
  typealias Sync = @Sendable (CInt) -> CInt

  /// The number of a commit, counted from 1.
  typealias Commit = UInt64

  private struct Waiting {
    let commit: Commit
    let turn: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isRunning = false
    var isClosed = false
    /// Of the disk that refused. It may say that all is well the next time, and have dropped what it refused.
    var broken: CInt?
  }

  private let path: String
  /// The log, opened by the thread and by who writes: the system tells each of them once that the disk refused.
  private let (log, writersLog): (CInt, CInt)
  private let sync: Sync
  private let whenBroken: @Sendable () -> Void
  private let state = Mutex(State())
  /// Who has asked to write and was not answered yet.
  private let writers = Atomic(0)
  /// The last commit that may be seen.
  private let begun = Atomic<Commit>(0)
  /// The last one that is over.
  private let committed = Atomic<Commit>(0)
  /// The last one that is on the disk.
  private let synced = Atomic<Commit>(0)
  private let notifier = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - path: the database's; its log is there.
  ///   - whenBroken: called when the disk refuses, perhaps twice.
  /// - Throws: `SQLError.unreachable` when there is no log.
  init(path: String, sync: @escaping Sync, whenBroken: @escaping @Sendable () -> Void) throws {
    self.path = path
    (log, writersLog) = (Self.open(path, O_RDONLY), Self.open(path, O_RDONLY))
    (self.sync, self.whenBroken) = (sync, whenBroken)
    // Everything is set: should it throw now, what was opened is closed.
    guard log >= 0, writersLog >= 0 else { throw SQLError.unreachable("the log cannot be opened") }
  }

  deinit { for file in [log, writersLog] where file >= 0 { _ = Foundation.close(file) } }

  private static func open(_ path: String, _ flags: CInt) -> CInt {
    Foundation.open("\(path)-wal", flags | O_CLOEXEC)
  }

  /// Writes the log once more and syncs it: what it has from before may never have reached the disk, after a kill or a
  /// disk that refused, and the system would not report it again. To be called while no other thread can write.
  /// - Throws: `SQLError.unreachable` when the disk refuses.
  func renew() throws {
    let file = Self.open(path, O_RDWR)
    guard file >= 0 else { throw SQLError.unreachable("the log cannot be opened") }
    defer { _ = Foundation.close(file) }
    var place: off_t = 0
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = piece.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, place) }
      if count == 0 { break }
      let written = piece.withUnsafeBytes { count > 0 ? pwrite(file, $0.baseAddress, count, place) : -1 }
      guard written == count else { throw Self.refusal(errno) }
      place += off_t(count)
    }
    let error = sync(file)
    guard error == 0 else { throw Self.refusal(error) }
  }

  // MARK: Writing

  /// Who asks to write, for as long as `body` takes.
  func writing<Value>(_ body: () async throws -> Value) async throws -> Value {
    writers.add(1, ordering: .relaxed)
    defer { writers.subtract(1, ordering: .relaxed) }
    return try await body()
  }

  /// Called by the one who writes before each transaction.
  /// - Throws: `SQLError.unreachable` when the disk has refused a commit: those that follow it in the log would be lost
  ///   with it.
  func willWrite() throws {
    if let error = broken { throw Self.refusal(error) }
  }

  /// Called by the one who writes just before a commit, which may be seen from then on.
  func willCommit() -> Commit { begun.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Called by the one who writes as soon as a commit is over, whether it succeeded or not.
  func didCommit(_ commit: Commit) {
    committed.store(commit, ordering: .sequentiallyConsistent)
    // No other thread could write meanwhile: using one would only be a detour.
    guard writers.load(ordering: .relaxed) > 1 else { return syncAll(writersLog) }
    let (rings, starts) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    guard rings else { return syncAll(writersLog) }
    if starts {
      Thread.start("log syncs") { [self] in serve() }
    }
    notifier.signal()
  }

  // MARK: Waiting

  /// Returns once a commit is on the disk.
  /// - Throws: `SQLError.uncertain` when the disk refused it.
  func wait(for commit: Commit) async throws {
    guard synced.load(ordering: .sequentiallyConsistent) < commit else { return }
    try await withCheckedThrowingContinuation { turn in
      let now: Result<Void, any Error>? = state.withLock { state in
        if synced.load(ordering: .sequentiallyConsistent) >= commit { return .success(()) }
        if state.broken != nil { return .failure(SQLError.uncertain) }
        state.waiting.append(Waiting(commit: commit, turn: turn))
        return nil
      }
      if let now { turn.resume(with: now) }
    }
  }

  /// Returns once everything that can have been read by now is on the disk.
  /// - Throws: `SQLError.unreachable` when the disk refused it.
  func waitForAllSeen() async throws { try await wait(forSeen: lastSeen) }

  /// The last commit that can have been read by now.
  var lastSeen: Commit { begun.load(ordering: .sequentiallyConsistent) }

  /// Returns once that commit, which a reader may have seen, is on the disk.
  /// - Throws: `SQLError.unreachable` when the disk refused it.
  func wait(forSeen commit: Commit) async throws {
    do { try await wait(for: commit) } catch SQLError.uncertain { throw Self.refusal(broken ?? 0) }
  }

  var broken: CInt? { state.withLock { $0.broken } }

  private static func refusal(_ error: CInt) -> SQLError {
    .unreachable("the disk refused a part of the log (error \(error)); start again to see what it has")
  }

  // MARK: Syncing

  private func serve() {
    defer { ended.signal() }
    while true {
      notifier.wait()
      if state.withLock({ $0.isClosed }) { return }
      syncAll(log)
    }
  }

  private func syncAll(_ file: CInt) {
    let last = committed.load(ordering: .sequentiallyConsistent)
    guard last > synced.load(ordering: .sequentiallyConsistent) else { return }
    let error = sync(file)
    let (told, refused): ([Waiting], [Waiting]) = state.withLock { state in
      if error != 0, state.broken == nil {
        state.broken = error
        // One that never comes: whatever is read from now on waits for it, and hears why it does not come.
        begun.add(1, ordering: .sequentiallyConsistent)
      }
      guard state.broken == nil else {
        defer { state.waiting = [] }
        return ([], state.waiting)
      }
      if last > synced.load(ordering: .sequentiallyConsistent) { synced.store(last, ordering: .sequentiallyConsistent) }
      let told = state.waiting.filter { $0.commit <= last }
      state.waiting.removeAll { $0.commit <= last }
      return (told, [])
    }
    if error != 0 { whenBroken() }
    for one in told { one.turn.resume() }
    for one in refused { one.turn.resume(throwing: SQLError.uncertain) }
  }

  /// Ends the thread. What is committed later is synced by who commits it.
  func close() {
    let wasRunning = state.withLock { state in
      defer { (state.isClosed, state.isRunning) = (true, false) }
      return state.isRunning
    }
    if wasRunning {
      notifier.signal()
      ended.wait()
    }
    syncAll(log)
  }
}
