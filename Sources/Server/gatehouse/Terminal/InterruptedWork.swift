// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Removes an unfinished folder when the command is told to end by SIGINT or SIGTERM, and ends it then. An unfinished
/// backup is a copy of customers' data that no erasure reaches.
enum InterruptedWork {
  private static let queue = DispatchQueue(label: "gatehouse.ended-work")

  /// From now on until the process ends.
  static func remove(_ folder: String) {
    for number in [SIGINT, SIGTERM] {
      // The source sees the signal only while the system does not end the process for it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        clear(folder)
        end(by: number)
      }
      source.resume()
      // It stays as long as the process.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
    // The work fails once its folder is gone, and its command would end in the midst of the removal.
    atexit { InterruptedWork.queue.sync {} }
  }

  /// The folder leaves its name in one step: work that gives it its own name meanwhile either did so whole, or cannot.
  private static func clear(_ folder: String) {
    let ended = "\(folder).new"
    // Once more for what was written meanwhile: a file that is written makes its folder.
    for _ in 0..<100 where rename(folder, ended) == 0 || FileManager.default.fileExists(atPath: ended) {
      try? FileManager.default.removeItem(atPath: ended)
    }
  }

  /// Ends the process by the signal itself, so that a shell sees why. Threads of a queue block all signals, and one that
  /// is blocked would end nothing.
  private static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}
