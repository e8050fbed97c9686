import ArgumentParser
import Foundation
import Screening

/// Prints results as they come, and how far it is on standard error when that is a terminal.
final class ScreenOutput {
  private static let progressRows = 500
  private static let bufferMax = 1 << 16

  private let isJSON: Bool
  private let showsProgress = isatty(STDERR_FILENO) == 1
  private let encoder: JSONEncoder
  private var buffer = Data()
  private var rows = 0

  init(isJSON: Bool) {
    self.isJSON = isJSON
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isJSON { buffer.append(contentsOf: #"{"results":["#.utf8) }
  }

  /// One element of `results`.
  func result(_ result: some Encodable) {
    guard let json = try? encoder.encode(result) else { return }
    buffer.append(contentsOf: (rows == 0 ? "\n" : ",\n").utf8)
    buffer.append(json)
    count()
  }

  /// A row for people.
  func lines(_ lines: [String]) {
    for line in lines { buffer.append(contentsOf: "\(line)\n".utf8) }
    count()
  }

  func finish() {
    if isJSON { buffer.append(contentsOf: "\n]}\n".utf8) }
    flush()
    if showsProgress { FileHandle.standardError.write(Data("\r\(rows) rows\n".utf8)) }
  }

  private func count() {
    rows += 1
    if buffer.count >= Self.bufferMax { flush() }
    if showsProgress, rows % Self.progressRows == 0 {
      FileHandle.standardError.write(Data("\r\(rows) rows".utf8))
    }
  }

  private func flush() {
    FileHandle.standardOutput.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  /// A table, mapped into memory.
  static func table(_ path: String) throws -> Data {
    do { return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
      throw ValidationError("cannot read \(path)")
    }
  }

  static func policy(_ file: String?, threshold: Double?) throws -> MatchingPolicy {
    var policy = MatchingPolicy.standard
    if let file {
      do { policy = try MatchingPolicy(try table(file)) } catch let fault as MatchingPolicy.Fault {
        throw ValidationError("\(file): \(fault)")
      }
    }
    if let threshold {
      guard (0...1).contains(threshold) else { throw ValidationError("--threshold is between 0 and 1") }
      policy.threshold = threshold
    }
    return policy
  }
}
