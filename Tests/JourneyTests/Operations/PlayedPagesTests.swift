// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Operations: the pages for newcomers, word for word", .storeless)
struct PlayedPagesTests {
  private static let isPlayable: Bool = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let hasTools = ["python3", "bash", "jq", "curl"].allSatisfy { tool in
      folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(tool)") }
    }
    let lab = ServedProcess.program?.deletingLastPathComponent().appending(path: "gatehouse-lab")
    return hasTools && lab.map { FileManager.default.isExecutableFile(atPath: $0.path) } == true
  }()

  @Test(
    "every shell block of README.md and docs/by-hand.md does what the page says, against a program that serves",
    .enabled(if: isPlayable, "needs python3, jq, curl and the programs beside the tests"), .timeLimit(.minutes(10)))
  func played() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let programs = try #require(ServedProcess.program).deletingLastPathComponent()
    let (script, output) = (Process(), Pipe())
    script.executableURL = URL(filePath: "/usr/bin/env")
    script.arguments = [
      "python3", root.appending(path: "scripts/play-by-hand").path, "--programs", programs.path,
    ]
    (script.standardOutput, script.standardError) = (output, output)
    try script.run()
    let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "\(told)")
  }
}
