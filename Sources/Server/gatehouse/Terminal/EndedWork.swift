// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Removes an unfinished folder when the command is told to end by SIGINT or SIGTERM, and ends it then. An unfinished
/// backup is a copy of customers' data that no erasure reaches.
enum EndedWork {
  private static let queue = DispatchQueue(label: "gatehouse.ended-work")
  private static let sources = Mutex<[any DispatchSourceSignal]>([])

  /// From now on until the process ends.
  static func remove(_ folder: String) {
    for number in [SIGINT, SIGTERM] {
      // The source sees the signal only while the system does not end the process for it.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        // Once more for what was written meanwhile: without its folder nothing can be written any more.
        for _ in 0..<100 where FileManager.default.fileExists(atPath: folder) {
          try? FileManager.default.removeItem(atPath: folder)
        }
        signal(number, SIG_DFL)
        raise(number)
      }
      source.resume()
      sources.withLock { $0.append(source) }
    }
  }
}
