// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Where benches keep what they need, and how they report.
enum BenchOutput {
  /// A path for a folder of one run; who uses it removes it.
  static func folder() -> String {
    FileManager.default.temporaryDirectory.appending(path: "gatehouse-bench-\(World.live.uuid())").path
  }

  /// Tells on standard error what is measured now.
  @Sendable static func say(_ line: String) { FileHandle.standardError.write(Data("bench: \(line)\n".utf8)) }

  /// A report as one JSON document, indented, with its members in the order of their names.
  static func json(_ report: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }
}
