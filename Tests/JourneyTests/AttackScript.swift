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

  /// - Returns: what the script left with, and what it found, in words.
  static func run(_ arguments: [String], script: String = "attack-api") throws -> (status: Int32, findings: String) {
    let (process, output) = (ChildProcess(limit: 1800), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", folder.appending(path: script).path] + arguments
    process.standardOutput = output
    // What it says of itself is all that tells why it ended before it began.
    process.standardError = FileHandle.standardError
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
