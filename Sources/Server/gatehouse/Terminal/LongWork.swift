import Foundation
import Kit

/// Shows on a terminal that long work goes on, and for how long. Elsewhere nothing is printed.
enum LongWork {
  /// - Parameter what: as in "Checking the books".
  static func show<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value {
    guard isatty(STDERR_FILENO) == 1 else { return try await work() }
    let begin = World.live.now()
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        while !Task.isCancelled {
          write("\r\(line(what, after: World.live.now() - begin))")
          try? await Task.sleep(for: .seconds(1))
        }
      }
      defer {
        group.cancelAll()
        // What is printed next begins on an empty line.
        write("\r\(String(repeating: " ", count: line(what, after: World.live.now() - begin).count))\r")
      }
      return try await work()
    }
  }

  static func line(_ what: String, after elapsed: Duration) -> String {
    let seconds = elapsed.wholeSeconds
    return seconds < 60 ? "\(what): \(seconds) s" : "\(what): \(seconds / 60) min \(seconds % 60) s"
  }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
