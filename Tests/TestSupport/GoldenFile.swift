// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Text that is kept in the repository and read as a diff: `UPDATE_GOLDEN=1` rewrites it.
package enum GoldenFile {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  /// Compares `text` with the file at `path` below the repository's root.
  /// - Returns: what is wrong; nil when they are the same.
  package static func difference(of text: String, from path: String) throws -> String? {
    let file = root.appending(path: path)
    if isUpdating {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    guard (try? String(contentsOf: file, encoding: .utf8)) != text else { return nil }
    return "\(path) differs; if that is meant, run the tests with UPDATE_GOLDEN=1 and read the diff"
  }
}
