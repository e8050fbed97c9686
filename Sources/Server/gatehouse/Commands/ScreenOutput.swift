// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import Screening

/// Prints results as they come, and a bar of how far it is on standard error when that is a terminal.
final class ScreenOutput {
  private static let progressRows = 500
  private static let bufferMax = 1 << 16

  private let isJSON: Bool
  private let showsProgress = isatty(STDERR_FILENO) == 1
  private let encoder: JSONEncoder
  private var buffer = Data()
  private var rows = 0

  /// Rows of the table, nearly: a field may have lines of its own.
  private let expected: Int

  /// - Parameter table: what is read, for the bar.
  init(isJSON: Bool, of table: Data) {
    self.isJSON = isJSON
    expected = showsProgress ? max(1, table.count { $0 == UInt8(ascii: "\n") } - 1) : 1
    encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isJSON { buffer.append(contentsOf: #"{"results":["#.utf8) }
  }

  /// Whether nothing was printed: an export that failed must not pass for one in which all are clean.
  var isEmpty: Bool { rows == 0 }

  /// One element of `results`.
  /// - Throws: `CommandFailure` when the results cannot be written.
  func result(_ result: some Encodable) throws {
    let json = CommandJSON.escaped(String(decoding: try encoder.encode(result), as: UTF8.self))
    buffer.append(contentsOf: (rows == 0 ? "\n" : ",\n").utf8)
    buffer.append(contentsOf: json.utf8)
    try count()
  }

  /// A row for people.
  func lines(_ lines: [String]) throws {
    for line in lines { buffer.append(contentsOf: "\(TerminalLine.lines(line))\n".utf8) }
    try count()
  }

  func finish() throws {
    if isJSON { buffer.append(contentsOf: "\n]}\n".utf8) }
    try flush()
    if showsProgress { StandardError.write("\r\(Self.bar(1)) \(rows.counted("row", "rows"))\n") }
  }

  /// Tells where the letters of a table may be others than were meant: that would be searched, and found nowhere.
  static func tell(_ encoding: ScreenFile.Encoding, of table: String) {
    guard encoding == .windows1252 else { return }
    let words = "\(table) is not UTF-8 and was read as Windows-1252: save it as UTF-8 where it was written otherwise\n"
    StandardError.write(words)
  }

  /// Tells what of a list is not searched, and what it lacks.
  static func tell(_ reading: ListReader.Reading) {
    let name = reading.files[0].name
    tell(reading.encoding, of: name)
    let skipped = reading.skipped.skippedText.map { ["not searched: \($0)"] } ?? []
    for text in skipped + reading.warnings {
      StandardError.write("\(TerminalLine.of("\(name): \(text)"))\n")
    }
  }

  private func count() throws {
    rows += 1
    if buffer.count >= Self.bufferMax { try flush() }
    if showsProgress, rows % Self.progressRows == 0 {
      let share = min(1, Double(rows) / Double(expected))
      StandardError.write("\r\(Self.bar(share)) \(rows) rows")
    }
  }

  private static let barWidth = 40

  private static func bar(_ share: Double) -> String {
    let full = Int(share * Double(barWidth))
    let percent = Int(share * 100)
    return "[\(String(repeating: "=", count: full))\(String(repeating: " ", count: barWidth - full))] \(percent) %"
  }

  /// A disk that is full must not end the program as a bug would, and results that are not there must not pass for all.
  private func flush() throws {
    do { try FileHandle.standardOutput.write(contentsOf: buffer) } catch {
      throw CommandFailure.refused("the results cannot be written")
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// What comes through a pipe is held in memory, for it is looked at twice: a table that is broken anywhere is refused
  /// before its first row is searched for.
  private static let pipedMax = 256 << 20

  /// A table: a file, mapped into memory, or what comes through a pipe. `-` is standard input, which is mapped where it
  /// is a file.
  static func table(_ path: String) throws -> Data {
    do {
      if path == "-" { return try mappedInput() ?? piped(.standardInput, path) }
      if let pipe = try pipe(path) { return try piped(pipe, path) }
      return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch let failure as CommandFailure { throw failure } catch {
      throw CommandFailure.notFound("cannot read \(path)")
    }
  }

  /// It is not opened anew by a name, which this user may not be allowed, as under `sudo -u` or with a file of root's.
  /// - Returns: nil for what cannot be mapped, and for a file of which another program has read a part.
  private static func mappedInput() -> Data? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      lseek(STDIN_FILENO, 0, SEEK_CUR) == 0,
      let start = mmap(nil, Int(status.st_size), PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0), start != MAP_FAILED
    else { return nil }
    // Until the program ends.
    return Data(bytesNoCopy: start, count: Int(status.st_size), deallocator: .none)
  }

  /// - Returns: nil for a file, which can be mapped.
  private static func pipe(_ path: String) throws -> FileHandle? {
    var status = stat()
    guard stat(path, &status) == 0, [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return nil }
    return try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
  }

  private static func piped(_ pipe: FileHandle, _ path: String) throws -> Data {
    var table = Data()
    while let more = try pipe.read(upToCount: 1 << 20), !more.isEmpty {
      table += more
      guard table.count <= pipedMax else {
        throw CommandFailure.refused(
          "\(path): a table that comes through a pipe has 256 MiB at most: name a file, or let standard input be one")
      }
    }
    return table
  }

  static func policy(_ file: String?, threshold: Double?) throws -> MatchingPolicy {
    var policy = MatchingPolicy.standard
    if let file {
      do { policy = try MatchingPolicy(try table(file)) } catch let fault as MatchingPolicy.Fault {
        throw CommandFailure.refused("\(file): \(fault)")
      }
    }
    if let threshold {
      guard (0...1).contains(threshold) else { throw ValidationError("--threshold is between 0 and 1") }
      policy.threshold = threshold
    }
    return policy
  }
}
