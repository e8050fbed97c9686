// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import gatehouse

/// Every `gatehouse …` line of a shell block, read by the program's own parser: nothing is opened or done. Placeholders
/// get values, what is optional is given, and of alternatives in words (`freeze|unfreeze`) each is read.
@Suite("Operations: the commands that the documents give", .storeless)
struct DocumentedCommandTests {
  struct Line: Sendable {
    let page: String
    let text: String
  }

  private static let uuid = "8b6c3f9e-0c0a-4a4b-9d52-3f1a6f0e7f11"
  private static let values = [
    "TENANT": "finaptic-7", "finaptic-N": "finaptic-7", "AMOUNT": "1.00", "MILLIONTHS": "1", "NUMBER": "1",
    "YYYY-MM-DD": "2026-11-30", "PURPOSE": "DEPOSIT", "WHY": "OTHER", "ID": uuid, "CUSTOMER": uuid,
    "whsec_": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz",
  ]

  @Test("each is one that the program takes")
  func taken() throws {
    let lines = try Self.lines()
    #expect(lines.count > 150)
    for line in lines {
      for words in Self.readings(line.text) {
        #expect(throws: Never.self, "\(line.page): \(words.joined(separator: " "))") {
          try Self.parse(DeprecatedSpelling.renewed(words).0)
        }
      }
    }
  }

  /// By the one command that is named: to set up all of them for each line takes a minute.
  @discardableResult
  static func parse(_ words: [String]) throws -> any ParsableCommand {
    var (command, rest): (any ParsableCommand.Type, ArraySlice<String>) = (Gatehouse.self, words[...])
    while let name = rest.first,
      let next = command.configuration.subcommands.first(where: { $0._commandName == name })
    {
      (command, rest) = (next, rest.dropFirst())
    }
    return try command.parseAsRoot(Array(rest))
  }

  @Test("what is read of a line")
  func readings() {
    let line = "a b|c ID (--x 1 | --y [2]) [--note \"two words\"] FILE … < secret"
    let rest = [Self.uuid, "--x", "1", "--note", "two words", "FILE"]
    #expect(Self.readings(line) == [["a", "b"] + rest, ["a", "c"] + rest])
    let block = "```sh\ndocker compose exec -T gatehouse gatehouse doctor\nA_1=b/c D=e gatehouse serve\n```"
    #expect(Self.commands(of: block) == ["doctor", "serve"])
  }

  static func readings(_ text: String) -> [[String]] {
    let plain =
      text.replacing(/\(([^|()]*)\|[^()]*\)/) { "\($0.1)" }.replacing(/\s[<>]\s\S+/, with: "")
      .filter { !"[]…".contains($0) }
    let words = plain.matches(of: /(?:"[^"]*"|[^\s"])+/).map { $0.output.filter { $0 != "\"" } }
    let choices = words.map { $0.split(separator: "|").map { String($0) } }
    return (0..<(choices.map(\.count).max() ?? 1)).map { number in
      choices.compactMap { $0.indices.contains(number) ? $0[number] : $0.first }.map { values[$0] ?? $0 }
    }
  }

  static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Decisions tell of their day, and docs/commands.md is written from the program.
  static func lines() throws -> [Line] {
    let below = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: "docs").path)
      .filter { $0.hasSuffix(".md") && !$0.hasPrefix("decisions/") && $0 != "commands.md" }
    return try (["README.md"] + below.sorted().map { "docs/\($0)" }).flatMap { page in
      commands(of: try String(contentsOf: root.appending(path: page), encoding: .utf8))
        .map { Line(page: page, text: $0) }
    }
  }

  /// Behind a pipe, another user, a container, or variables of its own.
  private static var command: Regex<(Substring, Substring)> {
    /(?:.*\| |runuser .* -- |docker compose exec .+ |swift run (?:--[a-z-]+ )*|(?:[A-Z0-9_]+=\S* )+)?gatehouse (.+)/
  }

  static func commands(of page: String) -> [String] {
    var (found, fence, begun) = ([String](), String?.none, "")
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        fence = fence == nil ? String(line.dropFirst(3)) : nil
        continue
      }
      let isShell = fence.map { ["", "sh", "bash"].contains($0) } ?? line.hasPrefix("    ")
      guard isShell else { continue }
      let whole = begun + line.trimmingCharacters(in: .whitespaces)
      if whole.hasSuffix("\\") {
        begun = whole.dropLast().trimmingCharacters(in: .whitespaces) + " "
        continue
      }
      begun = ""
      let text = whole.split(separator: /\s#(\s|$)/, maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
      if let command = text.wholeMatch(of: Self.command) { found.append(String(command.1)) }
    }
    return found
  }
}
