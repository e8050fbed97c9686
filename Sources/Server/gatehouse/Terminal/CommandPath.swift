// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The words that lead to a command, as in `gatehouse ledger verify`.
enum CommandPath {
  /// - Returns: the words, or `gatehouse` alone for what is no command of it.
  static func of(_ command: any ParsableCommand.Type) -> [String] {
    find(command, in: Gatehouse.self) ?? [Gatehouse._commandName]
  }

  /// Every command with its words, parents before their children, as the help lists them.
  static func all() -> [(words: [String], command: any ParsableCommand.Type)] { below(Gatehouse.self, []) }

  /// The commands that the first word of a line which names none may stand for: two letters more, less or moved.
  /// - Parameter arguments: of the program, without its name.
  static func near(_ arguments: [String]) -> [String] {
    var (command, words): (any ParsableCommand.Type, [String]) = (Gatehouse.self, [Gatehouse._commandName])
    for word in arguments {
      let children = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      guard let next = children.first(where: { ([$0._commandName] + $0.configuration.aliases).contains(word) }) else {
        return children.map { $0._commandName }.filter { $0.difference(from: word).count <= 2 }
          .map { (words + [$0]).joined(separator: " ") }
      }
      (command, words) = (next, words + [word])
    }
    return []
  }

  private static func below(
    _ command: any ParsableCommand.Type, _ words: [String]
  ) -> [(words: [String], command: any ParsableCommand.Type)] {
    guard command.configuration.shouldDisplay else { return [] }
    let words = words + [command._commandName]
    return [(words, command)] + command.configuration.subcommands.flatMap { below($0, words) }
  }

  private static func find(
    _ command: any ParsableCommand.Type, in parent: any ParsableCommand.Type
  ) -> [String]? {
    if parent == command { return [parent._commandName] }
    for child in parent.configuration.subcommands {
      if let words = find(command, in: child) { return [parent._commandName] + words }
    }
    return nil
  }
}
