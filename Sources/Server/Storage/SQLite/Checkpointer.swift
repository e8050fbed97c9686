// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDBSQLite
import Synchronization

/// Moves pages from the write-ahead log into the file, on a connection and a thread of its own: by itself SQLite does
/// that inside a commit, and all who wait for that commit and for those behind it wait for megabytes.
final class Checkpointer: Sendable {
  /// Pages in the log from which on they are moved, a moment later.
  private static let pagesMin = 1000
  /// Pages from which on they are moved at once. Under load each pass writes most of the pages that are in use, so fewer
  /// passes are fewer writes, with which every sync of the log competes for the disk.
  private static let pagesMax = 8000
  private static let moment = DispatchTimeInterval.seconds(1)
  /// Pages of a log that is shortened also while others write: it grew for a reader of an older moment, say, or was
  /// filled faster than it was moved.
  private static let lengthMax = 2 * pagesMax
  /// Pages by which it is shortened at once. To give back hundreds of megabytes takes a fifth of a second, in which no
  /// commit can begin (decision 200).
  private static let step = 1000
  /// Pages that may be left to move when the writer is held up for them, so that the log can begin anew.
  private static let restMax = 250

  private struct State {
    var isDue = false
    var isUrgent = false
    var isStopped = false
    var isClosed = false
    var isRunning = false
  }

  private let path: String
  private let state = Mutex(State())
  private let notifier = DispatchSemaphore(value: 0)
  private let hurry = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  init(path: String) { self.path = path }

  /// Looks after the log of a writing connection; SQLite's own way ends there.
  func watch(_ connection: OpaquePointer?) {
    // The connection's own configuration keeps the checkpointer for as long as the connection is open.
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      connection,
      { context, _, _, pages in
        if let context, pages >= Checkpointer.pagesMin {
          Unmanaged<Checkpointer>.fromOpaque(context).takeUnretainedValue().wake(pages)
        }
        return SQLITE_OK
      }, context)
  }

  /// Moves nothing any more, from the next pass on.
  func stop() { state.withLock { $0.isStopped = true } }

  /// Ends the thread, once what it moves is moved.
  func close() {
    let wasRunning = state.withLock { state in
      defer { (state.isClosed, state.isRunning) = (true, false) }
      return state.isRunning
    }
    guard wasRunning else { return }
    notifier.signal()
    hurry.signal()
    ended.wait()
  }

  private func wake(_ pages: CInt) {
    let (isFirst, isUrgent, starts) = state.withLock { state in
      guard !state.isClosed, !state.isStopped else { return (false, false, false) }
      let (isFirst, isUrgent) = (!state.isDue, pages >= Self.pagesMax && !state.isUrgent)
      let starts = !state.isRunning
      (state.isDue, state.isRunning) = (true, true)
      if isUrgent { state.isUrgent = true }
      return (isFirst, isUrgent, starts)
    }
    if starts {
      Thread.start("checkpoints") { [self] in serve() }
    }
    if isFirst { notifier.signal() }
    if isUrgent { hurry.signal() }
  }

  // MARK: The thread

  private func serve() {
    defer { ended.signal() }
    var log: LogCheckpoint?
    // Closed before the end is told of: the writer's connection closes after it, and the last one decides about the log.
    defer { log = nil }
    var mayBeEmptied = false
    while true {
      // A log that keeps its length is emptied in the first moment in which too little was written to be due.
      if mayBeEmptied, notifier.wait(timeout: .now() + Self.moment) == .timedOut {
        mayBeEmptied = log.map { !empty($0) } ?? false
        continue
      }
      if !mayBeEmptied { notifier.wait() }
      // A hurry that was left over from the last time only makes this one early.
      _ = hurry.wait(timeout: .now() + Self.moment)
      if state.withLock({ $0.isClosed }) { return }
      if log == nil { log = LogCheckpoint(path: path) }
      if let log { checkpoint(log) }
      mayBeEmptied = true
      // What is written from now on is due again.
      state.withLock { ($0.isDue, $0.isUrgent) = (false, false) }
    }
  }

  private func checkpoint(_ log: LogCheckpoint) {
    shorten(log)
    var (known, added) = (0, Int.max)
    while !state.withLock({ $0.isStopped }) {
      // Beside the writer, who goes on. A reader of an older moment needs the log as it is: then it grows until he ends.
      guard let (pages, moved) = log.move(), moved == pages else { return }
      // Nothing was written meanwhile, so the next commit begins the log anew. Or it began anew already.
      guard pages > known else { return }
      let before = added
      (known, added) = (pages, pages - known)
      if added <= Self.restMax || added >= before { break }
    }
    guard !state.withLock({ $0.isStopped }) else { return }
    _ = log.moveAll()
  }

  /// Gives back what a long log that began anew does not use, in steps between which others write. One that is not long
  /// is written over, which costs less than to let the file grow again.
  private func shorten(_ log: LogCheckpoint) {
    guard logPages > Self.lengthMax else { return }
    let file = open("\(path)-wal", O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { _ = Foundation.close(file) }
    while true {
      let (now, pages) = (logPages, max(logPages - Self.step, Self.lengthMax))
      guard pages < now, !state.withLock({ $0.isStopped || $0.isClosed }) else { return }
      // The writer's lock: what is used stays as it is found.
      let isGiven = log.holdingWriter {
        WriteAheadLog.isFree(from: pages, of: file) && ftruncate(file, off_t(WriteAheadLog.size(pages))) == 0
      }
      guard isGiven == true else { return }
      usleep(2000)
    }
  }

  /// Empties a log that is not filled any more: what stands in it is not needed, and perhaps erased.
  /// - Returns: false when someone still reads in it, or writes.
  private func empty(_ log: LogCheckpoint) -> Bool {
    guard !state.withLock({ $0.isStopped || $0.isClosed }), logPages > Self.pagesMin else { return true }
    guard let (pages, moved) = log.move(), moved == pages else { return false }
    guard !state.withLock({ $0.isStopped }) else { return true }
    return log.empty()
  }

  private var logPages: Int { WriteAheadLog.pages(logSize) }

  /// Bytes of the log's file.
  var logSize: Int64 {
    var found = stat()
    return stat("\(path)-wal", &found) == 0 ? Int64(found.st_size) : 0
  }
}
