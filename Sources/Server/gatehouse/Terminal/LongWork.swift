import Foundation
import Kit

/// Shows on a terminal that long work goes on, and for how long. In a pipe, a file or beside JSON nothing is printed.
enum LongWork {
  /// - Parameters:
  ///   - what: as in "Checking the books".
  ///   - output: how the command prints what comes of it.
  static func show<Value>(
    _ what: String, _ output: OutputOptions, on screen: FileHandle = .standardError, _ work: () async throws -> Value
  ) async throws -> Value {
    guard !output.json, isatty(screen.fileDescriptor) == 1 else { return try await work() }
    let begin = World.live.now()
    @Sendable func words() -> String { line(what, after: World.live.now() - begin) }
    screen.write(Data("\r\(words())".utf8))
    let result = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: .seconds(1))) != nil { screen.write(Data("\r\(words())".utf8)) }
      }
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      group.cancelAll()
      await group.waitForAll()
      return result
    }
    // What is printed next begins on an empty line.
    screen.write(Data("\r\(String(repeating: " ", count: words().count))\r".utf8))
    return try result.get()
  }

  static func line(_ what: String, after elapsed: Duration) -> String {
    let seconds = elapsed.wholeSeconds
    return seconds < 60 ? "\(what): \(seconds) s" : "\(what): \(seconds / 60) min \(seconds % 60) s"
  }
}
