// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// What an operator sees at night of a disk that takes nothing more.
@Suite(
  "Operations: commands and a disk that is full", .ownFile,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)))
struct FullDiskCommandTests {
  @Test("a store that cannot grow is told with its path, as one that does not answer")
  func store() throws {
    let folder = try TestFolder()
    let data = folder.file("data")
    let program = try #require(ServedProcess.program).path
    #expect(try Self.run(program, ["migrate", "--data", data]).status == 0)
    // No file that this program opens may grow, and it is not ended for that.
    let ended = try Self.run(
      "/bin/sh",
      ["-c", #"trap "" XFSZ; ulimit -f 0; exec "$0" "$@""#, program, "audit", "verify", "--data", data])
    #expect(ended.status == 4)
    let words = "Error: The database does not answer: \(data)/gatehouse.sqlite: "
    #expect(ended.errors.hasPrefix(words), "\(ended.errors)")
  }

  @Test(
    "a result that its file does not take whole is no success, as lines and as JSON",
    arguments: [["mrz", "parse"], ["mrz", "parse", "--json"]])
  func result(command: [String]) throws {
    let folder = try TestFolder(["zones.json": Data(#"{"reference_date":"2026-01-01","vectors":[]}"#.utf8)])
    let line = Array(command.prefix(2)) + [folder.file("zones.json")] + command.dropFirst(2)
    let program = try #require(ServedProcess.program).path
    #expect(try Self.run(program, line).status == 0)
    let ended = try Self.run(program, line, output: #require(FileHandle(forWritingAtPath: "/dev/full")))
    #expect(ended.status == 1)
    #expect(ended.errors.contains("What this command prints cannot be written"), "\(ended.errors)")
  }

  @Test("an error that cannot be told ends a command by its own code, and not as a defect of the program")
  func errors() throws {
    let folder = try TestFolder()
    let ended = try Self.run(
      #require(ServedProcess.program).path, ["audit", "verify", "--data", folder.file("none")],
      errors: #require(FileHandle(forWritingAtPath: "/dev/full")))
    #expect(ended.reason == .exit && ended.status == 3)
  }

  /// - Parameter errors: where they go; nil is back to here.
  private static func run(
    _ program: String, _ arguments: [String], output: FileHandle = .nullDevice, errors: FileHandle? = nil
  ) throws -> (reason: Process.TerminationReason, status: Int32, errors: String) {
    let (command, said) = (ChildProcess(), Pipe())
    command.executableURL = URL(fileURLWithPath: program)
    command.arguments = arguments
    command.standardOutput = output
    if let errors { command.standardError = errors } else { command.standardError = said }
    try command.run()
    let words = errors == nil ? String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) : ""
    command.waitUntilExit()
    return (command.terminationReason, command.terminationStatus, words)
  }
}
