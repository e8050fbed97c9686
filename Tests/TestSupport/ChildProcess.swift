// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

/// What a program has as its standard input, output or errors: an end of a pipe, or a file.
package protocol ProgramStream: AnyObject, Sendable {}

extension Pipe: ProgramStream {}
extension FileHandle: ProgramStream {}

/// A program in a process of its own, which is used as Foundation's `Process` is.
///
/// Foundation's gives a program whatever another thread opens while it is started, and learns of a program's end by a
/// socket which that program has. So a wait for one program lasted until other ones, which had its socket or an end of
/// its pipe, had ended as well: in a run of tests beside each other for ever (decision 267). This one closes
/// everything in the new process, and asks the system for its end.
///
/// What reads a program's output waits for the program. So that each wait has an end, a program that has not ended in
/// its time is killed with what it has started, which is an issue of the test that waits for it.
@dynamicMemberLookup
package final class ChildProcess: Sendable {
  /// How it is started. `ChildProcess` has these properties itself.
  package struct Options: Sendable {
    package var executableURL: URL?
    package var arguments: [String] = []
    /// Nil is that of this process.
    package var environment: [String: String]?
    package var currentDirectoryURL: URL?
    package var standardInput: any ProgramStream = FileHandle.standardInput
    package var standardOutput: any ProgramStream = FileHandle.standardOutput
    package var standardError: any ProgramStream = FileHandle.standardError
  }

  private struct State {
    /// 0 before it is started.
    var id: pid_t = 0
    var end: (reason: Process.TerminationReason, status: Int32)?
    /// Whether it was killed for its time.
    var isLate = false
  }

  private let options = Mutex(Options())
  private let state = Mutex(State())
  /// Is left when the program has ended.
  private let running = DispatchGroup()
  private let limit: Int

  /// - Parameter limit: seconds that it may run for.
  package init(limit: Int = 600) { self.limit = limit }

  package subscript<Value: Sendable>(dynamicMember path: any WritableKeyPath<Options, Value> & Sendable) -> Value {
    get { options.withLock { $0[keyPath: path] } }
    set { options.withLock { $0[keyPath: path] = newValue } }
  }

  /// One by one, because `#require` would not unwrap what goes to a dynamic member.
  package var executableURL: URL? {
    get { options.withLock { $0.executableURL } }
    set { options.withLock { $0.executableURL = newValue } }
  }

  /// Starts it. What it has of a pipe is closed here, as Foundation does.
  /// - Throws: `POSIXError` when there is no such program, or it cannot be started.
  package func run() throws {
    let options = options.withLock { $0 }
    let program = options.executableURL?.path ?? ""
    let environment = options.environment ?? ProcessInfo.processInfo.environment
    let arguments = ([program] + options.arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + variables { free(text) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var itsEnds: [FileHandle] = []
    let streams = [options.standardInput, options.standardOutput, options.standardError]
    for (number, stream) in zip(Int32(0)..., streams) {
      if let pipe = stream as? Pipe {
        let end = number == STDIN_FILENO ? pipe.fileHandleForReading : pipe.fileHandleForWriting
        posix_spawn_file_actions_adddup2(&actions, end.fileDescriptor, number)
        itsEnds.append(end)
      } else if stream === FileHandle.nullDevice {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      } else if let file = stream as? FileHandle, file.fileDescriptor != number {
        posix_spawn_file_actions_adddup2(&actions, file.fileDescriptor, number)
      }
    }
    if let folder = options.currentDirectoryURL { try Self.changeFolder(&actions, folder.path) }
    // In the new process, where no other thread opens anything.
    try Self.closeFrom(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, with which it is killed.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var id: pid_t = 0
    let failure = posix_spawn(&id, program, &actions, &attributes, arguments, variables)
    guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .ENOEXEC) }
    for end in itsEnds { try? end.close() }
    state.withLock { [id] in $0.id = id }
    running.enter()
    Thread.detachNewThread { [self, id] in awaitEnd(of: id) }
    Thread.detachNewThread { [self, id] in endWhenLate(id) }
  }

  private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

  /// Both are in glibc since 2.34, and not among what Swift sees of it.
  private static func changeFolder(_ actions: Actions, _ path: String) throws {
    guard let function = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else { throw POSIXError(.ENOSYS) }
    typealias Add = @convention(c) (Actions, UnsafePointer<CChar>) -> Int32
    _ = unsafeBitCast(function, to: Add.self)(actions, path)
  }

  private static func closeFrom(_ actions: Actions, _ first: Int32) throws {
    guard let function = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") else { throw POSIXError(.ENOSYS) }
    typealias Add = @convention(c) (Actions, Int32) -> Int32
    _ = unsafeBitCast(function, to: Add.self)(actions, first)
  }

  /// Waits on a thread of its own.
  private func awaitEnd(of id: pid_t) {
    var found = siginfo_t()
    // The number stays the program's until it is asked for below, where nothing is sent to it meanwhile.
    while waitid(P_PID, id_t(id), &found, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7f
      state.end = signal == 0 ? (.exit, (status >> 8) & 0xff) : (.uncaughtSignal, signal)
    }
    running.leave()
  }

  /// Waits on a thread of its own.
  private func endWhenLate(_ id: pid_t) {
    guard running.wait(timeout: .now() + .seconds(limit)) == .timedOut else { return }
    state.withLock { state in
      guard state.end == nil else { return }
      state.isLate = true
      kill(-id, SIGKILL)
    }
    FileHandle.standardError.write(Data("\(lateness)\n".utf8))
  }

  private var lateness: String {
    let name = executableURL?.lastPathComponent ?? ""
    return "\(([name] + self.arguments).joined(separator: " ")) had not ended after \(limit) s and was killed"
  }

  package var processIdentifier: pid_t { state.withLock { $0.id } }

  package var isRunning: Bool { state.withLock { $0.id > 0 && $0.end == nil } }

  package func terminate() {
    state.withLock { state in
      if state.id > 0, state.end == nil { kill(state.id, SIGTERM) }
    }
  }

  package func waitUntilExit() {
    running.wait()
    if state.withLock({ $0.isLate }) { Issue.record("\(lateness)") }
  }

  /// Waits for its end.
  /// - Returns: what it left with, or the signal that ended it.
  package var terminationStatus: Int32 { ended.status }

  /// Waits for its end.
  package var terminationReason: Process.TerminationReason { ended.reason }

  private var ended: (reason: Process.TerminationReason, status: Int32) {
    running.wait()
    guard let end = state.withLock({ $0.end }) else { preconditionFailure("It was started.") }
    return end
  }
}
