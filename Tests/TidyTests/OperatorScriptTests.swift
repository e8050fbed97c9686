// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Tidy: the scripts that make and check the package")
struct OperatorScriptTests {
  private func run(_ arguments: [String]) throws -> (exit: Int32, text: String) {
    let process = ChildProcess()
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

  @Test("a command that does not end is told of in one line, by the scripts that play a sandbox")
  func endlessCommand() throws {
    let program = FileManager.default.temporaryDirectory.appending(path: "program-\(UUID().uuidString)")
    try Data("#!/bin/sh\nexec sleep 600\n".utf8).write(to: program)
    defer { try? FileManager.default.removeItem(at: program) }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    let play = """
      import pathlib, sys
      sys.path.insert(0, sys.argv[1])
      from attack_sandbox import Sandbox
      sandbox = Sandbox.__new__(Sandbox)
      sandbox.program, sandbox.folder = sys.argv[2], pathlib.Path("/nowhere")
      sandbox.settings = sandbox.folder / "settings.json"
      try:
          sandbox.command("status", "--quick", seconds=1)
      except SystemExit as end:
          print(end)
      """
    let scripts = Repository.root.appending(path: "scripts").path
    let said = try run(["python3", "-B", "-c", play, scripts, program.path])
    #expect(said.exit == 0 && said.text == "gatehouse status --quick did not end in 1 seconds\n", "\(said)")
  }

  /// The folders of a machine, below one of the test, and the package's scripts with these instead of the machine's.
  private final class Machine {
    let root = FileManager.default.temporaryDirectory.appending(path: "package-\(UUID().uuidString)")
    var settings: URL { root.appending(path: "etc/gatehouse") }

    init() throws {
      let manager = FileManager.default
      for name in ["bin", "etc/gatehouse", "usr/share/gatehouse", "run/systemd/system"] {
        try manager.createDirectory(at: root.appending(path: name), withIntermediateDirectories: true)
      }
      try Data("{}".utf8).write(to: root.appending(path: "usr/share/gatehouse/gatehouse.json"))
      for tool in ["adduser", "chown", "deb-systemd-helper", "deb-systemd-invoke", "systemctl"] {
        let file = root.appending(path: "bin/\(tool)")
        try Data("#!/bin/sh\necho \"${0##*/} $*\" >&2\n".utf8).write(to: file)
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
      }
      for script in ["postinst", "postrm"] {
        var text = try String(
          contentsOf: Repository.root.appending(path: "packaging/deb/\(script)"), encoding: .utf8)
        for folder in ["/etc/gatehouse", "/usr/share/gatehouse", "/var/lib/gatehouse", "/run/systemd"] {
          text = text.replacing(folder, with: root.path + folder)
        }
        try Data(text.utf8).write(to: root.appending(path: script))
      }
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    var files: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: settings.path).sorted() } }

    /// - Parameter version: of the package before; empty when there was no other one.
    func arguments(_ script: String, _ action: String, version: String = "") -> [String] {
      let path = "PATH=\(root.appending(path: "bin").path):/usr/bin:/bin"
      return [path, "sh", "-c", #"exec sh "$0" "$1" "$2" 2>&1"#, root.appending(path: script).path, action, version]
    }

    /// Puts files into the folder of settings, or links to what is not there.
    func put(_ names: [String], asLinks: Bool) throws {
      for name in names {
        let path = settings.appending(path: name).path
        // A volume that is not mounted.
        if asLinks { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/nowhere/\(name)") }
        if !asLinks { try Data("own".utf8).write(to: URL(filePath: path)) }
      }
    }
  }

  @Test(
    "the package writes the settings of a sandbox unless there are settings, or tenants whose settings are away",
    arguments: [[], ["tenants.json"], ["gatehouse.json"]], [false, true])
  func settings(there: [String], asLinks: Bool) throws {
    let machine = try Machine()
    try machine.put(there, asLinks: asLinks)
    let installed = try run(machine.arguments("postinst", "configure"))
    #expect(installed.exit == 0, "\(installed.text)")
    #expect(try machine.files == (there.isEmpty ? ["gatehouse.json"] : there))
    let isAway = there == ["tenants.json"] || there == ["gatehouse.json"] && asLinks
    #expect(installed.text.contains("gatehouse.json is not") == isAway, "\(installed.text)")
    #expect(!installed.text.contains("try-restart"), "\(installed.text)")
  }

  @Test(
    "an upgrade restarts what runs where its settings are, and otherwise leaves it running and writes none",
    arguments: [[], ["tenants.json"], ["gatehouse.json"]], [false, true])
  func upgrade(there: [String], asLinks: Bool) throws {
    let machine = try Machine()
    try machine.put(there, asLinks: asLinks)
    let upgraded = try run(machine.arguments("postinst", "configure", version: "0.4.0"))
    #expect(upgraded.exit == 0, "\(upgraded.text)")
    #expect(try machine.files == there)
    let isThere = there == ["gatehouse.json"] && !asLinks
    let restart = "deb-systemd-invoke try-restart gatehouse.service gatehouse-work.service"
    #expect(upgraded.text.contains("systemctl --system daemon-reload"), "\(upgraded.text)")
    #expect(upgraded.text.contains(restart) == isThere, "\(upgraded.text)")
    #expect(upgraded.text.contains("gatehouse.json is not") != isThere, "\(upgraded.text)")
  }

  @Test("a purge takes the settings and the copies that the setup keeps, and what an operator made stays")
  func purge() throws {
    let machine = try Machine()
    let copies = ["gatehouse.json.before", "gatehouse.json.before.2", "gatehouse.json.before.10"]
    try machine.put(["gatehouse.env", "gatehouse.json", "tenants.json"] + copies, asLinks: false)
    #expect(try run(machine.arguments("postrm", "remove")).exit == 0 && machine.files.count == 6)
    #expect(try run(machine.arguments("postrm", "purge")).exit == 0)
    #expect(try machine.files == ["gatehouse.env", "tenants.json"])
  }
}
