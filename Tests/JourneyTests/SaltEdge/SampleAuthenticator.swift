// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The sample application of the Authenticator as a process of its own, told by lines.
final class SampleAuthenticator: Sendable {
  static let file = ServedProcess.program.map {
    $0.deletingLastPathComponent().appending(path: "AuthenticatorSample")
  }.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
  static let missing: Comment =
    "AuthenticatorSample is not beside the tests: swift build --product AuthenticatorSample makes it"

  private let process = ChildProcess()
  private let input = Pipe()
  private let pieces: AsyncStream<String>

  init(folder: String) throws {
    let output = Pipe()
    process.executableURL = Self.file
    process.arguments = ["--data", folder]
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // A thread of its own, since reading blocks; it ends with the program.
    pieces = AsyncStream { continuation in
      Thread.detachNewThread {
        while true {
          let data = output.fileHandleForReading.availableData
          guard !data.isEmpty else { break }
          continuation.yield(String(decoding: data, as: UTF8.self))
        }
        continuation.finish()
      }
    }
  }

  /// The next screen, or the complaint about a command: both end with an empty line, or begin with a question mark.
  func screen() async throws -> String {
    var heard = ""
    for await piece in pieces {
      heard += piece
      if heard.hasSuffix("\n\n") || heard.hasPrefix("? ") && heard.hasSuffix("\n") { return heard }
    }
    throw Ended(heard: heard)
  }

  /// Does what a line says.
  /// - Returns: the screen then.
  @discardableResult
  func tell(_ line: String) async throws -> String {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
    return try await screen()
  }

  /// Ends its input.
  /// - Returns: what the program left with.
  func end() async throws -> Int32 {
    try input.fileHandleForWriting.close()
    for await _ in pieces {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  struct Ended: Error {
    let heard: String
  }
}
