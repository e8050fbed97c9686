// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import Synchronization

/// Where pictures are decoded and read.
package enum EvidenceExecution: Sendable {
  /// In this process, where a fault of a library ends the whole server. For command-line tools and tests, and for a
  /// server only by a setting of that name.
  case inProcess
  /// In child processes without network and with limits, started by this command.
  case workers(command: [String])

  /// This program, started again as a worker.
  package static let thisProgram = EvidenceExecution.workers(command: ["/proc/self/exe", "evidence-worker"])
}

/// When the server gives a worker up.
package struct WorkerLimits: Sendable {
  /// A worker is replaced after so many pictures, for what libraries leak.
  package var pagesMax = 500
  /// For one picture; more than a worker's own limit of the processor, for a busy machine.
  package var deadline = Duration.seconds(120)

  package init() {}
}

/// Child processes that read pictures. As many of each kind run as callers want at once, which their `EvidenceQueue`
/// bounds: those that have what all other threads leave of the processors cannot have more again.
package final class WorkerPool: Sendable {
  package struct Counts: Sendable, Equatable {
    /// Child processes that there are now.
    package var workers = 0
    package var pages = 0
    package var starts = 0
    /// Workers that ended or were ended while they read a picture.
    package var losses = 0
    package var seconds = 0.0
  }

  private struct State {
    var idle: [WorkerProcess] = []
    var counts = Counts()
  }

  private let command: [String]
  private let settings: EvidenceSettings
  private let limits: WorkerLimits
  private let state = Mutex(State())

  init(command: [String], settings: EvidenceSettings, limits: WorkerLimits) {
    self.command = command
    self.settings = settings
    self.limits = limits
  }

  package var counts: Counts { state.withLock(\.counts) }

  /// Processes that wait for a picture.
  var idleProcesses: [pid_t] { state.withLock { $0.idle.map(\.process) } }

  /// Runs one task in a worker, on the calling thread.
  /// - Parameter isBackground: whether its worker has what all others leave of the processors.
  /// - Throws: `ImageProblem.notDecodable` also when the worker was lost; `EvidenceQueue.Busy` when it did not answer
  ///   in time; `CVisionFailure` when none can be started.
  func run<Value: Codable>(
    _ task: EvidenceTask, _ bytes: Data, as type: Value.Type, isBackground: Bool
  ) throws -> Value {
    let worker = try idle(isBackground) ?? started(isBackground)
    let start = ContinuousClock.now
    do {
      try worker.channel.send(EvidenceRequest(task: task, bytes: bytes))
      let reply = try worker.channel.receive(EvidenceReply<Value>.self, before: start + limits.deadline)
      count(start, lost: false)
      if worker.countPage() < limits.pagesMax {
        state.withLock { $0.idle.append(worker) }
      } else {
        state.withLock { $0.counts.workers -= 1 }
      }
      return try reply.get()
    } catch is WorkerChannel.Closed {
      // The worker is ended with the last reference to it.
      count(start, lost: true)
      throw ImageProblem.notDecodable
    } catch is WorkerChannel.TimedOut {
      // One that had used the processor for as long as it may would have been ended by that limit: this one did not
      // get the processor, which is no fault of the picture.
      count(start, lost: true)
      throw EvidenceQueue.Busy()
    }
  }

  /// The worker of its kind that was used last, unless it has ended since.
  private func idle(_ isBackground: Bool) -> WorkerProcess? {
    while let worker = state.withLock({ state in
      state.idle.lastIndex { $0.isBackground == isBackground }.map { state.idle.remove(at: $0) }
    }) {
      if worker.isAlive { return worker }
      state.withLock { $0.counts.workers -= 1 }
    }
    return nil
  }

  private func started(_ isBackground: Bool) throws -> WorkerProcess {
    let worker = try WorkerProcess(command: command, isBackground: isBackground)
    state.withLock { $0.counts.starts += 1 }
    try worker.channel.send(settings)
    state.withLock { $0.counts.workers += 1 }
    return worker
  }

  private func count(_ start: ContinuousClock.Instant, lost: Bool) {
    let spent = start.duration(to: .now).components
    state.withLock {
      $0.counts.pages += 1
      if lost {
        $0.counts.losses += 1
        $0.counts.workers -= 1
      }
      $0.counts.seconds += Double(spent.seconds) + Double(spent.attoseconds) / 1e18
    }
  }
}

/// One child process. It belongs to one caller at a time, and is ended and waited for with the last reference to it.
final class WorkerProcess: Sendable {
  let channel: WorkerChannel
  let process: pid_t
  let isBackground: Bool
  private let state = Mutex((pages: 0, hasEnded: false))

  /// - Throws: `CVisionFailure` when the program cannot be started.
  init(command: [String], isBackground: Bool) throws {
    // No variable of the server, which may hold secrets.
    let inherited = ["PATH", "LD_LIBRARY_PATH", "TESSDATA_PREFIX", "LANG"]
    // The libraries read the limit of threads when they are loaded, which is before the worker runs.
    let environment =
      inherited.compactMap { name in getenv(name).map { name + "=" + String(cString: $0) } } + ["OMP_THREAD_LIMIT=1"]
    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    var (id, end): (Int32, Int32) = (0, 0)
    let isStarted = cvision_spawn(&arguments, &variables, isBackground ? 1 : 0, &id, &end)
    (arguments + variables).forEach { free($0) }
    guard isStarted != 0 else { throw CVisionFailure(reason: "no worker can be started") }
    (process, self.isBackground) = (id, isBackground)
    channel = WorkerChannel(input: end, output: end, isServer: true)
  }

  /// - Returns: how many pages it has read, with the one of now.
  func countPage() -> Int {
    state.withLock {
      $0.pages += 1
      return $0.pages
    }
  }

  var isAlive: Bool {
    state.withLock {
      var status: Int32 = 0
      if !$0.hasEnded, waitpid(process, &status, WNOHANG) != 0 { $0.hasEnded = true }
      return !$0.hasEnded
    }
  }

  deinit {
    close(channel.input)
    guard !state.withLock(\.hasEnded) else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
