// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite("Operations: pages for newcomers and operators, word for word", .storeless)
struct PlayedPagesTests {
  static let isPlayable: Bool = {
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
  func byHand() throws { try Self.play("play-by-hand") }

  /// `PlayedSeedTests` has the others, in another program of `make test`.
  @Test(
    "every shell line of docs has a play or a reason why not, and those that need neither a seed nor long are played",
    .enabled(if: isPlayable, "needs python3, jq, curl and the programs beside the tests"), .timeLimit(.minutes(30)))
  func pages() throws { try Self.play("play-pages", "--without", "seed", "--without", "long") }

  /// Runs a script of the repository with the programs beside the tests, and expects it to find nothing wrong.
  static func play(_ name: String, _ arguments: String...) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let programs = try #require(ServedProcess.program).deletingLastPathComponent()
    let (script, output) = (ChildProcess(limit: 1800), Pipe())
    script.executableURL = URL(filePath: "/usr/bin/env")
    script.arguments =
      ["python3", root.appending(path: "scripts/\(name)").path, "--programs", programs.path] + arguments
    (script.standardOutput, script.standardError) = (output, output)
    try script.run()
    let told = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "\(told)")
  }
}
