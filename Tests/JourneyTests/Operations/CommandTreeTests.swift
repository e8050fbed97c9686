// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import gatehouse

@Suite("Operations: the tree of commands", .storeless)
struct CommandTreeTests {
  @Test("docs/commands.md tells every command, its options and the exit codes")
  func page() throws {
    let reference = try CommandReference.shared.get()
    #expect(reference.all.count > 150)
    #expect(try GoldenFile.difference(of: reference.text, from: "docs/commands.md") == nil)
  }

  /// docs/decisions/0128-the-json-of-commands-has-schemas.md
  @Test("every command that prints JSON has a schema, and every schema its command")
  func schemas() throws {
    struct Schemas: Decodable {
      let version: Int
      let commands: [String: Schema]
    }
    struct Schema: Decodable {}
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try JSONDecoder().decode(
      Schemas.self, from: Data(contentsOf: root.appending(path: "docs/schemas/commands.json")))
    let printing = try CommandReference.shared.get().all.filter { _, command in
      command.shown.isEmpty && (command.arguments ?? []).contains { $0.valueName == "json" }
    }
    let names = Set(printing.map { $0.words.dropFirst().joined(separator: " ") })
    #expect(file.version >= 1 && Set(file.commands.keys).subtracting(names) == [], "a schema without its command")
    #expect(names.subtracting(file.commands.keys) == [], "a command without its schema")
  }

  @Test("every command tells what it does, and every argument what it means")
  func told() throws {
    let all = try CommandReference.shared.get().all
    let silent = all.filter { $0.command.abstract?.isEmpty ?? true }.map { $0.words.joined(separator: " ") }
    #expect(silent == [])
    let unexplained = all.flatMap { words, command in
      (command.arguments ?? []).filter { $0.shouldDisplay && $0.abstract?.isEmpty ?? true }.map {
        "\(words): \($0.form)"
      }
    }
    #expect(unexplained == [])
  }

  /// The library makes a name that is not written from the type's, for which Swift looks through all types of the
  /// program three times for each command, at every start (docs/decisions/0209).
  @Test("every command writes its name")
  func named() {
    func unnamed(below command: any ParsableCommand.Type) -> [String] {
      command.configuration.subcommands.flatMap(unnamed)
        + (command.configuration.commandName == nil ? [command._commandName] : [])
    }
    #expect(unnamed(below: Gatehouse.self) == [])
  }

  /// Its own page of help has the options of no subcommand, also not of the one that is taken without a name.
  @Test("`screen --help` names every option of the search that `screen` alone is")
  func standardSubcommand() throws {
    let all = try CommandReference.shared.get().all
    let search = try #require(all.first { $0.words == ["gatehouse", "screen", "queries"] }?.command)
    let own = (search.arguments ?? []).filter { argument in
      argument.shouldDisplay && !["version", "help"].contains(argument.preferredName?.name)
    }
    #expect(own.count >= 5)
    let help = ScreenCommand.helpMessage()
    for argument in own { #expect(help.contains("--\(argument.preferredName?.name ?? argument.valueName)")) }
  }

  @Test("a command knows the words that lead to it")
  func path() {
    #expect(CommandPath.of(LedgerCommand.Verify.self) == ["gatehouse", "ledger", "verify"])
    #expect(CommandPath.of(Gatehouse.self) == ["gatehouse"])
    let words = CommandPath.all().map { $0.words.joined(separator: " ") }
    #expect(Set(words).count == words.count)
    #expect(!words.contains("gatehouse evidence-worker"))
  }
}
