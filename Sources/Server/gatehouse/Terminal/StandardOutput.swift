// SPDX-License-Identifier: Apache-2.0

// Its `stdout` is a variable, which nothing here changes.
@preconcurrency import Glibc

/// What `print` has written, which waits in the process for a while.
enum StandardOutput {
  /// Writes what waits.
  /// - Returns: why something that was printed did not reach its file, such as a full disk; nil when all of it did.
  static func fault() -> CommandFailure? {
    let isFlushed = fflush(stdout) == 0
    let reason = isFlushed ? nil : String(cString: strerror(errno))
    guard !isFlushed || ferror(stdout) != 0 else { return nil }
    return .refused(
      "What this command prints cannot be written\(reason.map { ": \($0)" } ?? ""). What it had to change is changed; "
        + "if it was to show a code, issue another one.")
  }
}
