// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@Suite("Tidy: the scripts that make and check the package")
struct OperatorScriptTests {
  private func run(_ arguments: [String]) throws -> (exit: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }

  @Test(
    "asked for help, they tell how they are called and do nothing else",
    arguments: ["make-deb", "deb-check", "make-man", "make-sbom"])
  func help(script: String) throws {
    let nowhere = FileManager.default.temporaryDirectory.appending(path: "scripts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: nowhere, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: nowhere) }
    let path = Repository.root.appending(path: "scripts/\(script)").path
    let said = try run(["-C", nowhere.path, path, "--help"])
    #expect(said.exit == 0 && said.text.contains("usage: \(script) "), "\(said)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: nowhere.path).isEmpty)
  }

  @Test("the manual has each exit code of the page of commands")
  func exitCodes() throws {
    let program = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
    let help = #"{"command": {"commandName": "gatehouse", "discussion": "Begin with `gatehouse serve`."}}"#
    try Data("#!/bin/sh\ncat <<'HELP'\n\(help)\nHELP\n".utf8).write(to: program)
    defer { try? FileManager.default.removeItem(at: program) }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let script = Repository.root.appending(path: "scripts/make-man").path
    let manual = try run(["python3", "-B", script, program.path, "2026-11-29"])
    let page = try String(contentsOf: Repository.root.appending(path: "docs/commands.md"), encoding: .utf8)
    let codes = page.matches(of: #/\n\| (\d+) \| [^|]*\| /#).map { String($0.output.1) }
    #expect(manual.exit == 0 && codes.count >= 7)
    #expect(!manual.text.contains("`"), "Markdown's marks mean nothing in a manual.")
    for code in codes { #expect(manual.text.contains("\n.It \(code)\n"), "\(code)") }
  }
}
