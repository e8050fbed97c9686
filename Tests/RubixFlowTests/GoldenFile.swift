import Foundation
import Testing

/// Text that is kept in the repository and read as a diff: `UPDATE_GOLDEN=1` rewrites it.
enum GoldenFile {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let isUpdating = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

  /// Compares `text` with the file at `path` below the repository's root.
  static func check(_ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = root.appending(path: path)
    if isUpdating {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let kept = try? String(contentsOf: file, encoding: .utf8)
    #expect(
      kept == text, "\(path) differs; if that is meant, run the tests with UPDATE_GOLDEN=1 and read the diff",
      sourceLocation: sourceLocation)
  }
}
