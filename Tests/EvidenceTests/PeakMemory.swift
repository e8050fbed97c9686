// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The largest resident size of this process, as Linux counts it (proc(5)).
enum PeakMemory {
  /// Sets the peak back to what is resident now.
  /// - Returns: bytes.
  static func restart() throws -> Int {
    let file = try FileHandle(forWritingTo: URL(filePath: "/proc/self/clear_refs"))
    try file.write(contentsOf: Data("5".utf8))
    return try bytes()
  }

  static func bytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
    guard let kibibytes else { throw CocoaError(.fileReadCorruptFile) }
    return kibibytes * 1024
  }
}
