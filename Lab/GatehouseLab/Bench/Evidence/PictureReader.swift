// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseApp

/// What a reader answers of one picture: ours and a peer's alike. Times are of reading the file, without starting.
struct PictureReply: Codable, Sendable {
  /// Milliseconds by the clock, and of the processor: of the reader and of programs that it runs.
  var wall: Double
  var processor: Double
  /// The same of finding and reading the zone alone; nil when the reader does nothing else.
  var zoneWall: Double?
  var zoneProcessor: Double?
  /// KiB in memory at most while this picture was read.
  var peak: Int
  /// The lines of the zone as they were read; empty when none was found.
  var lines: [String] = []
  /// Fields of the zone where a reader gives them itself; else they are cut out of the lines.
  var fields: [String: String]?
  /// Fields of the zone that the reader vouches for.
  var certain: [String] = []
  /// Everything that our reader says; nil of a peer.
  var reading: DocumentReading?
  /// Why nothing was read.
  var error: String?
}

/// What a reader is asked for.
struct PictureRequest: Codable, Sendable {
  var path: String
  /// The day of the reading, `YYYY-MM-DD`.
  var day: String
  /// What the picture should show.
  var expected: DocumentKind
}

/// A program that reads one picture after the other: a request is a line of JSON, and so is the answer.
final class PictureReader {
  struct Lost: Error, CustomStringConvertible {
    let description: String
  }

  private let process = Process()
  private let requests = Pipe()
  private let replies = Pipe()
  private var buffer = Data()

  /// - Parameter environment: what is added to this program's.
  init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = requests
    process.standardOutput = replies
    try process.run()
  }

  func read(_ request: PictureRequest) throws -> PictureReply {
    let line = try JSONEncoder().encode(request) + Data("\n".utf8)
    do { try requests.fileHandleForWriting.write(contentsOf: line) } catch {
      throw Lost(description: "the reader ended before it was asked")
    }
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[buffer.startIndex..<end]
        buffer = Data(buffer[buffer.index(after: end)...])
        return try JSONDecoder().decode(PictureReply.self, from: line)
      }
      let more = replies.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Lost(description: "the reader ended: \(process.executableURL?.path ?? "")") }
      buffer += more
    }
  }

  func stop() {
    try? requests.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
