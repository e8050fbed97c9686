// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The settings that the program reads, compared with those that docs/operations names.
@Suite("Tidy: settings are documented")
struct SettingDocumentTests {
  /// Names that the code puts together when it runs.
  private static let composed = ["evidence.document.", "evidence.face.", "casework.minutes."]

  /// What is asked of the configuration by a name that stands in the code.
  private static let read: Set<String> = {
    let files = Repository.sources.filter { $0.isBelow("Sources/Server") && $0.mentions("ConfigReader") }
    return Set(
      files.flatMap { file in
        file.text.matches(of: /(?:forKey:|seconds\()\s*"([a-z][A-Za-z0-9.]*)"/).map { String($0.output.1) }
      })
  }()

  /// Names in code style. One that begins with a dot stands for the one before it on the line with another last part.
  private static func names(in line: Substring) -> [String] {
    var parent: String?
    return line.matches(of: /`(\.?[a-z][A-Za-z0-9.]*)`/).compactMap { match in
      let name = String(match.output.1)
      guard name.hasPrefix(".") else {
        parent = name.lastIndex(of: ".").map { String(name[..<$0]) }
        return name
      }
      return parent.map { $0 + name }
    }
  }

  @Test("a name that begins with a dot belongs to the one before it")
  func abbreviations() {
    #expect(Self.names(in: "| `a.b.file`, `.id` | `c` | `.x` |") == ["a.b.file", "a.b.id", "c"])
  }

  @Test("every setting that the program reads is named in docs/operations or docs/webhooks.md")
  func documented() {
    let told = Set(
      Repository.files.filter { $0.isBelow("docs/operations") || $0.path == "docs/webhooks.md" }
        .flatMap { $0.text.split(separator: "\n").flatMap(Self.names) })
    #expect(Self.read.count > 100)
    #expect(Self.read.subtracting(told).sorted() == [])
  }

  @Test("every setting in the table of configure.md is one that the program reads")
  func existing() throws {
    let page = try #require(Repository.text("docs/operations/configure.md"))
    let table = page[try #require(page.firstRange(of: "| JSON key")).lowerBound...]
    let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
    let told = rows.flatMap { Self.names(in: $0.dropFirst().prefix { $0 != "|" }) }
    let source = Repository.sources.filter { $0.isBelow("Sources/Server") }
    let unknown = told.filter { name in
      !Self.read.contains(name) && !Self.composed.contains(where: name.hasPrefix)
        && !source.contains { $0.mentions("\"\(name)\"") }
    }
    #expect(told.count > 50)
    #expect(unknown == [])
  }

  @Test("every setting that the program reads has its row in docs/reference/settings.md")
  func referenced() throws {
    let page = try #require(Repository.text("docs/reference/settings.md"))
    let rows = Set(page.matches(of: /\n\| `([A-Za-z0-9.]+)` \|/).map { String($0.output.1) })
    #expect(Self.read.subtracting(rows).sorted() == [])
  }

  /// Meaning, kind, limits and default are read from the code by `scripts/settings-reference`, which also looks for
  /// variables of the environment that the chapters for operators name and no setting has.
  @Test("docs/reference/settings.md is what the code says of each setting, and no chapter names another variable")
  func reference() throws {
    let (status, text) = try Self.run("settings-reference")
    #expect(status == 0, "\(text)")
  }

  /// Types are read where they are made, and so is when each is told.
  @Test("docs/reference/webhook-events.md is what the code says of each type of event")
  func events() throws {
    let (status, text) = try Self.run("webhook-events-reference")
    #expect(status == 0, "\(text)")
  }

  /// What a script that compares a page with the code leaves with and says.
  private static func run(_ script: String) throws -> (status: Int32, said: String) {
    let (process, said) = (ChildProcess(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-B", Repository.root.appending(path: "scripts/\(script)").path]
    (process.standardOutput, process.standardError) = (said, said)
    try process.run()
    let text = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
