// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import gatehouse

/// `docs/commands.md`, written from what the program says of itself with `--experimental-dump-help`.
struct CommandReference {
  struct Command: Decodable {
    let commandName: String
    var abstract: String?
    var discussion: String?
    var arguments: [Argument]?
    var subcommands: [Command]?
    var shouldDisplay: Bool?

    var shown: [Command] {
      (subcommands ?? []).filter { $0.commandName != "help" && $0.shouldDisplay ?? true }
    }
  }

  struct Argument: Decodable {
    struct Name: Decodable { let name: String }

    let kind: String
    let isOptional: Bool
    let isRepeating: Bool
    let shouldDisplay: Bool
    let valueName: String
    var preferredName: Name?
    var abstract: String?
    var defaultValue: String?

    /// As it is typed.
    var form: String {
      let name = "--\(preferredName?.name ?? valueName)"
      return switch kind {
      case "positional": "\(valueName.uppercased())\(isRepeating ? "…" : "")"
      case "flag": name
      default: "\(name) \(valueName.uppercased())\(isRepeating ? " …" : "")"
      }
    }
  }

  private struct Dump: Decodable { let command: Command }

  let root: Command

  /// The program takes seconds to tell of all its commands.
  static let shared = Result { try CommandReference() }

  init() throws {
    root = try JSONDecoder().decode(Dump.self, from: Data(Gatehouse._dumpHelp().utf8)).command
  }

  /// Every command with its words, parents before their children.
  var all: [(words: [String], command: Command)] { Self.below(root, []) }

  private static func below(_ command: Command, _ words: [String]) -> [(words: [String], command: Command)] {
    let words = words + [command.commandName]
    return [(words, command)] + command.shown.flatMap { below($0, words) }
  }

  /// Options of more than a third of the commands are explained once.
  private var common: [String: Argument] {
    let leaves = all.filter { $0.command.shown.isEmpty }
    let arguments = leaves.flatMap { $0.command.arguments ?? [] }.filter { $0.kind != "positional" && $0.shouldDisplay }
    return Dictionary(grouping: arguments) { "\($0.form)\t\($0.abstract ?? "")" }
      .filter { $0.value.count * 3 > leaves.count }.compactMapValues(\.first)
  }

  var text: String {
    let common = common
    var lines = [
      "# Commands", "",
      "`make golden` writes this page from the program. `gatehouse help COMMAND` prints the same at a terminal.", "",
      "## Exit codes", "",
      "| code | `code` of the error | meaning |", "|---|---|---|",
    ]
    lines += CommandExit.allCases.map { "| \($0.rawValue) | \($0 == .done ? "" : "`\($0.code)`") | \($0.meaning) |" }
    lines += [
      "", "A report that tells what is wrong, such as that of `gatehouse ledger verify`, ends with 1 and no error.", "",
      "With `--json` an error is one line of JSON on standard error, and nothing is on standard output but what was",
      "printed before it:", "",
      "```json",
      #"{"error":{"code":"not-found","exit_code":3,"message":"There is no tenant nord; --tenant takes default."}}"#,
      "```", "",
      "`code` is that of the same refusal in the API, or that of the table. `errors` lists members that are not",
      "acceptable, each with `field`, `code` and `message`. `attempts_left`, `retry_after_seconds` and `usage` are",
      "there where they mean something.", "",
      "## What many commands share", "",
      "- `--json` prints one JSON document with names in snake case. A list is an object with one array, also when it",
      "  is empty. A command without a result prints `changed`, a `message` for people and, where it has one, an `id`.",
      "- What cannot be taken back is asked for at a terminal. `--yes` agrees before; without a terminal and without",
      "  `--yes` the command is refused and does nothing.",
      "- A tenant has one name: `default` and the other names of `tenants.json`, `finaptic-7` for number 7 of",
      "  Finaptic, and such as `oneassist/ID` for those of other systems. `finaptic/7` and `rubix/default` are read, too.",
      "- Long work tells on a terminal how long it has taken. Nothing of it is in a pipe or a log.", "",
      "## Options of many commands", "",
    ]
    lines += common.sorted { $0.key < $1.key }.map { Self.item($0.value) }
    for (words, command) in all.dropFirst() {
      lines += ["", "\(words.count == 2 ? "##" : "###") \(words.joined(separator: " "))", ""]
      if let abstract = command.abstract { lines.append(abstract) }
      if let discussion = command.discussion, !discussion.isEmpty { lines += ["", discussion] }
      let arguments = (command.arguments ?? []).filter(\.shouldDisplay)
      let own = arguments.filter {
        !["version", "help"].contains($0.valueName) && common["\($0.form)\t\($0.abstract ?? "")"] == nil
      }
      if command.shown.isEmpty { lines += ["", Self.synopsis(words, own)] }
      if !own.isEmpty { lines += [""] + own.map(Self.item) }
    }
    lines += ["", "## Spellings of the version before", "", "They work in this version and print a hint.", ""]
    lines += ["| before | now |", "|---|---|"]
    lines += DeprecatedSpelling.all.map {
      "| `\($0.old.joined(separator: " "))` | `\($0.new.joined(separator: " "))` |"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The call without its common options.
  private static func synopsis(_ words: [String], _ own: [Argument]) -> String {
    let parts = own.filter { $0.kind == "positional" || !$0.isOptional }.map {
      $0.isOptional ? "[\($0.form)]" : $0.form
    }
    return "    " + (words + parts).joined(separator: " ")
  }

  private static func item(_ argument: Argument) -> String {
    let value = argument.defaultValue.map { $0.isEmpty ? "" : " Default: `\($0)`." } ?? ""
    return "- `\(argument.form)`: \(argument.abstract ?? "")\(value)"
  }
}
