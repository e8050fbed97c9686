// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Shows on a terminal that long work goes on, for how long, and how much is done. In a pipe, a file or beside JSON
/// nothing is printed.
enum TerminalProgress {
  /// Columns of the line, at most. What is done is left out of a longer one.
  private static let widthMax = 72

  /// - Parameters:
  ///   - what: as in "Checking the books".
  ///   - output: how the command prints what comes of it.
  ///   - work: tells how far it has come, where it knows.
  static func show<Value>(
    _ what: String, _ output: OutputOptions, on screen: FileHandle = .standardError,
    _ work: (WorkProgress) async throws -> Value
  ) async throws -> Value {
    let progress = WorkProgress()
    guard !output.json, isatty(screen.fileDescriptor) == 1 else { return try await work(progress) }
    let begin = World.live.now()
    screen.write(Data("\r\(line(what, after: .zero))".utf8))
    let result = await withTaskGroup(of: Void.self) { group in
      group.addTask {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
          let words = line(what, progress.part, after: World.live.now() - begin)
          // A shorter line leaves nothing of the one before (ECMA-48, EL).
          screen.write(Data("\r\(words)\u{1B}[K".utf8))
        }
      }
      let result: Result<Value, any Error>
      do { result = .success(try await work(progress)) } catch { result = .failure(error) }
      group.cancelAll()
      await group.waitForAll()
      return result
    }
    // What is printed next begins on an empty line.
    screen.write(Data("\r\u{1B}[K".utf8))
    return try result.get()
  }

  /// The same for work that does not know how far it has come.
  static func show<Value>(
    _ what: String, _ output: OutputOptions, on screen: FileHandle = .standardError, _ work: () async throws -> Value
  ) async throws -> Value { try await show(what, output, on: screen) { _ in try await work() } }

  static func line(_ what: String, _ part: WorkProgress.Part? = nil, after elapsed: Duration) -> String {
    let seconds = elapsed.wholeSeconds
    let time = seconds < 60 ? "\(seconds) s" : "\(seconds / 60) min \(seconds % 60) s"
    let share = part.map { part in
      if let percent = part.percent { return ", \(part.name) \(percent) %" }
      return part.done > 0 ? ", \(part.name) \(part.done)" : ", \(part.name)"
    }
    let line = "\(what): \(time)\(share ?? "")"
    // A number that is cut off would be another number.
    return line.count <= widthMax ? line : String("\(what): \(time)".prefix(widthMax))
  }
}
