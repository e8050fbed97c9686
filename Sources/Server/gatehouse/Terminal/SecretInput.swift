// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A line of standard input that no terminal shows: a password or another secret.
enum SecretInput {
  private static let isHidden = Atomic(false)

  /// Gives the terminal its echo back, for who ends the process while a line is read.
  static func restoreEcho() {
    if isHidden.load(ordering: .acquiring) { tcsetattr(STDIN_FILENO, TCSANOW, terminalBefore) }
  }

  /// Whether a person types, who cannot see what.
  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// - Parameter prompt: shown at a terminal only, as in `Password`.
  /// - Returns: nil at the end of the input.
  static func read(_ prompt: String) -> String? {
    guard isTyped, tcgetattr(STDIN_FILENO, terminalBefore) == 0 else { return readLine() }
    var hidden = terminalBefore.pointee
    hidden.c_lflag &= ~tcflag_t(ECHO)
    hidden.c_lflag |= tcflag_t(ECHONL)
    // An interrupt restores the echo of the terminal before the command ends. A stop (SIGTSTP) would not.
    let ends = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { ($0, signal($0, restoreAndEnd)) }
    let stop = signal(SIGTSTP, SIG_IGN)
    isHidden.store(true, ordering: .releasing)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, terminalBefore)
      isHidden.store(false, ordering: .releasing)
      for (number, before) in ends { signal(number, before) }
      signal(SIGTSTP, stop)
    }
    // Only now: what is typed at the prompt is hidden already.
    StandardError.write("\(prompt): ")
    return readLine()
  }
}

/// A handler of signals reaches nothing else. Written before the handler is there.
private nonisolated(unsafe) let terminalBefore = UnsafeMutablePointer<termios>.allocate(capacity: 1)

/// Ends the process by the signal itself, so that a shell sees why.
private let restoreAndEnd: @convention(c) (Int32) -> Void = { number in
  tcsetattr(STDIN_FILENO, TCSANOW, terminalBefore)
  signal(number, SIG_DFL)
  raise(number)
}
