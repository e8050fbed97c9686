import Foundation
import Synchronization

/// Puts SQLite's write-ahead log on the disk, for commits that wait for that outside their transaction. By itself SQLite
/// waits for the disk inside a commit, and with it everybody who wants to write; here the next transaction is carried
/// out meanwhile, and what is committed while the disk is busy shares the next sync.
///
/// A commit can be seen before it is on the disk, so whoever has read waits too, should there be one on its way: nobody
/// hears of anything that a power loss could take back.
final class LogSyncer: Sendable {
  /// Puts what was written to a file on its disk; false when the disk refuses.
  typealias Sync = @Sendable (CInt) -> Bool

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
    /// A disk that once refused may say that all is well the next time, and have dropped what it refused.
    var isBroken = false
  }

  private let log: CInt
  private let sync: Sync
  private let state = Mutex(State())
  /// Who has asked to write and was not answered yet.
  private let writers = Atomic(0)
  /// The last commit that may be seen.
  private let begun = Atomic<Commit>(0)
  /// The last one that is over.
  private let ended = Atomic<Commit>(0)
  /// The last one that is on the disk.
  private let synced = Atomic<Commit>(0)
  private let bell = DispatchSemaphore(value: 0)
  private let over = DispatchSemaphore(value: 0)

  /// - Parameter path: the database's; its log is there.
  init(path: String, sync: @escaping Sync) throws {
    log = Foundation.open("\(path)-wal", O_RDONLY | O_CLOEXEC)
    guard log >= 0 else { throw SQLError.unreachable("the log cannot be opened") }
    self.sync = sync
  }

  deinit { _ = Foundation.close(log) }

  // MARK: Writing

  /// Who asks to write, for as long as `body` takes.
  func writing<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard !state.withLock({ $0.isBroken }) else { throw Self.refusal }
    writers.add(1, ordering: .relaxed)
    defer { writers.subtract(1, ordering: .relaxed) }
    return try await body()
  }

  /// Called by the one who writes just before a commit, which may be seen from then on.
  func willCommit() -> Commit { begun.add(1, ordering: .sequentiallyConsistent).newValue }

  /// Called by the one who writes as soon as a commit is over, whether it succeeded or not.
  func didCommit(_ commit: Commit) {
    ended.store(commit, ordering: .sequentiallyConsistent)
    // Nobody could write meanwhile: another thread would only be a detour.
    guard writers.load(ordering: .relaxed) > 1 else { return syncAll() }
    let (rings, starts) = state.withLock { state in
      guard !state.isClosed else { return (false, false) }
      defer { state.isRunning = true }
      return (true, !state.isRunning)
    }
    guard rings else { return syncAll() }
    if starts {
      Thread.start("log syncs") { [self] in serve() }
    }
    bell.signal()
  }

  // MARK: Waiting

  /// Returns once a commit is on the disk.
  /// - Throws: `SQLError.uncertain` when the disk refused it.
  func wait(for commit: Commit) async throws {
    guard synced.load(ordering: .sequentiallyConsistent) < commit else { return }
    try await withCheckedThrowingContinuation { turn in
      let now: Result<Void, any Error>? = state.withLock { state in
        if synced.load(ordering: .sequentiallyConsistent) >= commit { return .success(()) }
        if state.isBroken { return .failure(SQLError.uncertain) }
        state.waiting.append(Waiting(commit: commit, turn: turn))
        return nil
      }
      if let now { turn.resume(with: now) }
    }
  }

  /// Returns once everything that can have been read by now is on the disk.
  func waitForAllSeen() async throws {
    do { try await wait(for: begun.load(ordering: .sequentiallyConsistent)) } catch SQLError.uncertain {
      throw Self.refusal
    }
  }

  private static let refusal = SQLError.unreachable("the disk refused a part of the log; start again to see what it has")

  // MARK: Syncing

  private func serve() {
    defer { over.signal() }
    while true {
      bell.wait()
      if state.withLock({ $0.isClosed }) { return }
      syncAll()
    }
  }

  private func syncAll() {
    let last = ended.load(ordering: .sequentiallyConsistent)
    guard last > synced.load(ordering: .sequentiallyConsistent) else { return }
    let succeeded = sync(log)
    let (told, refused): ([Waiting], [Waiting]) = state.withLock { state in
      if !succeeded { state.isBroken = true }
      guard !state.isBroken else {
        defer { state.waiting = [] }
        return ([], state.waiting)
      }
      if last > synced.load(ordering: .sequentiallyConsistent) { synced.store(last, ordering: .sequentiallyConsistent) }
      let told = state.waiting.filter { $0.commit <= last }
      state.waiting.removeAll { $0.commit <= last }
      return (told, [])
    }
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
      bell.signal()
      over.wait()
    }
    syncAll()
  }
}
