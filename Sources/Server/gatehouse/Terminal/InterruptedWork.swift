// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a command does that is told to end by SIGINT or SIGTERM: it removes what is unfinished, tells that it was
/// ended, and ends. An unfinished backup or export is a copy of customers' data that no erasure reaches.
enum InterruptedWork {
  private struct State {
    var isWatched = false
    var isJSON: Bool?
    var unfinished: [String] = []
    var isLast = false
  }

  private static let queue = DispatchQueue(label: "gatehouse.ended-work")
  private static let state = Mutex(State())

  /// From now on until the process ends.
  static func tell(asJSON: Bool) {
    state.withLock { $0.isJSON = asJSON }
    watch()
  }

  /// A folder or a file that is unfinished as long as it has this name.
  static func remove(_ path: String) {
    state.withLock { $0.unfinished.append(path) }
    watch()
  }

  /// What follows takes a moment and is not to be ended half-way. Where a removal has begun, this waits for its end,
  /// which is that of the process: the next step would find half of its files gone.
  static func goOn() { queue.sync { state.withLock { $0.isLast = true } } }

  private static func watch() {
    let isFirst = state.withLock { state in
      defer { state.isWatched = true }
      return !state.isWatched
    }
    guard isFirst else { return }
    let registered = DispatchSemaphore(value: 0)
    for number in [SIGINT, SIGTERM] where !isPassedOver(number) {
      // The source sees the signal only while the system does not end the process for it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { end(by: number) }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      // On Linux a source sets a handler of its own, on another thread: that of a hidden input comes after it.
      _ = registered.wait(timeout: .now() + .seconds(1))
      // It stays as long as the process.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
    // The work fails once its folder is gone, and its command would end in the midst of the removal.
    atexit { InterruptedWork.queue.sync {} }
  }

  /// Shells start what runs in the background so, and `nohup` does with other signals.
  private static func isPassedOver(_ number: Int32) -> Bool {
    let before = signal(number, SIG_DFL)
    defer { signal(number, before) }
    return unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func end(by number: Int32) {
    let state = state.withLock { $0 }
    guard !state.isLast else {
      return say("The last step is being taken, and the command ends with it.", state, by: nil)
    }
    for path in state.unfinished { clear(path) }
    say(
      """
      Ended by \(number == SIGINT ? "SIGINT" : "SIGTERM") before it was done. The store keeps what was committed, and \
      nothing of the rest: look what there is, and give the command again.
      """, state, by: number)
    leave(by: number, clearing: state.unfinished)
  }

  private static func say(_ words: String, _ state: State, by number: Int32?) {
    guard let isJSON = state.isJSON else { return }
    var line = "Error: \(words)"
    if isJSON {
      // As a shell sees a process that a signal ended.
      guard let number, let json = try? CommandJSON.line(Document(error: .init(exitCode: 128 + number, message: words)))
      else { return }
      line = json
    } else if isatty(STDERR_FILENO) == 1 {
      // Over what was shown of the progress (ECMA-48, EL).
      line = "\r\u{1B}[K\(line)"
    }
    StandardError.write("\(line)\n")
  }

  /// The path leaves its name in one step: work that gives it its own name meanwhile either did so whole, or cannot. An
  /// empty file takes its place, so that work that goes on until the process ends cannot make it anew.
  private static func clear(_ path: String) {
    let ended = "\(path).new"
    for _ in 0..<100 {
      _ = rename(path, ended)
      let place = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
      try? FileManager.default.removeItem(atPath: ended)
      if place >= 0 {
        close(place)
        return
      }
    }
  }

  /// Ends the process by the signal itself, so that a shell sees why. Threads of a queue block all signals, and one that
  /// is blocked would end nothing.
  private static func leave(by number: Int32, clearing paths: [String]) {
    // The source may have the signal before the handler of a hidden input has it.
    SecretInput.restoreEcho()
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for path in paths { unlink(path) }
    raise(number)
  }

  private struct Document: Encodable {
    struct Fault: Encodable {
      let code = "ended"
      let exitCode: Int32
      let message: String
    }

    let error: Fault
  }
}
