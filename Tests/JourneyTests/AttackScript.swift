// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// `scripts/attack-api`, which has schemathesis call what the API describes, and `scripts/attack-tls`, which plays
/// HTTP/2 and TLS byte by byte (docs/attack.md).
enum AttackScript {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "scripts")

  /// Whether Python has schemathesis in the version that the script asks for.
  static let isReady = (try? run(["--ready"]).status) == 0
  static let missing = "python3 with schemathesis is missing: scripts/bootstrap installs it"

  /// - Returns: what the script left with, what it found, in words, and what it said of itself, which is all that tells
  ///   why it ended before it began.
  static func run(
    _ arguments: [String], script: String = "attack-api"
  ) throws -> (status: Int32, findings: String, said: String) {
    let (process, output, folder) = (ChildProcess(limit: 1800), Pipe(), try TestFolder())
    // A file: of two pipes one could fill while the other is read.
    let log = URL(filePath: folder.file("said"))
    try Data().write(to: log)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", Self.folder.appending(path: script).path] + arguments
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let said = try Data(contentsOf: log)
    try FileHandle.standardError.write(contentsOf: said)
    return withExtendedLifetime(folder) {
      (process.terminationStatus, text, String(decoding: said.suffix(8000), as: UTF8.self))
    }
  }
}
